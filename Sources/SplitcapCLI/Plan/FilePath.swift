/// The parts of a path, as text.
struct FilePath {
  /// The path as it was given.
  let text: String
  /// The folder that it is in: `.` for a bare name.
  let folder: String
  /// Its last part; empty if the path ends with a slash.
  let name: String

  init(_ text: String) {
    self.text = text
    guard let slash = text.lastIndex(of: "/") else {
      folder = "."
      name = text
      return
    }
    let before = text[..<slash]
    folder = before.isEmpty ? "/" : String(before)
    name = String(text[text.index(after: slash)...])
  }

  /// What follows the last dot of the name; `nil` for `name` and `.name`.
  var fileExtension: String? {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    return String(name[name.index(after: dot)...])
  }

  /// The path that a symbolic link here means by `target`.
  func resolving(_ target: String) -> FilePath {
    FilePath(target.hasPrefix("/") ? target : "\(folder)/\(target)")
  }

  /// The descriptor that the path is a name of: `/dev/fd/3`, `/dev/stdout`.
  var descriptor: Int32? {
    switch text {
    case "/dev/stdin": return 0
    case "/dev/stdout": return 1
    case "/dev/stderr": return 2
    default: break
    }
    for prefix in ["/dev/fd/", "/proc/self/fd/"] where text.hasPrefix(prefix) {
      return Int32(text.dropFirst(prefix.count))
    }
    return nil
  }
}
