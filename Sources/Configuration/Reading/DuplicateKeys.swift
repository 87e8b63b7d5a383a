/// Allows a file with duplicate keys to be read to its end.
///
/// Yams stops at the first mapping with a duplicate key and reports only the position of the first occurrence. That
/// occurrence is therefore renamed with an unused first letter, and the file is read again. In the end, all positions are
/// known and all keys get their names back.
struct DuplicateKeys {
  /// The text with the keys renamed.
  var text: String { String(String.UnicodeScalarView(scalars)) }
  /// The original names of the renamed keys.
  private(set) var names: [SourcePosition: String] = [:]

  private var scalars: [Unicode.Scalar]

  /// The maximum number of renamed keys; less for a large file, since each one requires reading the whole file again.
  private static let limits = (keys: 64, scalarsRead: 1 << 20)

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// Renames the key at a position; false if the maximum is reached.
  mutating func rename(_ name: String, at position: SourcePosition) -> Bool {
    // A private use character of plane 15: printable for libyaml, and not found in real files.
    guard names.count < Self.limits.keys, names.count * scalars.count < Self.limits.scalarsRead, names[position] == nil,
      var index = YAMLText.index(of: position, in: scalars),
      let letter = Unicode.Scalar(0xf0000 + UInt32(names.count))
    else { return false }
    if scalars[index] == "\"" || scalars[index] == "'" { index += 1 }
    guard scalars.indices.contains(index), !["\"", "'", "\n"].contains(scalars[index]) else { return false }
    scalars[index] = letter
    names[position] = name
    return true
  }
}
