/// The name of a container: one line of 1 to 32 bytes in UTF-8, not blank, without control characters.
///
/// The bytes are stored in place, so that a reading with a name in it is copied without counting references.
public struct ContainerName: Hashable, Sendable, CustomStringConvertible {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  /// The maximum length in UTF-8: that of the four words.
  public static let maximumBytes = 32

  /// Makes a name; `nil` for a text that cannot be one.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (1...Self.maximumBytes).contains(bytes.count), !text.allSatisfy(\.isWhitespace),
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
  }

  /// The text.
  public var description: String {
    // A name contains no NUL: it is a control character.
    withUnsafeBytes(of: words) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Whether both are the same bytes.
  public static func == (a: ContainerName, b: ContainerName) -> Bool { a.words == b.words }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { withUnsafeBytes(of: words) { hasher.combine(bytes: $0) } }
}

/// A container whose tare is known.
public struct Container: Hashable, Sendable {
  /// The maximum number of containers that are stored on the scale.
  public static let maximumStored = 64

  /// The name.
  public var name: ContainerName
  /// The mass of the empty container, unrounded.
  public var tare: Grams
  /// Whether it is one of the configuration, which cannot be removed on the scale.
  public var isConfigured: Bool

  /// Makes a container.
  public init(name: ContainerName, tare: Grams, isConfigured: Bool = false) {
    (self.name, self.tare, self.isConfigured) = (name, tare, isConfigured)
  }
}
