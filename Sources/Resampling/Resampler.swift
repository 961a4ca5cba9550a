package import SplitcapCore

/// Changes the rate of one stream of interleaved 16-bit samples, with libsoxr.
///
/// Its filter is of linear phase and keeps what lies below 91 % of half the lower rate. Samples
/// beyond full scale are clipped. The same input always gives the same output: there is no dither.
///
/// The corresponding C type is `soxr_t`.
package struct Resampler: ~Copyable, Sendable {
  /// Samples in a frame.
  package let channelCount: Int
  /// Rate of the input, in hertz.
  package let inputRate: Int
  /// Rate of the output, in hertz.
  package let outputRate: Int

  private var soxr: Soxr

  /// Makes a resampler that has seen nothing yet.
  ///
  /// - Throws: ``SplitcapError`` of kind `unsupportedFormat` if libsoxr refuses these rates.
  package init(
    channelCount: Int, from inputRate: Int, to outputRate: Int
  ) throws(SplitcapError) {
    let soxr = try Soxr(channelCount: channelCount, from: inputRate, to: outputRate)
    self.soxr = soxr
    self.channelCount = channelCount
    self.inputRate = inputRate
    self.outputRate = outputRate
  }

  /// Resamples frames, as many as it takes to fill `output`.
  ///
  /// What comes out lags behind what goes in; ``drain(into:atMost:)`` gives the rest.
  ///
  /// - Parameters:
  ///   - input: Whole frames at ``inputRate``.
  ///   - output: Room for whole frames at ``outputRate``.
  /// - Returns: Frames taken from the start of `input`, and frames put at the start of `output`.
  ///   Fewer than all are taken only if `output` is full.
  /// - Complexity: O(*n* log *n*) in frames. Allocates nothing in steady state.
  package mutating func process(
    _ input: Span<Int16>, into output: inout MutableSpan<Int16>
  ) -> (consumed: Int, produced: Int) {
    soxr.process(input, into: &output, channelCount: channelCount)
  }

  /// Gives what is held back; to be called again until it returns 0.
  ///
  /// In all, *n* input frames give *n* · output rate / input rate frames, rounded to the nearest.
  /// Afterwards only ``restart()`` makes the resampler usable again.
  ///
  /// - Parameters:
  ///   - output: Room for whole frames.
  ///   - limit: Frames to give at most.
  /// - Returns: Frames put at the start of `output`.
  package mutating func drain(
    into output: inout MutableSpan<Int16>, atMost limit: Int = .max
  ) -> Int {
    soxr.drain(into: &output, atMost: limit, channelCount: channelCount)
  }

  /// Forgets all input, as if newly made.
  ///
  /// Allocates.
  ///
  /// - Throws: ``SplitcapError`` if there is no memory.
  package mutating func restart() throws(SplitcapError) {
    soxr = try Soxr(channelCount: channelCount, from: inputRate, to: outputRate)
  }

  /// Frames of output that `frames` frames of input are worth, rounded to the nearest.
  package func outputFrames(forInput frames: Int) -> Int {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: inputRate)
    return seconds * outputRate + (2 * rest * outputRate + inputRate) / (2 * inputRate)
  }

  /// The most output frames that a stream through this resampler is ever behind its input.
  ///
  /// Found by trial, since it depends on the stages that libsoxr chooses for these rates.
  ///
  /// - Complexity: Resamples half a second of silence.
  /// - Throws: ``SplitcapError`` if there is no memory.
  package func measuredDelay() throws(SplitcapError) -> Int {
    var trial = try Resampler(channelCount: 1, from: inputRate, to: outputRate)
    let step = inputRate / 1000 + 1
    let stepOutput = outputRate * step / inputRate + 1
    let input = [Int16](repeating: 0, count: step)
    var output = [Int16](repeating: 0, count: outputRate)
    var longest = 0.0
    for _ in 0..<500 {
      var room = output.mutableSpan
      _ = trial.process(input.span, into: &room)
      longest = max(longest, trial.soxr.delay)
    }
    // It is longest within a step, just before the next frames come out.
    return Int(longest.rounded(.up)) + stepOutput
  }
}
