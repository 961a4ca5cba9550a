import Glibc

/// Bytes in a file without a name, or in a pipe, and a path that opens it.
final class Carrier {
  let kind: String
  private let descriptor: Int32
  var path: String { "/proc/self/fd/\(descriptor)" }

  init(fileOf bytes: [UInt8]) throws {
    kind = "a file"
    var name = Array("/tmp/splitcap-XXXXXX\0".utf8CString)
    descriptor = unsafe mkstemp(&name)
    unsafe unlink(name)
    try Self.fill(descriptor, bytes)
  }

  init(pipeOf bytes: [UInt8]) throws {
    kind = "a pipe"
    var ends: [Int32] = [-1, -1]
    try promise(unsafe pipe(&ends) == 0, "no pipe: errno \(errno)")
    descriptor = ends[0]
    defer { close(ends[1]) }
    try Self.fill(ends[1], bytes)
  }

  deinit { close(descriptor) }

  private static func fill(_ descriptor: Int32, _ bytes: [UInt8]) throws {
    let count = unsafe write(descriptor, bytes, bytes.count)
    try promise(count == bytes.count, "no room for the input: errno \(errno)")
  }
}
