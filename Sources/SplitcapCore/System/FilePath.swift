private import Glibc

/// The parts of a path, as text.
package struct FilePath: Sendable {
  /// The path as it was given.
  package let text: String
  /// The folder that it is in: `.` for a bare name.
  package let folder: String
  /// Its last part; empty if the path ends with a slash.
  package let name: String

  /// Takes `text` apart.
  package init(_ text: String) {
    self.text = text
    guard let slash = text.lastIndex(of: "/") else {
      folder = "."
      name = text
      return
    }
    let before = text[..<slash]
    folder = before.isEmpty ? "/" : String(before)
    name = String(text[text.index(after: slash)...])
  }

  /// What follows the last dot of the name; `nil` for `name` and `.name`.
  package var fileExtension: String? {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    return String(name[name.index(after: dot)...])
  }

  /// What comes before the extension and its dot: `a/left` of `a/left.wav`.
  package var stem: Substring { text.dropLast(fileExtension.map { $0.count + 1 } ?? 0) }

  /// The path with `words` before its extension: `left-%i.wav`.
  package func inserting(_ words: String) -> String {
    stem + words + text[stem.endIndex...]
  }

  /// The path with a number before its extension: `left.2.wav`.
  package func numbered(_ number: Int) -> String { inserting(".\(number)") }

  /// The descriptor that the path is a name of: `/dev/fd/3`, `/dev/stdout`.
  package var descriptor: Int32? {
    switch text {
    case "/dev/stdin": return 0
    case "/dev/stdout": return 1
    case "/dev/stderr": return 2
    default: break
    }
    for prefix in ["/dev/fd/", "/proc/self/fd/"] where text.hasPrefix(prefix) {
      return Int32(text.dropFirst(prefix.count))
    }
    return nil
  }
}

extension FilePath {
  /// As many symbolic links as the kernel follows.
  private static let mostLinks = 40

  /// Where the symbolic links at the path end, if with a file or with nothing.
  ///
  /// - Throws: `ELOOP` if they don't end.
  package func followingLinks() throws(Errno) -> FilePath {
    var place = self
    for _ in 0...Self.mostLinks {
      guard let target = place.linkTarget else { return place }
      place = FilePath(target.hasPrefix("/") ? target : "\(place.folder)/\(target)")
    }
    throw Errno(ELOOP)
  }

  /// What the symbolic link at the path holds; `nil` if there is none.
  ///
  /// The corresponding C function is `readlink`.
  private var linkTarget: String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = unsafe buffer.withUnsafeMutableBytes {
      unsafe readlink(text, $0.baseAddress!, $0.count)
    }
    guard length > 0 else { return nil }
    return String(decoding: buffer.prefix(length), as: UTF8.self)
  }
}
