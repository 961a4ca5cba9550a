internal import CSoxr
internal import SplitcapCore

/// Owns one `soxr_t`: made by `soxr_create`, ended by `soxr_delete`.
@safe
struct Soxr: ~Copyable, Sendable {
  // A `soxr_t` may be used from any thread, by one at a time; noncopyable makes sure of that.
  private nonisolated(unsafe) let raw: soxr_t

  /// Makes a resampler of interleaved 16-bit samples.
  ///
  /// No dither: it would turn exact silence into noise, so that a dead ear could no longer be told
  /// from a quiet one, and it would make two runs over one file differ. What rounding adds lies
  /// 98 dB below full scale, under the noise of every microphone.
  init(channelCount: Int, from inputRate: Int, to outputRate: Int) throws(SplitcapError) {
    var format = unsafe soxr_io_spec(SOXR_INT16_I, SOXR_INT16_I)
    unsafe format.flags = UInt(SOXR_NO_DITHER)
    // SOXR_HQ: 20 bits of precision, a pass band up to 91 % of the lower Nyquist frequency.
    var quality = unsafe soxr_quality_spec(UInt(SOXR_20_BITQ), 0)
    var runtime = unsafe soxr_runtime_spec(1)  // no threads beside ours
    var reason: soxr_error_t? = nil
    guard
      let raw = unsafe soxr_create(
        Double(inputRate), Double(outputRate), UInt32(channelCount), &reason, &format, &quality,
        &runtime)
    else {
      throw SplitcapError(
        soxr: unsafe reason.map { unsafe String(cString: $0) }, from: inputRate, to: outputRate)
    }
    unsafe self.raw = raw
  }

  deinit { unsafe soxr_delete(raw) }

  /// Resamples as much of `input` as it takes to fill `output`.
  ///
  /// The corresponding C function is `soxr_process`.
  func process(
    _ input: Span<Int16>, into output: inout MutableSpan<Int16>, channelCount: Int
  ) -> (consumed: Int, produced: Int) {
    var consumed = 0
    var produced = 0
    unsafe input.withUnsafeBufferPointer { source in
      unsafe output.withUnsafeMutableBufferPointer { target in
        // A null input would mean the end, and an empty span may have a null address.
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        // It fails only on null buffers, excluded above.
        unsafe _ = soxr_process(
          raw, from, source.count / channelCount, &consumed, to, target.count / channelCount,
          &produced)
      }
    }
    return (consumed, produced)
  }

  /// Gives what is held back, after the last input.
  ///
  /// - Returns: Frames produced; fewer than `limit` and than fit only at the end.
  ///
  /// The corresponding C function is `soxr_process`.
  func drain(
    into output: inout MutableSpan<Int16>, atMost limit: Int, channelCount: Int
  ) -> Int {
    var produced = 0
    unsafe output.withUnsafeMutableBufferPointer { target in
      guard let to = target.baseAddress else { return }
      let room = min(limit, target.count / channelCount)
      unsafe _ = soxr_process(raw, nil, 0, nil, to, room, &produced)
    }
    return produced
  }

  /// Output frames that the input so far is worth, but which are still held back.
  ///
  /// The corresponding C function is `soxr_delay`.
  var delay: Double { unsafe soxr_delay(raw) }
}
