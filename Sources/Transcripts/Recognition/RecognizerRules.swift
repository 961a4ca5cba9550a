package import SplitcapCore

/// What turns an utterance into text, and how it is asked.
package struct RecognizerRules: Sendable, Equatable {
  /// What `/bin/sh` runs for each utterance.
  ///
  /// `{file}` in it stands for the path of a WAV file; without it, the sound is on standard input.
  package var command: String
  /// What it is called in messages.
  package var name: String
  /// The rate in hertz that it wants; `nil` for that of the recording.
  package var rate: Int?
  /// What its standard input gets.
  package var pipeFormat: PipeFormat
  /// How long it may work on an utterance.
  package var timeout: Duration

  /// Makes rules; see the properties.
  package init(
    command: String, name: String? = nil, rate: Int? = nil, pipeFormat: PipeFormat = .raw,
    timeout: Duration = .seconds(120)
  ) {
    self.command = command
    self.name = name ?? "recogniser '\(command)'"
    self.rate = rate
    self.pipeFormat = pipeFormat
    self.timeout = timeout
  }

  /// Whether it reads a file, and not its standard input.
  var readsFile: Bool { command.contains("{file}") }
}
