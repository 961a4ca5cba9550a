private import Glibc
internal import SoundFiles
internal import SplitcapCore

// What there is to say about files that are cut, before one is made.
extension SinkResolver {
  /// Two moments and numbers in which no two fields have one value, so that names which are the same
  /// for both are always the same: 2019-11-28 13:47:56 and 2020-03-09 07:21:35 in Greenwich.
  private static let samples: [(index: Int, nanoseconds: Int64)] = [
    (8_642, 1_574_948_876_000_000_000), (97_531, 1_583_738_495_000_000_000),
  ]

  /// A path as the name of a series of files; `nil` for a pipe or a device.
  func resolve(series path: FilePath) throws(SplitcapError) -> Resolved? {
    let name = try SegmentName(path.text)
    guard name.hasField else {
      if let kind = try? FileStatus(path: path.text).kind, kind != .regular { return nil }
      _ = try container(of: path)
      throw SplitcapError(
        .usage, "each segment of \(path.text.quoted) would overwrite the one before",
        hint: "number them, \(path.inserting("-%i").shellQuoted), or say when they began, "
          + path.inserting("-%F-%H%M%S").shellQuoted)
    }
    let container = try container(of: path)
    let folder = try Self.writableFolder(name.fixedFolder, for: path)
    var samples: [String] = []
    for sample in Self.samples {
      let place = name.path(index: sample.index, nanoseconds: sample.nanoseconds)
      do throws(Errno) {
        _ = try FileStatus(path: UnfinishedFile.temporaryPath(for: place))
      } catch {
        guard error.code == ENOENT else { throw Self.unwritable(path.text, error) }
      }
      // Relative to the folder, which has its own identity.
      samples.append(String(place.dropFirst(name.fixedPrefix.count)))
    }
    return Resolved(
      target: .segments(name, container),
      identity: FileIdentity(name: samples.joined(separator: "/"), in: folder.identity))
  }
}

extension RecordPlan {
  /// What may not be meant: fields in the name of a file that is not cut into segments.
  var warnings: [SplitcapError] {
    sinks.compactMap { sink in
      guard case .file(let path, _) = sink.target, SegmentName.hasField(path) else { return nil }
      return SplitcapError(
        .usage, "the file will be called \(path.quoted), as it stands",
        hint: "--segment TIME fills in the fields of its name")
    }
  }

  /// Checks that there are files where files are to be cut.
  static func checkCuts(
    _ options: RecordOptions, _ sinks: [PlannedSink]
  ) throws(SplitcapError) {
    guard !sinks.contains(where: \.isFile) else { return }
    let option = options.segment != nil ? "--segment" : "--max-file-size"
    guard options.segment != nil || options.maximumFileBytes != nil else { return }
    throw SplitcapError(
      .usage, "\(option) cuts files, and no output is one",
      hint: "name a file, such as --left 'l-%i.wav'; pipes and programs get one stream")
  }
}
