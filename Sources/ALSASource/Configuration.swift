internal import CALSA
private import Glibc
internal import SplitcapCore

/// Owns a copy of ALSA's configuration, to which PCMs can be added without touching the user's.
///
/// The corresponding C type is `snd_config_t`.
@safe
struct Configuration: ~Copyable, Sendable {
  // Used by one thread at a time; noncopyable makes sure of that.
  nonisolated(unsafe) let raw: OpaquePointer

  /// Copies a tree.
  ///
  /// The corresponding C function is `snd_config_copy`.
  private init(copying tree: OpaquePointer) throws(SplitcapError) {
    var raw: OpaquePointer?
    let status = unsafe snd_config_copy(&raw, tree)
    guard status >= 0, let raw = unsafe raw else {
      throw Configuration.unreadable(status)
    }
    unsafe self.raw = raw
  }

  /// Takes over a node.
  private init(adopting raw: OpaquePointer) { unsafe self.raw = raw }

  /// The corresponding C function is `snd_config_delete`.
  deinit { unsafe _ = snd_config_delete(raw) }

  /// Reads the configuration files, if they have changed, and copies what they say.
  ///
  /// The corresponding C function is `snd_config_update_ref`.
  static func current() throws(SplitcapError) -> Configuration {
    var top: OpaquePointer?
    let status = unsafe snd_config_update_ref(&top)
    guard status >= 0, let top = unsafe top else { throw unreadable(status) }
    defer { unsafe snd_config_unref(top) }
    return try unsafe Configuration(copying: top)
  }

  /// The definition of a name, arguments filled in, or `nil` if there is none.
  ///
  /// The corresponding C function is `snd_config_search_definition`.
  func definition(of name: String, base: String = "pcm") -> Configuration? {
    var node: OpaquePointer?
    guard unsafe snd_config_search_definition(raw, base, name, &node) >= 0,
      let node = unsafe node
    else { return nil }
    return unsafe Configuration(adopting: node)
  }

  /// A copy of the node at `path`, such as `slave.pcm`, or `nil` if there is none.
  ///
  /// The corresponding C function is `snd_config_search`.
  func node(at path: String) -> Configuration? {
    var node: OpaquePointer?
    guard unsafe snd_config_search(raw, path, &node) >= 0, let node = unsafe node else {
      return nil
    }
    return try? unsafe Configuration(copying: node)
  }

  /// The text of this node, or `nil` if it is not a text.
  ///
  /// The corresponding C function is `snd_config_get_string`.
  var text: String? {
    var text: UnsafePointer<CChar>?
    guard unsafe snd_config_get_string(raw, &text) >= 0, let text = unsafe text else {
      return nil
    }
    return unsafe String(cString: text)
  }

  /// The text of the node at `path`, or `nil` if there is none.
  func text(at path: String) -> String? { node(at: path)?.text }

  /// Names of the nodes at `path`.
  func names(at path: String) -> [String] {
    var node: OpaquePointer?
    guard unsafe snd_config_search(raw, path, &node) >= 0, let node = unsafe node,
      unsafe snd_config_get_type(node) == SND_CONFIG_TYPE_COMPOUND
    else { return [] }
    var names: [String] = []
    var place = unsafe snd_config_iterator_first(node)
    let end = unsafe snd_config_iterator_end(node)
    while unsafe place != end {
      var id: UnsafePointer<CChar>?
      if unsafe snd_config_get_id(snd_config_iterator_entry(place), &id) >= 0,
        let id = unsafe id
      {
        names.append(unsafe String(cString: id))
      }
      unsafe place = snd_config_iterator_next(place)
    }
    return names
  }

  /// Adds what `text` says, in the language of `asound.conf`.
  ///
  /// The corresponding C function is `snd_config_load`.
  func add(_ text: String) throws(SplitcapError) {
    var input: OpaquePointer?
    var status = unsafe snd_input_buffer_open(&input, text, text.utf8.count)
    if status >= 0, let input = unsafe input {
      status = unsafe snd_config_load(raw, input)
      unsafe _ = snd_input_close(input)
    }
    guard status >= 0 else { throw Configuration.unreadable(status) }
  }

  /// Adds `definition` as the PCM `name`, in place of one of that name.
  ///
  /// The corresponding C function is `snd_config_add`.
  func add(_ definition: consuming Configuration, asPCM name: String) throws(SplitcapError) {
    var pcms: OpaquePointer?
    var status = unsafe snd_config_search(raw, "pcm", &pcms)
    guard status >= 0, let pcms = unsafe pcms else { throw Configuration.unreadable(status) }
    var old: OpaquePointer?
    if unsafe snd_config_search(pcms, name, &old) >= 0, let old = unsafe old {
      unsafe _ = snd_config_delete(old)
    }
    let node = unsafe definition.release()
    status = unsafe snd_config_set_id(node, name)
    if status >= 0 { status = unsafe snd_config_add(pcms, node) }
    guard status >= 0 else {
      unsafe _ = snd_config_delete(node)
      throw Configuration.unreadable(status)
    }
  }

  /// Gives up the node without deleting it.
  private consuming func release() -> OpaquePointer {
    let raw = unsafe self.raw
    discard self
    return unsafe raw
  }

  private static func unreadable(_ status: Int32) -> SplitcapError {
    SplitcapError(
      .backend,
      "cannot read ALSA's configuration: \(unsafe String(cString: snd_strerror(status)))",
      hint: "look into ~/.asoundrc and /etc/asound.conf; 'arecord -L' must work")
  }
}
