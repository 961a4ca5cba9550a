internal import CSndFile
private import Glibc
internal import SplitcapCore

/// Owns one `SNDFILE` that is read.
@safe
struct SoundFileReader: ~Copyable, Sendable {
  // A `SNDFILE` may be used from any thread, by one at a time; noncopyable makes sure of that.
  private nonisolated(unsafe) let raw: OpaquePointer
  private let input: InputFile

  /// Opens `input`, and says in `info` what it is.
  ///
  /// The corresponding C function is `sf_open_fd`.
  init(_ input: InputFile, _ info: inout SF_INFO) throws(SoundFileError) {
    let descriptor = input.descriptor.raw
    guard let raw = unsafe sf_open_fd(descriptor, Int32(SFM_READ), &info, Int32(SF_FALSE))
    else { throw SoundFileError.last }
    unsafe self.raw = raw
    self.input = input
  }

  /// Opens `input` without telling libsndfile how long it is.
  ///
  /// The corresponding C function is `sf_open_virtual`.
  init(unsized input: InputFile, _ info: inout SF_INFO) throws(SoundFileError) {
    var calls = unsafe SF_VIRTUAL_IO(
      get_filelen: { _ in sf_count_t.max },
      seek: { offset, whence, user in
        guard whence != SEEK_END else { return -1 }
        return unsafe sf_count_t(lseek(InputFile.behind(user), off_t(offset), whence))
      },
      read: { room, count, user in
        unsafe sf_count_t(Glibc.read(InputFile.behind(user), room, Int(count)))
      },
      write: { _, _, _ in 0 },
      tell: { unsafe sf_count_t(lseek(InputFile.behind($0), 0, SEEK_CUR)) })
    let user = unsafe Unmanaged.passUnretained(input).toOpaque()
    guard let raw = unsafe sf_open_virtual(&calls, Int32(SFM_READ), &info, user)
    else { throw SoundFileError.last }
    unsafe self.raw = raw
    self.input = input
  }

  deinit { unsafe _ = sf_close(raw) }

  /// Reads frames, made 16 bits wide by cutting off or by filling with zeros.
  ///
  /// - Returns: Frames read; 0 at the end.
  ///
  /// The corresponding C function is `sf_readf_short`.
  func read(into buffer: inout MutableSpan<Int16>, frames: Int) -> Int {
    unsafe buffer.withUnsafeMutableBufferPointer {
      unsafe Int(sf_readf_short(raw, $0.baseAddress, sf_count_t(frames)))
    }
  }

  /// Reads frames as floating point, full scale ±1.
  ///
  /// - Returns: Frames read; 0 at the end.
  ///
  /// The corresponding C function is `sf_readf_float`.
  func read(into buffer: inout MutableSpan<Float>, frames: Int) -> Int {
    unsafe buffer.withUnsafeMutableBufferPointer {
      unsafe Int(sf_readf_float(raw, $0.baseAddress, sf_count_t(frames)))
    }
  }

  /// What stopped a read, in libsndfile's words; `nil` if nothing did.
  ///
  /// The corresponding C functions are `sf_error` and `sf_strerror`.
  var error: String? {
    guard unsafe (sf_error(raw) != 0) else { return nil }
    return unsafe SoundFileError.words(sf_strerror(raw))
  }

  /// libsndfile's name of a codec, such as `Signed 24 bit PCM`.
  ///
  /// The corresponding C command is `SFC_GET_FORMAT_INFO`.
  static func codecName(_ format: Int32) -> String {
    var info = unsafe SF_FORMAT_INFO()
    unsafe info.format = format & Int32(SF_FORMAT_SUBMASK)
    let size = unsafe Int32(MemoryLayout<SF_FORMAT_INFO>.size)
    unsafe _ = sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &info, size)
    return unsafe info.name.map { unsafe String(cString: $0) } ?? "unknown"
  }
}

/// Owns one `SNDFILE` that is written.
@safe
struct SoundFileWriter: ~Copyable, Sendable {
  /// `nil` once closed; used as that of a reader is.
  private nonisolated(unsafe) var raw: OpaquePointer?
  // Closing still writes, so what is written to lives as long.
  private let output: EncodedOutput

  /// Starts to encode into `output`.
  ///
  /// The corresponding C function is `sf_open_virtual`.
  init(_ output: EncodedOutput, _ info: inout SF_INFO) throws(SoundFileError) {
    var calls = unsafe SF_VIRTUAL_IO(
      get_filelen: { unsafe sf_count_t(EncodedOutput.behind($0).length) },
      seek: { offset, whence, user in
        let output = unsafe EncodedOutput.behind(user)
        let base =
          switch whence {
          case SEEK_CUR: output.position
          case SEEK_END: output.length
          default: 0
          }
        output.position = base + Int(offset)
        return sf_count_t(output.position)
      },
      read: { _, _, _ in 0 },  // an encoder reads nothing back
      write: { bytes, count, user in
        let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
        return unsafe sf_count_t(EncodedOutput.behind(user).write(piece.bytes))
      },
      tell: { unsafe sf_count_t(EncodedOutput.behind($0).position) })
    let user = unsafe Unmanaged.passUnretained(output).toOpaque()
    guard let raw = unsafe sf_open_virtual(&calls, Int32(SFM_WRITE), &info, user) else {
      throw SoundFileError.last
    }
    unsafe self.raw = raw
    self.output = output
  }

