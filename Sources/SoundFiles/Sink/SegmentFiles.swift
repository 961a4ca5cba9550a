private import Glibc
package import SplitcapCore
private import Synchronization

/// The files of a recording that is cut into segments; shared by all its sinks.
///
/// A segment is written as `NAME.part` and renamed once it is whole. No file of the same recording,
/// no input and no `.part` that another run left behind is ever overwritten: where a name is taken by
/// one, a number is put before its extension.
package final class SegmentFiles: Sendable {
  /// A place for a segment.
  struct Place: Sendable {
    /// What the segment's name says.
    var wanted: String
    /// The same, or with a number if that name was taken.
    var path: String
    var part: String { UnfinishedFile.temporaryPath(for: path) }
  }

  private let noClobber: Bool
  private let protected: Set<FileIdentity>
  /// Hashes of the names of this run: for years of segments, names would be too large.
  private let claims = Mutex<Set<Int>>([])
  /// Likewise of the folders that were made for segments.
  private let folders = Mutex<Set<Int>>([])

  /// Plans files.
  ///
  /// - Parameters:
  ///   - noClobber: Whether files that exist stay.
  ///   - protected: Files that stay in any case.
  package init(noClobber: Bool, protected: Set<FileIdentity>) {
    self.noClobber = noClobber
    self.protected = protected
  }

  /// Makes the empty file of a segment, and the folders that its name's fields ask for.
  ///
  /// - Throws: ``SplitcapCore/SplitcapError`` of kind `sinkFailed`.
  func make(
    _ name: SegmentName, index: Int, nanoseconds: Int64
  ) throws(SplitcapError) -> Place {
    let wanted = name.path(index: index, nanoseconds: nanoseconds)
    for place in places(wanted) {
      guard claim(place.path), !mustStay(place.path) else { continue }
      do throws(Errno) {
        try create(place.part, below: name.fixedPrefix)
        return place
      } catch {
        guard error.code == EEXIST else { throw SplitcapError(writing: place.part, error) }
      }
    }
    throw SplitcapError(writing: wanted, Errno(EEXIST))
  }

  /// Gives a segment that is whole its name.
  ///
  /// - Returns: The name, which has a number if a file has taken the place meanwhile.
  /// - Throws: ``SplitcapCore/SplitcapError`` of kind `sinkFailed`.
  func complete(_ made: Place) throws(SplitcapError) -> String {
    do throws(Errno) {
      for place in places(made.path) where place.path == made.path || claim(place.path) {
        do throws(Errno) {
          try Rename.withoutReplacing(made.part, to: place.path)
        } catch {
          guard error.code == EEXIST else { throw error }
          if mustStay(place.path) { continue }
          try Rename.replacing(made.part, to: place.path)
        }
        return place.path
      }
      throw Errno(EEXIST)
    } catch {
      throw SplitcapError(writing: made.path, error)
    }
  }

  /// `path`, and then the same with numbers.
  private func places(_ path: String) -> some Sequence<Place> {
    (1...1_000_000).lazy.map {
      Place(wanted: path, path: $0 == 1 ? path : FilePath(path).numbered($0))
    }
  }

  /// Takes a name for a file of this run; false if it is taken.
  private func claim(_ path: String) -> Bool {
    var parts = path.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
    if path.hasPrefix("/") { parts.insert("", at: 0) }
    return claims.withLock { $0.insert(parts.hashValue).inserted }
  }

  /// Whether there is a file that may not be replaced.
  private func mustStay(_ path: String) -> Bool {
    guard let identity = try? FileIdentity(path: path) else { return false }
    return noClobber || protected.contains(identity)
  }
}

// Folders of segments.
extension SegmentFiles {
  /// Makes an empty file, and the folders below `fixed` that it lacks.
  private func create(_ path: String, below fixed: String) throws(Errno) {
    // A folder may be removed with its last segment in the moment in which the next one needs it.
    var attempts = 10
    while true {
      do throws(Errno) {
        return try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL).close()
      } catch {
        guard error.code == ENOENT, attempts > 0 else { throw error }
        attempts -= 1
        try makeFolders(of: path, below: fixed)
      }
    }
  }

  /// The corresponding C function is `mkdir`.
  private func makeFolders(of path: String, below fixed: String) throws(Errno) {
    var rest = path.dropFirst(fixed.count)
    while let slash = rest.firstIndex(of: "/") {
      let folder = String(path[..<slash])
      if unsafe mkdir(folder, 0o777) == 0 {
        _ = folders.withLock { $0.insert(folder.hashValue) }
      } else if errno != EEXIST {
        // Gone again: the caller finds out.
        guard errno == ENOENT else { throw Errno.last }
        return
      }
      rest = rest[path.index(after: slash)...]
    }
  }

  /// Removes the folders that were made for a segment, as far as they are empty.
  ///
  /// - Throws: `Errno` of the first that is empty and can't be removed.
  package func removeEmptyFolders(above path: String) throws(Errno) {
    var folder = path[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      let name = String(folder)
      // Taken out before: whoever makes it again meanwhile enters it again.
      guard folders.withLock({ $0.remove(name.hashValue) }) != nil else { continue }
      guard unsafe rmdir(name) != 0, errno != ENOENT else { continue }
      let error = Errno.last
      guard error.code == ENOTEMPTY || error.code == EEXIST else { throw error }
      _ = folders.withLock { $0.insert(name.hashValue) }
      return
    }
  }
}

extension SegmentFiles {
  /// Makes the empty file in which a recording that is not cut into segments goes on.
  ///
  /// - Returns: Its path: `left.2.wav` after `left.wav`, or with the next number that is free.
  /// - Throws: ``SplitcapCore/SplitcapError`` of kind `sinkFailed`.
  static func makeNext(_ path: String, index: Int) throws(SplitcapError) -> String {
    for number in index...index + 1_000_000 {
      let next = FilePath(path).numbered(number)
      do throws(Errno) {
        try Descriptor(opening: next, O_WRONLY | O_CREAT | O_EXCL).close()
        return next
      } catch {
        guard error.code == EEXIST else { throw SplitcapError(writing: next, error) }
      }
    }
    throw SplitcapError(writing: path, Errno(EEXIST))
  }
}
