public import Foundation

/// An ALSA configuration with virtual headsets, in a folder of its own.
public final class VirtualHeadsets: Sendable {
  /// The folder; removed with this object.
  public let folder: URL

  /// Variables for programs that are to see the headsets.
  public var environment: [String: String] {
    ["ALSA_CONFIG_PATH": folder.appendingPathComponent("asound.conf").path]
  }

  /// Writes a configuration.
  ///
  /// - Parameters:
  ///   - headsets: PCMs to define.
  ///   - more: Further text in the language of `asound.conf`.
  /// - Throws: An error of the file system.
  public init(_ headsets: [VirtualHeadset], more: String = "") throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("splitcap-alsa-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var text = """
      </usr/share/alsa/alsa.conf>
      pcm_type.virtual_headset { lib "\(Self.plugin.path)" }

      """
    for headset in headsets {
      text += headset.definition(folder: folder)
      guard headset.hasState else { continue }
      try Data(count: 16).write(to: folder.appendingPathComponent(headset.stateName))
    }
    try Data((text + more).utf8).write(to: folder.appendingPathComponent("asound.conf"))
  }

  /// What a program needs besides to see `EAGAIN` from a device that can't be resumed yet.
  public static var resumeEnvironment: [String: String] { ["LD_PRELOAD": plugin.path] }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Makes this process see the headsets.
  ///
  /// It changes the environment, which all threads share: once, before libasound is used.
  public func useInThisProcess() {
    for (name, value) in environment { unsafe setenv(name, value, 1) }
  }

  private static var plugin: URL { builtProduct("libVirtualHeadset.so") }
}
