// A day of recording in a quarter of an hour, with random faults; `tools/soak` builds and calls it.
//
//     soak HOURS SPEED SEED        records, checks and reports; exits with 1 if something is wrong
//     soak read REPORT FRAMES      the slow reader of the recording's third output
import Foundation
import Lab

let words = CommandLine.arguments
if words.count == 4, words[1] == "read", let frames = Int(words[3]) {
  var reader = SlowReader(reportingTo: words[2], busyFrames: frames)
  try reader.run()
} else if words.count == 4, let hours = Double(words[1]), let speed = Double(words[2]),
  let seed = UInt64(words[3])
{
  let soak = Soak(hours: hours, speed: speed, seed: seed)
  let complaints: [String]
  do {
    complaints = try soak.run()
  } catch {
    complaints = ["\(error)"]
  }
  for complaint in complaints { print("WRONG: \(complaint)") }
  exit(complaints.isEmpty ? 0 : 1)
} else {
  print("usage: soak HOURS SPEED SEED")
  exit(2)
}
