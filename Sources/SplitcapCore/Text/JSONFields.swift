/// The plain fields of one JSON object (RFC 8259), such as a line of JSON Lines.
///
/// It is strict: text that is not JSON, more behind the object, a key twice, or broken UTF-8 is
/// refused. Fields of objects inside are named by the keys that lead there, in an array by the
/// number from 0; plain values in arrays are checked and left out. Bytes come from strangers: what
/// they can cost is bounded by their number, and no nesting is deeper than ``depthLimit``.
package struct JSONFields: Sendable, Equatable {
  /// A value that holds no others.
  package enum Value: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number without fraction or exponent that fits.
    case integer(Int)
    /// Any other number.
    case number(Double)
    case string(String)
  }

  /// Why bytes are no JSON object.
  package struct Failure: Error, Equatable {
    /// What was wrong, such as "a value is missing".
    package let reason: String
    /// How many bytes were read before.
    package let offset: Int
  }

  /// How deep arrays and objects may stand in each other.
  package static let depthLimit = 32

  typealias Fields = [[String]: Value]

  private var fields: Fields = [:]

  /// Reads an object.
  ///
  /// - Complexity: O(*n*) in bytes.
  package init(_ bytes: [UInt8]) throws(Failure) {
    var reader = JSONReader(bytes)
    reader.skipSpace()
    guard reader.next == UInt8(ascii: "{") else { throw reader.failure("it is no object") }
    try reader.object(at: [], into: &fields)
    reader.skipSpace()
    guard reader.next == nil else { throw reader.failure("something follows the object") }
  }

  /// The value of a key, or of keys that lead into objects; `nil` if there is none, or if it is an
  /// array or an object.
  package subscript(keys: String...) -> Value? { fields[keys] }

  /// The text of a key.
  package func text(_ keys: String...) -> String? {
    if case .string(let text) = fields[keys] { text } else { nil }
  }

  /// The whole number of a key.
  package func integer(_ keys: String...) -> Int? {
    if case .integer(let number) = fields[keys] { number } else { nil }
  }
}
