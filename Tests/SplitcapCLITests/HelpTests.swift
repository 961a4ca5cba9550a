import Lab
import SplitcapCore
import Testing

@testable import SplitcapCLI

@Suite("Help")
struct HelpTests {
  /// Everything that describes options, with what it is.
  private static var texts: [(name: String, text: String)] {
    CommandName.allCases.map { ("--help of \($0)", HelpText.short($0)) }
      + CommandName.allCases.map { ("help \($0)", HelpText.long($0)) }
      + [("man page", ManualPage.text)]
      + Shell.allCases.map { ("completions \($0)", $0.completions) }
  }

  @Test("fits a terminal of 80 columns")
  func width() {
    for command in CommandName.allCases {
      for line in (HelpText.short(command) + HelpText.long(command)).split(separator: "\n") {
        #expect(line.count <= 80, "\(line)")
      }
    }
  }

  @Test("the table has each option once, with a letter of its own and words for all")
  func table() {
    #expect(Set(Option.all.map(\.name)) == Set(Option.Name.allCases))
    for command in CommandName.allCases {
      let names = Option.of(command).map(\.name)
      #expect(Set(names).count == names.count)
      let letters = Option.of(command).compactMap(\.short)
      #expect(Set(letters).count == letters.count)
    }
    for option in Option.all {
      #expect(option.details.hasSuffix("."), "\(option.spelling)")
      #expect(option.summary.first?.isLowercase == true, "\(option.spelling)")
      #expect(!option.commands.isEmpty)
    }
  }

  @Test("every option of a command is in its help, the man page and the completions")
  func everyOption() {
    for command in CommandName.allCases {
      for option in Option.of(command) {
        #expect(HelpText.short(command).contains("\(option.heading) "), "\(option.spelling)")
        #expect(HelpText.long(command).contains("\n  \(option.heading.drop { $0 == " " })\n"))
        let escaped = option.spelling.replacing("-", with: "\\-")
        #expect(ManualPage.text.contains("\\fB\(escaped)\\fR"), "\(option.spelling)")
        #expect(BashCompletion.script.contains(option.spelling))
        #expect(ZshCompletion.script.contains(option.spelling))
        #expect(FishCompletion.script.contains("-l \(option.name.rawValue)"))
      }
    }
  }

  @Test("no text speaks of an option that is not there")
  func noOther() throws {
    let known = Set(Option.all.map(\.spelling))
    let word = /(?:^|[\s'(])(--[a-z][a-z-]*)/
    for (name, text) in Self.texts where !name.hasPrefix("completions") {
      // Examples also show options of other programs.
      let lines = text.replacing("\\-", with: "-").split(separator: "\n").filter {
        !$0.contains("asr") && !$0.contains("jq")
      }
      for match in lines.joined(separator: "\n").matches(of: word) {
        #expect(known.contains(String(match.output.1)), "\(match.output.1) in \(name)")
      }
    }
  }

  @Test("the exit statuses of the help are those of the program")
  func exitStatuses() {
    for status in ExitStatus.allCases {
      #expect(HelpText.long(.record).contains("\n  \(status.rawValue)\n"))
      #expect(ManualPage.text.contains("\n\\fB\(status.rawValue)\\fR\n"))
    }
  }

  @Test("is the same each time")
  func deterministic() {
    #expect(Self.texts.map(\.text) == Self.texts.map(\.text))
  }

  @Test("what the examples do, the program can do")
  func examples() throws {
    for example in CommandName.allCases.flatMap(\.examples) {
      // The shell splits the command; what stands for splitcap prints its words.
      let shell = """
        splitcap() { printf '%s\\n' "$@"; }; recogniser() { cat; }; jq() { cat; }
        asr-left() { :; }; asr-right() { :; }
        \(example.command)
        """
      let words = try Program.run("bash", ["-c", shell]).text.split(separator: "\n")
      #expect(!words.isEmpty, "\(example.command)")
      _ = try Invocation(words.map(String.init))
    }
  }
}
