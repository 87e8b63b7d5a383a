/// The name of a container: one line of 1 to 64 characters (Unicode scalars), not blank, without control characters.
///
/// Copying a name allocates nothing.
public struct ContainerName: Hashable, Sendable, CustomStringConvertible {
  /// The maximum number of Unicode scalars, as `maxLength` of a JSON schema counts them. Required.
  public static let maximumLength = 64

  private let text: String

  /// Makes a name; `nil` for a text that cannot be one.
  public init?(_ text: String) {
    // The bytes first: they are counted at once, and a scalar has four of them at most.
    guard text.utf8.count <= 4 * Self.maximumLength, (1...Self.maximumLength).contains(text.unicodeScalars.count),
      !text.allSatisfy(\.isWhitespace),
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    self.text = text
  }

  /// The text.
  public var description: String { text }

  /// Whether both are the same bytes, as in the journal; a `String` would also equal its other normal forms.
  public static func == (a: ContainerName, b: ContainerName) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    // No name contains this byte.
    hasher.combine(UInt8(0xff))
  }
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
    self.name = name
    self.tare = tare
    self.isConfigured = isConfigured
  }
}
