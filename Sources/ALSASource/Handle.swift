internal import CALSA
internal import SplitcapCore

/// Owns one open capture PCM.
///
/// The corresponding C type is `snd_pcm_t`.
@safe
struct PCM: ~Copyable, Sendable {
  // A PCM may be used from any thread, by one at a time; noncopyable makes sure of that.
  nonisolated(unsafe) let raw: OpaquePointer

  /// Opens `name` as `configuration` defines it.
  ///
  /// Not blocking: the open of a busy device could wait for ever.
  ///
  /// The corresponding C function is `snd_pcm_open_lconf`.
  init(
    opening name: String, in configuration: borrowing Configuration, device: String
  ) throws(SplitcapError) {
    var raw: OpaquePointer?
    let status = unsafe snd_pcm_open_lconf(
      &raw, name, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK, configuration.raw)
    guard status >= 0, let raw = unsafe raw else {
      throw SplitcapError(alsa: status, doing: "open", device: device)
    }
    unsafe self.raw = raw
  }

  deinit { unsafe _ = snd_pcm_close(raw) }
}

/// Calls of the capture thread; none allocates.
extension PCM {
  /// Begins to capture.
  ///
  /// The corresponding C function is `snd_pcm_start`.
  func start() -> Int32 { unsafe snd_pcm_start(raw) }

  /// Makes ready to start after an overrun.
  ///
  /// The corresponding C function is `snd_pcm_prepare`.
  func prepare() -> Int32 { unsafe snd_pcm_prepare(raw) }

  /// Goes on after a suspend.
  ///
  /// The corresponding C function is `snd_pcm_resume`.
  func resume() -> Int32 { unsafe snd_pcm_resume(raw) }

  /// Waits until a period is there: 1, or 0 after the time, or a negative status.
  ///
  /// The corresponding C function is `snd_pcm_wait`.
  func wait(milliseconds: Int32) -> Int32 { unsafe snd_pcm_wait(raw, milliseconds) }

  /// Frames that can be read, by a fresh look at the device; or a negative status.
  ///
  /// The corresponding C function is `snd_pcm_avail`.
  func available() -> Int { unsafe snd_pcm_avail(raw) }

  /// Reads interleaved frames; returns their count or a negative status.
  ///
  /// The corresponding C function is `snd_pcm_readi`.
  func read(into buffer: inout MutableSpan<Int16>, frames: Int) -> Int {
    unsafe buffer.withUnsafeMutableBufferPointer { samples in
      unsafe snd_pcm_readi(raw, samples.baseAddress, snd_pcm_uframes_t(frames))
    }
  }
}

/// Owns a choice of hardware parameters: at first all that a PCM can do, then less and less.
///
/// The corresponding C type is `snd_pcm_hw_params_t`.
@safe
struct HardwareParameters: ~Copyable {
  let raw: OpaquePointer

  /// The corresponding C function is `snd_pcm_hw_params_malloc`.
  init() {
    var raw: OpaquePointer?
    unsafe _ = snd_pcm_hw_params_malloc(&raw)
    unsafe self.raw = raw!  // fails only without memory
  }

  deinit { unsafe snd_pcm_hw_params_free(raw) }
}
