private import Pipes
package import SplitcapCore

/// Any sound file as a source, by the reader that is best for it.
package enum SoundFile {
  /// Opens the file, FIFO or character device at `path`.
  ///
  /// WAV is read by our own reader, which does not believe headers that lie about their size; all
  /// else by libsndfile.
  ///
  /// - Parameters:
  ///   - path: What to read.
  ///   - isCancelled: Whether to give up waiting for the first bytes of a pipe.
  /// - Returns: The source.
  /// - Throws: ``SplitcapError`` as ``SoundFileSource`` and `StreamSource` do.
  package static func open(
    _ path: String, isCancelled: () -> Bool = { false }
  ) throws(SplitcapError) -> any CaptureSource & ~Copyable {
    guard StreamSource.canRead(path) else { return try SoundFileSource(path: path) }
    return try StreamSource(.file(path), isCancelled: isCancelled)
  }
}
