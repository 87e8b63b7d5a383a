/// The name of a control: 1 to 64 of `A-Z a-z 0-9 _ -`, which are safe as a level of a topic and as an object id in Home
/// Assistant.
public struct ControlName: Hashable, Sendable, CustomStringConvertible {
  /// The name.
  public let description: String

  /// The maximum length in bytes.
  public static let maximumBytes = QuickAction.maximumNameBytes

  /// Makes a name; `nil` for a text that cannot be one.
  public init?(_ text: String) {
    guard (1...Self.maximumBytes).contains(text.utf8.count), text.utf8.allSatisfy(QuickAction.isNameByte) else {
      return nil
    }
    description = text
  }
}
