private import Glibc

/// The processors of this machine.
package enum Processors {
  /// How many are in use; at least 1.
  ///
  /// The corresponding C function is `sysconf`.
  package static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
