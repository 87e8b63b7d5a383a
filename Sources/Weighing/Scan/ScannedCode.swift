/// The text of a barcode or RFID tag: one line of 1 to 128 characters and at most 256 bytes, not blank, without control
/// characters.
public struct ScannedCode: Hashable, Sendable {
  /// The text.
  public let text: String

  /// The maximum number of characters. Chosen: linear codes hold up to 48, an address on the Web about 100. When it is
  /// larger, text that is typed counts as a code; when it is smaller, long matrix codes are dropped.
  public static let maximumCharacters = 128

  /// Makes a code; `nil` for a text that cannot be one.
  public init?(_ text: String) {
    guard (1...Self.maximumCharacters).contains(text.count), text.utf8.count <= QuickAction.maximumValueBytes,
      !text.allSatisfy(\.isWhitespace), !text.contains(where: \.isControl)
    else { return nil }
    self.text = text
  }
}

extension Character {
  /// Whether a control character is in it.
  var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}

/// The meaning of a code (an entry of `codes`).
public struct CodeMeaning: Hashable, Sendable {
  /// The code.
  public var code: ScannedCode
  /// The label of the next weighing; `nil` if the code only sets a tare or a target.
  public var label: String?
  /// The container whose tare is set.
  public var container: ContainerName?
  /// The target that is set; above 0.
  public var target: Grams?

  /// The meaning in a word or two, for people.
  package var summary: String { label ?? container?.description ?? code.text }

  /// The maximum number of codes in the configuration.
  public static let maximumCount = 1000

  /// Makes a meaning.
  public init(code: ScannedCode, label: String? = nil, container: ContainerName? = nil, target: Grams? = nil) {
    (self.code, self.label, self.container, self.target) = (code, label, container, target)
  }
}

extension ScaleSettings.Scanning {
  /// The meaning of a code; one that is not listed is a label.
  func meaning(of code: ScannedCode) -> CodeMeaning {
    codes.first { $0.code == code } ?? CodeMeaning(code: code, label: code.text)
  }
}
