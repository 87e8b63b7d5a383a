import EventLoop

/// Lets a file with duplicate keys be read to its end.
///
/// Yams stops at the first mapping that has a key twice and says only where the key stands first. So this one is given
/// another first letter, one that nobody uses, and the file is read again; at the end every place is known and all
/// keys have their names back.
struct DuplicateKeys {
  /// The text with the keys renamed.
  var text: String { String(String.UnicodeScalarView(scalars)) }
  /// The true names of the renamed keys.
  private(set) var names: [SourcePosition: String] = [:]

  private var scalars: [Unicode.Scalar]

  /// More are not told apart from one another; in a large file fewer, since each costs a reading of the whole file.
  private static let most = (keys: 64, scalarsRead: 1 << 20)

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// Renames the key at a place; false when there is no more to be done.
  mutating func rename(_ name: String, at place: SourcePosition) -> Bool {
    // The private use area of plane 15, which is printable to libyaml and typed by nobody.
    guard names.count < Self.most.keys, names.count * scalars.count < Self.most.scalarsRead, names[place] == nil,
      var index = YAMLText.index(of: place, in: scalars),
      let letter = Unicode.Scalar(0xf0000 + UInt32(names.count))
    else { return false }
    if scalars[index] == "\"" || scalars[index] == "'" { index += 1 }
    guard scalars.indices.contains(index), !["\"", "'", "\n"].contains(scalars[index]) else { return false }
    scalars[index] = letter
    names[place] = name
    return true
  }
}
