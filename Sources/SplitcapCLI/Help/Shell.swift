/// A shell that options can be completed in.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The script that makes it complete them, made from the option table.
  var completions: String {
    switch self {
    case .bash: BashCompletion.script
    case .zsh: ZshCompletion.script
    case .fish: FishCompletion.script
    }
  }
}
