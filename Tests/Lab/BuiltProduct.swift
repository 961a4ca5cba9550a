import Foundation

/// Where the package builds `name`: in the folder where the running tests are, too.
func builtProduct(_ name: String) -> URL {
  URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appendingPathComponent(name)
}
