import Foundation
import Lab
import Testing

@testable import SplitcapCLI

@Suite("Man page and completions")
struct ShellTests {
  @Test("mandoc and man show the man page without a warning")
  func manualPage() throws {
    let folder = try TemporaryFolder()
    try folder.write(ManualPage.text, to: "splitcap.1")
    let lint = try Program.run("mandoc", ["-Tlint", "-W", "warning", folder("splitcap.1")])
    #expect(lint.text == "" && lint.errors == "" && lint.status == .exited(0))
    let man = try Program.run(
      "man", ["--warnings", "-l", folder("splitcap.1")],
      environment: ["MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"])
    #expect(man.errors == "" && man.status == .exited(0))
    // Words may be broken at hyphens, so only short ones are looked for.
    for word in ["SPLITCAP(1)", "EXIT STATUS", "--left", "NO_COLOR", "exec:COMMAND", "'exec:asr"] {
      #expect(man.text.contains(word), "\(word)")
    }
  }

  @Test("the shells accept their scripts", arguments: Shell.allCases)
  func syntax(shell: Shell) throws {
    let folder = try TemporaryFolder()
    try folder.write(shell.completions, to: "script")
    let outcome = try Program.run(shell.rawValue, ["-n", folder("script")])
    #expect(outcome.status == .exited(0) && outcome.errors == "")
  }

  /// A line that ends in a word to complete, and what it may become.
  private static let lines: [(words: [String], completions: Set<String>)] = [
    (["--ba"], ["--backend"]),
    (["--stereo", "x", "--no-c"], ["--no-clobber"]),
    (["--backend", "p"], ["pulse"]),
    (["--pipe-format", ""], ["raw", "wav"]),
    (["dev"], ["devices"]),
    (["devices", "--js"], ["--json"]),
    (["devices", "--le"], []),
    (["record", "--le"], ["--left"]),
    (["completions", "f"], ["fish"]),
    (["help", "rec"], ["record"]),
    (["--left", "SOUND"], ["SOUND.wav"]),
    (["-l", "x", "-r", "SOUND"], ["SOUND.wav"]),
    (["verify", "SOUND"], ["SOUND.wav"]),
    (["repair", "--in-p"], ["--in-place"]),
    (["join", "x", "SOUND"], ["SOUND.wav"]),
    (["verify", "--events", "SOUND"], ["SOUND.wav"]),
    (["-D", "hw:"], ["hw:CARD=Ears,DEV=0", "hw:CARD=Ears,DEV=1"]),
    (["-D", "My"], ["My device"]),
  ]

  /// A folder with a `splitcap` that lists devices, and a file to complete.
  private static func stage() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("", to: "SOUND.wav")
    try folder.write(
      """
      #!/bin/sh
      [ "$*" = 'devices --names' ] && printf '%s\\n' hw:CARD=Ears,DEV=0 hw:CARD=Ears,DEV=1 'My device'
      """, to: "splitcap")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder("splitcap"))
    for shell in Shell.allCases { try folder.write(shell.completions, to: shell.rawValue) }
    return folder
  }

  @Test("bash completes options, values, commands, files and devices")
  func bash() throws {
    let folder = try Self.stage()
    for (words, completions) in Self.lines {
      // As bash itself cuts a line: a ':' is a word of its own, and what is before it stays.
      let isCut = words.last?.hasSuffix(":") == true
      let cut = words.dropLast() + (isCut ? [String(words.last!.dropLast()), ":"] : [words.last!])
      let script = """
        cd '\(folder.path)'; PATH=$PWD:$PATH; source ./bash
        COMP_WORDS=(splitcap "$@"); COMP_CWORD=$#; _splitcap; printf '%s\\n' "${COMPREPLY[@]}"
        """
      let outcome = try Program.run(
        "bash", ["-c", script, "bash"] + cut)
      let found = outcome.text.split(separator: "\n").map {
        (isCut ? words.last! : "") + $0.replacing("\\ ", with: " ")
      }
      #expect(Set(found) == completions, "\(words) \(outcome.errors)")
    }
  }

  @Test("bash runs nothing of what stands in a device's name, and completes it as one word")
  func hostileName() throws {
    let folder = try TemporaryFolder()
    let name = "a$(touch ran)b c"
    try folder.write("#!/bin/sh\necho '\(name)'\n", to: "splitcap")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder("splitcap"))
    let script = """
      cd '\(folder.path)'; PATH=$PWD:$PATH; source <('\(Program.splitcap)' completions bash)
      COMP_WORDS=(splitcap --device a); COMP_CWORD=2; _splitcap
      eval "set -- ${COMPREPLY[0]}"; printf '%s|' "$@"
      """
    let outcome = try Program.run("bash", ["-c", script])
    #expect(outcome.text == "\(name)|", "\(outcome.errors)")
    #expect(try folder.contents() == ["splitcap"])
  }

  @Test("fish completes options, values, commands, files and devices")
  func fish() throws {
    let folder = try Self.stage()
    for (words, completions) in Self.lines {
      let script = """
        cd '\(folder.path)'; set -p PATH $PWD; source ./fish
        complete -C 'splitcap \(words.joined(separator: " "))'
        """
      let outcome = try Program.run(
        "fish", ["--no-config", "-c", script], environment: ["HOME": folder.path])
      let found = outcome.text.split(separator: "\n").map {
        String($0.prefix { $0 != "\t" }).replacing("\\ ", with: " ")
      }
      #expect(Set(found) == completions, "\(words) \(outcome.errors)")
    }
  }

  @Test("zsh completes options, values, commands, files and devices at its own prompt")
  func zsh() throws {
    let folder = try Self.stage()
    for (words, completions) in Self.lines where completions.count == 1 {
      // A real zsh behind a pseudo terminal; the completed line is run, and prints its words.
      let script = """
        zmodload zsh/zpty
        cd '\(folder.path)'; path=($PWD $path)
        zpty shell zsh -f -i
        zpty -w shell 'autoload -U compinit; compinit -u -d ./dump; source ./zsh'
        zpty -w shell 'function splitcap() { [[ $1 == devices ]] && { ./splitcap "$@"; return }; }'
        zpty -w shell 'show() { print -r -- "$BUFFER" >./line; zle kill-buffer; }'
        zpty -w shell 'zle -N show; bindkey "^X" show; print RE''ADY'
        zpty -r shell text '*READY*'
        zpty -w -n shell $'splitcap \(words.joined(separator: " "))\\t\\x18'
        repeat 500; do [[ -s line ]] && break; sleep 0.02; done
        cat line
        """
      let outcome = try Program.run(
        "zsh", ["-f", "-c", script], environment: ["HOME": folder.path])
      let line = outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)
        .replacing("\\ ", with: " ").replacing("\\", with: "")
      // zsh also types the '=' that a value may follow.
      let end = words.last?.hasPrefix("--") == true ? line.trimmingCharacters(in: ["="]) : line
      let expected = (["splitcap"] + words.dropLast() + completions).joined(separator: " ")
      #expect(end == expected, "\(outcome.errors)")
      try? FileManager.default.removeItem(atPath: folder("line"))
    }
  }
}
