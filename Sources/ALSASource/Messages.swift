private import CALSA
private import Synchronization

/// What libasound says by itself, which it would print in the middle of a user's terminal.
public enum ALSAMessages {
  /// Texts since the last ``take()``, the oldest first.
  private static let texts = Mutex<[String]>([])

  /// How many texts are kept; of more, the first ones, which name the cause.
  private static let limit = 64

  /// Hands out the messages that came since the last call, the oldest first, at most 64.
  ///
  /// Any thread.
  public static func take() -> [String] {
    texts.withLock { texts in
      defer { texts.removeAll() }
      return texts
    }
  }

  /// Makes libasound hand its messages over instead of printing them.
  ///
  /// To call it again does no harm. The corresponding C function is `snd_lib_error_set_handler`.
  static func collect() { splitcap_alsa_take_messages() }

  fileprivate static func add(_ text: String) {
    texts.withLock { texts in
      if texts.count < limit { texts.append(text) }
    }
  }
}

/// Called by libasound, by way of the shim, on whichever thread it finds something wrong.
@c @implementation
func splitcap_alsa_message(_ text: UnsafePointer<CChar>) {
  ALSAMessages.add(unsafe String(cString: text))
}