  deinit { if unsafe raw != nil { unsafe _ = sf_close(raw) } }

  /// Encodes what is held back and completes the header; ``EncodedOutput/failure`` says if it failed.
  ///
  /// The corresponding C function is `sf_close`.
  mutating func close() {
    unsafe _ = sf_close(raw)
    unsafe raw = nil
  }

  /// Encodes frames.
  ///
  /// - Returns: Frames encoded; fewer than `frames` after a failure.
  ///
  /// The corresponding C function is `sf_writef_short`.
  func write(_ samples: Span<Int16>, frames: Int) -> Int {
    unsafe samples.withUnsafeBufferPointer {
      unsafe Int(sf_writef_short(raw, $0.baseAddress, sf_count_t(frames)))
    }
  }

  /// Encodes frames of 32-bit samples.
  ///
  /// - Returns: Frames encoded; fewer than `frames` after a failure.
  ///
  /// The corresponding C function is `sf_writef_int`.
  func write(_ samples: Span<Int32>, frames: Int) -> Int {
    unsafe samples.withUnsafeBufferPointer {
      unsafe Int(sf_writef_int(raw, $0.baseAddress, sf_count_t(frames)))
    }
  }

  /// Sets how well a codec is to sound, from 0 to 1; before anything is written.
  ///
  /// The corresponding C command is `SFC_SET_VBR_ENCODING_QUALITY`.
  func setQuality(_ quality: Double) {
    var quality = quality
    let size = Int32(MemoryLayout<Double>.size)
    unsafe _ = sf_command(raw, Int32(SFC_SET_VBR_ENCODING_QUALITY), &quality, size)
  }

  /// Sets how much sound may be held back until an Ogg page is written; for Opus, before anything is
  /// written.
  ///
  /// The corresponding C command is `SFC_SET_OGG_PAGE_LATENCY_MS`.
  func setPageLatency(milliseconds: Double) {
    var latency = milliseconds
    let size = Int32(MemoryLayout<Double>.size)
    unsafe _ = sf_command(raw, Int32(SFC_SET_OGG_PAGE_LATENCY_MS), &latency, size)
  }

  /// Writes the header for what has been written so far.
  ///
  /// The corresponding C command is `SFC_UPDATE_HEADER_NOW`.
  func updateHeader() { unsafe _ = sf_command(raw, Int32(SFC_UPDATE_HEADER_NOW), nil, 0) }

  /// libsndfile's words for what went wrong last.
  ///
  /// The corresponding C function is `sf_strerror`.
  var errorText: String { unsafe SoundFileError.words(sf_strerror(raw)) }
}

/// A file that libsndfile reads.
final class InputFile: Sendable {
  let descriptor: Descriptor

  init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// The descriptor of the object that libsndfile hands back to a call.
  fileprivate static func behind(_ user: UnsafeMutableRawPointer?) -> Int32 {
    unsafe Unmanaged<InputFile>.fromOpaque(user!).takeUnretainedValue().descriptor.raw
  }
}

extension EncodedOutput {
  /// The object that libsndfile hands back to a call.
  fileprivate static func behind(_ user: UnsafeMutableRawPointer?) -> EncodedOutput {
    unsafe Unmanaged<EncodedOutput>.fromOpaque(user!).takeUnretainedValue()
  }
}

/// libsndfile's reason not to open something.
struct SoundFileError: Error {
  /// Its words, made part of a sentence.
  let text: String

  /// The last open's reason.
  ///
  /// The corresponding C function is `sf_strerror`.
  static var last: SoundFileError { unsafe SoundFileError(text: words(sf_strerror(nil))) }

  /// The words without the prefix and the full stop that some of them have.
  static func words(_ text: UnsafePointer<CChar>?) -> String {
    guard let text = unsafe text else { return "unknown error" }
    var words = unsafe String(cString: text)
    // Said of an MP3 file without a frame; that it exists is known, since it is open already.
    if words.hasPrefix("File does not exist") { return "nothing in it can be decoded" }
    for prefix in ["Error : ", "System error : "] where words.hasPrefix(prefix) {
      words.removeFirst(prefix.count)
    }
    while words.hasSuffix(".") { words.removeLast() }
    return words
  }
}
