import Foundation

/// A socket on which connections are accepted by the system and never answered.
public final class MuteSocket: Sendable {
  private let descriptor: Int32

  /// Listens at `path`.
  public init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0, unsafe withAddress(of: path, { unsafe bind(descriptor, $0, $1) }) == 0,
      listen(descriptor, 8) == 0
    else { throw LabError("cannot listen at \(path): errno \(errno)") }
  }

  deinit { close(descriptor) }
}

/// Whether somebody accepts connections on the socket at `path`.
func answers(_ path: String) -> Bool {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  defer { close(descriptor) }
  return unsafe withAddress(of: path) { unsafe connect(descriptor, $0, $1) } == 0
}

private func withAddress(
  of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let room = MemoryLayout.size(ofValue: address.sun_path)
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
    unsafe bytes.copyBytes(from: path.utf8.prefix(room - 1))
  }
  return unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
