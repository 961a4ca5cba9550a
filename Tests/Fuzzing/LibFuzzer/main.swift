// Runs one target under libFuzzer; `tools/fuzz` builds and calls it.
//
//     fuzzer                          prints the names of the targets
//     fuzzer NAME seeds FOLDER        writes the target's good inputs, a file each
//     fuzzer NAME words FILE          writes its words as a dictionary of libFuzzer
//     fuzzer NAME run [OPTION…]       fuzzes it, with libFuzzer's options
import Foundation
import Lab

/// The target of the command line.
private enum Chosen {
  static let target: FuzzTarget = {
    let name = CommandLine.arguments.dropFirst().first
    if let target = FuzzTarget.all.first(where: { $0.name == name }) { return target }
    print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    exit(0)
  }()
}

/// What libFuzzer calls for each input; it must not return if something is wrong.
@c(LLVMFuzzerTestOneInput)
public func tryInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
  Chosen.target.tryOrAbort(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}

/// The entry of libFuzzer for programs that have a `main` of their own.
@_silgen_name("LLVMFuzzerRunDriver")
private func runLibFuzzer(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ tryInput: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

let arguments = CommandLine.arguments
let target = Chosen.target
switch arguments.dropFirst(2).first {
case "seeds":
  for (number, seed) in target.seeds.enumerated() {
    try Data(seed).write(to: URL(fileURLWithPath: "\(arguments[3])/seed-\(number)"))
  }
case "words":
  let lines = target.words.map { word in
    "\"" + word.map { "\\x" + String(Int($0) + 256, radix: 16).dropFirst() }.joined() + "\"\n"
  }
  try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: arguments[3]))
default:
  // libFuzzer finds its options behind the program's name.
  var words = unsafe ([arguments[0]] + arguments.dropFirst(3)).map { unsafe strdup($0) } + [nil]
  var count = Int32(arguments.count - 2)
  exit(
    unsafe words.withUnsafeMutableBufferPointer { words in
      guard var first = words.baseAddress else { return 1 }
      return unsafe runLibFuzzer(&count, &first, tryInput)
    })
}
