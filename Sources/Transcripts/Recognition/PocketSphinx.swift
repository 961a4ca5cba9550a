private import Glibc
package import SplitcapCore

extension RecognizerRules {
  /// PocketSphinx with its model of English, which Debian has: it works offline, out of the box.
  ///
  /// Its log is hushed; its words come one line for each pause that it finds within an utterance.
  ///
  /// - Throws: ``SplitcapCore/SplitcapError`` of kind `usage` if it is not installed.
  package static func pocketSphinx(timeout: Duration) throws(SplitcapError) -> RecognizerRules {
    guard isInstalled("pocketsphinx_continuous") else {
      throw SplitcapError(
        .usage, "the default recogniser, PocketSphinx, is not installed",
        hint: "apt-get install pocketsphinx pocketsphinx-en-us, or --recognizer COMMAND; "
          + "--recognizer none writes times only")
    }
    return RecognizerRules(
      command: "exec pocketsphinx_continuous -infile {file} -logfn /dev/null 2>/dev/null",
      name: "PocketSphinx", rate: 16_000, timeout: timeout)
  }

  /// Whether a shell would find a program of that name.
  private static func isInstalled(_ name: String) -> Bool {
    let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
    return path.split(separator: ":").contains { folder in
      unsafe access("\(folder)/\(name)", X_OK) == 0
    }
  }
}
