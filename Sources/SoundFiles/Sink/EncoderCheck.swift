private import Glibc
public import SplitcapCore

extension Container {
  /// Finds out whether this libsndfile can write it, before there is anything to write.
  ///
  /// It starts to encode into nothing, which is the only way to ask what libsndfile was built with.
  ///
  /// - Parameter path: What an error names.
  /// - Throws: ``SplitcapCore/SplitcapError`` of kind `sinkFailed`.
  public func checkEncoder(for path: String) throws(SplitcapError) {
    guard let encoding, let nowhere = try? Descriptor(opening: "/dev/null", O_WRONLY) else {
      return
    }
    _ = try EncodedFileSink(
      path: path, encoding: encoding, format: StreamFormat(sampleRate: 48_000, channelCount: 1),
      output: EncodedOutput(file: OutputFile(nowhere, path: path)))
  }
}
