internal import CALSA
private import Glibc
internal import SplitcapCore

extension SplitcapError {
  /// Turns a negative status of libasound into an error that names the device and what to do.
  ///
  /// - Parameters:
  ///   - status: What the C function returned.
  ///   - action: A verb and what goes before the device, such as `open`.
  ///   - device: The name the user gave.
  init(alsa status: Int32, doing action: String, device: String) {
    // Safe on every thread: the texts are constants.
    let reason = unsafe String(cString: snd_strerror(status))
    let message = "cannot \(action) ALSA device '\(device)': \(reason)"
    switch -status {
    case ENOENT where device == "default", ENODEV where device == "default":
      self.init(
        .sourceUnavailable, "ALSA has no default device",
        hint: "choose one of 'splitcap devices' with --device")
    case ENOENT, ENODEV, ENXIO:
      self.init(.sourceUnavailable, message, hint: "list the devices with 'splitcap devices'")
    case EBUSY, EAGAIN:
      self.init(
        .sourceBusy, message,
        hint: "close the program that records from it, or choose another of 'splitcap devices'")
    case ECONNREFUSED:
      self.init(
        .sourceUnavailable, message, hint: "start the sound server that stands behind it")
    case EACCES, EPERM:
      self.init(.permissionDenied, message, hint: "add your user to the group 'audio'")
    case EINVAL:
      self.init(
        .unsupportedFormat, message,
        hint: "it may not record at all; list those that do with 'splitcap devices'")
    default:
      self.init(.backend, message, hint: "see what libasound says with -v")
    }
  }

  /// Turns a negative status of a read from a running device into an error.
  init(alsaReading status: Int32, device: String) {
    switch -status {
    case ENODEV, ENXIO, EBADFD, ESHUTDOWN, EIO:
      let reason = unsafe String(cString: snd_strerror(status))
      self.init(
        .sourceLost, "ALSA device '\(device)' went away: \(reason)",
        hint: "plug it in again; what is there is listed by 'splitcap devices'")
    default:
      self.init(alsa: status, doing: "read from", device: device)
    }
  }
}
