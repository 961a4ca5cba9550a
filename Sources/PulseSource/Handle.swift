internal import CPulse
private import Glibc
internal import SplitcapCore

/// Owns one `pa_mainloop`: the loop in which libpulse does all of its work.
///
/// The thread that calls ``handleEvents(until:)`` runs it, so no callback ever comes on another
/// thread and nothing needs a lock.
@safe
struct Mainloop: ~Copyable, Sendable {
  // May be used from any thread, by one at a time; noncopyable makes sure of that.
  nonisolated(unsafe) let raw: OpaquePointer

  /// The corresponding C function is `pa_mainloop_new`.
  init() throws(SplitcapError) {
    guard let raw = unsafe pa_mainloop_new() else {
      throw SplitcapError(.backend, "libpulse made no main loop")
    }
    unsafe self.raw = raw
  }

  deinit { unsafe pa_mainloop_free(raw) }

  /// Waits until something happens, at most until `deadline`, and handles it.
  ///
  /// - Parameter deadline: On CLOCK_MONOTONIC, in nanoseconds.
  /// - Returns: False once the deadline has passed.
  ///
  /// The corresponding C functions are `pa_mainloop_prepare`, `_poll` and `_dispatch`.
  borrowing func handleEvents(until deadline: Int64) -> Bool {
    let rest = deadline - SystemClock.monotonic
    guard rest > 0 else { return false }
    // Rounded up, so that the last microsecond is slept and not spun through.
    let microseconds = Int32(clamping: (rest + 999) / 1_000)
    // None of them fails unless someone asks the loop to quit, which nobody does.
    unsafe _ = pa_mainloop_prepare(raw, microseconds)
    unsafe _ = pa_mainloop_poll(raw)
    unsafe _ = pa_mainloop_dispatch(raw)
    return true
  }
}

/// Owns one `pa_context`: a connection to a server.
///
/// It owns the loop, too, which must outlive it.
@safe
struct Context: ~Copyable, Sendable {
  // As with the loop, which it is used with.
  nonisolated(unsafe) let raw: OpaquePointer
  let loop: Mainloop

  /// The corresponding C function is `pa_context_new`.
  init(_ name: String, on loop: consuming Mainloop) throws(SplitcapError) {
    guard let raw = unsafe pa_context_new(pa_mainloop_get_api(loop.raw), name) else {
      throw SplitcapError(.backend, "libpulse made no connection")
    }
    unsafe self.raw = raw
    self.loop = loop
  }

  deinit {
    unsafe pa_context_disconnect(raw)
    unsafe pa_context_unref(raw)
  }

  /// The corresponding C function is `pa_context_get_state`.
  var state: pa_context_state_t { unsafe pa_context_get_state(raw) }

  /// Whether the connection stands or is being made.
  var isGood: Bool {
    switch state {
    case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED, PA_CONTEXT_UNCONNECTED: false
    default: true
    }
  }

  /// Why the last call failed.
  ///
  /// The corresponding C function is `pa_context_errno`.
  var failure: PulseFailure { unsafe PulseFailure(code: pa_context_errno(raw)) }
}

extension Context {
  /// Keeps libpulse's memory file from programs that are started later.
  ///
  /// libpulse makes it without the flag, and has no function to set it.
  static func hideMemoryFromChildren() {
    guard let folder = unsafe opendir("/proc/self/fd") else { return }
    defer { unsafe _ = closedir(folder) }
    let wanted = "/memfd:pulseaudio"
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let descriptor = Int32(name) else { continue }
      var target = [UInt8](repeating: 0, count: wanted.utf8.count)
      let length = unsafe target.withUnsafeMutableBytes {
        unsafe readlink("/proc/self/fd/\(name)", $0.baseAddress!, $0.count)
      }
      guard length == target.count, target.elementsEqual(wanted.utf8) else { continue }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }
}

/// Owns one `pa_stream`.
///
/// It owns its connection, too, which must outlive it.
@safe
struct Stream: ~Copyable, Sendable {
  // As with the loop, which it is used with.
  nonisolated(unsafe) let raw: OpaquePointer
  let context: Context

  /// The corresponding C function is `pa_stream_new`.
  init(
    _ name: String, _ specification: pa_sample_spec, on context: consuming Context
  ) throws(SplitcapError) {
    var specification = specification
    guard let raw = unsafe pa_stream_new(context.raw, name, &specification, nil) else {
      throw SplitcapError(
        .unsupportedFormat,
        "the sound server knows no rate of \(specification.rate) Hz: \(context.failure)",
        hint: "name another with --rate")
    }
    unsafe self.raw = raw
    self.context = context
  }

  deinit {
    unsafe _ = pa_stream_disconnect(raw)
    unsafe pa_stream_unref(raw)
  }

  /// Whether the stream stands.
  ///
  /// The corresponding C function is `pa_stream_get_state`.
  var isReady: Bool { unsafe pa_stream_get_state(raw) == PA_STREAM_READY }

  /// Whether the server is still making the stream.
  ///
  /// The corresponding C function is `pa_stream_get_state`.
  var isPending: Bool { unsafe pa_stream_get_state(raw) == PA_STREAM_CREATING }

  /// The server's number of the source that is recorded.
  ///
  /// The corresponding C function is `pa_stream_get_device_index`.
  var deviceIndex: UInt32 { unsafe pa_stream_get_device_index(raw) }

  /// The corresponding C function is `pa_stream_get_device_name`.
  var deviceName: String {
    unsafe pa_stream_get_device_name(raw).map { unsafe String(cString: $0) } ?? "another source"
  }
}

/// Owns one `pa_operation`: a question on its way; taken back if it is no longer wanted.
@safe
struct Operation: ~Copyable {
  private let raw: OpaquePointer?

  /// Takes over what a question returned; `nil` is one that could not be sent.
  init(_ raw: OpaquePointer?) { unsafe self.raw = raw }

  deinit {
    // Its callback, and what that would write to, must not outlive the question.
    if isRunning { unsafe pa_operation_cancel(raw) }
    if let raw = unsafe raw { unsafe pa_operation_unref(raw) }
  }

  /// Whether the answer is still to come.
  ///
  /// The corresponding C function is `pa_operation_get_state`.
  var isRunning: Bool {
    guard let raw = unsafe raw else { return false }
    return unsafe pa_operation_get_state(raw) == PA_OPERATION_RUNNING
  }
}
