import Foundation
import Lab

/// A program of others that reads sound files, and knows nothing of this one.
enum Reader: String, CaseIterable {
  case python, sox, ffmpeg, flac, libsndfile

  /// What it finds in `path`, told through a WAV file that it writes to `copy`.
  ///
  /// - Throws: ``LabError`` if it complains of the file.
  func read(_ path: String, copy: String) throws -> WaveFile {
    let outcome =
      switch self {
      case .python: try Program.run("python3", ["-c", Self.script, path, copy])
      // Without -V1 it warns of every AU file whose header is the plain one.
      case .sox: try Program.run("sox", ["-V1", "-D", path, "-b", "16", copy])
      case .ffmpeg:
        try Program.run(
          "ffmpeg",
          [
            "-nostdin", "-v", "error", "-y", "-i", path, "-bitexact",
            "-map_metadata", "-1", copy,
          ])
      case .libsndfile: try Program.run("sndfile-convert", ["-pcm16", path, copy])
      case .flac: try Program.run("flac", ["-s", "-f", "-d", path, "-o", copy])
      }
    guard outcome.status == .exited(0), outcome.errors == "" else {
      throw LabError("\(self) on \(path): \(outcome.status) \(outcome.errors)")
    }
    return try WaveFile([UInt8](Data(contentsOf: URL(fileURLWithPath: copy))))
  }

  /// Reads what the header promises, and nothing else.
  private static let script = """
    import sys, wave
    with wave.open(sys.argv[1]) as i, wave.open(sys.argv[2], 'wb') as o:
        o.setparams(i.getparams())
        o.writeframes(i.readframes(i.getnframes()))
    """
}
