/// The text of a barcode or RFID tag: one line of 1 to 128 characters and at most 256 bytes, not blank, without control
/// characters.
public struct ScannedCode: Hashable, Sendable {
  /// The text.
  public let text: String

  /// The maximum number of characters. Code 128 and GS1-128 hold at most 48, a tag with an address of the Web about 100; a
  /// longer one is mostly text that somebody types.
  public static let maximumCharacters = 128

  /// Makes a code; `nil` for a text that cannot be one.
  public init?(_ text: String) {
    guard (1...Self.maximumCharacters).contains(text.count), text.utf8.count <= QuickAction.maximumValueBytes,
      !text.allSatisfy(\.isWhitespace),
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    self.text = text
  }
}

/// What a code stands for (an entry of `codes`).
public struct CodeMeaning: Hashable, Sendable {
  /// The code.
  public var code: ScannedCode
  /// The label of the next weighing; `nil` if the code only sets a container or a target.
  public var label: String?
  /// The container whose tare is set.
  public var container: ContainerName?
  /// The target that is set.
  public var target: Grams?

  /// The maximum number of codes in the configuration.
  public static let maximumCount = 1000

  /// Makes a meaning.
  public init(code: ScannedCode, label: String? = nil, container: ContainerName? = nil, target: Grams? = nil) {
    (self.code, self.label, self.container, self.target) = (code, label, container, target)
  }
}
