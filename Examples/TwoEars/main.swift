import PulseSource
import SoundFiles
import SplitcapCore

func recordTenSeconds() throws -> RecordingSummary {
  let source = try PulseSource(CaptureRequest(device: "headset"))
  let recording = Recording(
    to: [.file(.left, path: "l.wav"), .file(.right, path: "r.wav")],
    frameLimit: source.info.format.frames(in: .seconds(10)))
  return try recording.run(source)
}
do {
  print("recorded \(try recordTenSeconds().frames) frames of both ears")
} catch {
  print("nothing was recorded: \(error)")
}
