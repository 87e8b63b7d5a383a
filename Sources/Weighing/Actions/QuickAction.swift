/// A named action with parameters, from `actions` in the configuration or from a list that replaces it at run time.
public struct QuickAction: Hashable, Sendable {
  /// The name in topics and commands: 1 to 64 letters, digits, `_` and `-`; names of built-in actions are reserved.
  public var type: String
  /// The displayed name; by default the type.
  public var title: String
  /// A second line.
  public var subtitle: String?
  /// The name of an icon, `mdi:coffee`.
  public var icon: String?
  /// The built-in action to run.
  public var run: Action
  /// The parameters in their original order: `label` is the label of the weighing, also for `relabel`; the others are
  /// those of the action, see `Action.parameterNames`. `target_g` and `tolerance_g` also set a target after `tare`,
  /// `clear_tare` and `zero`.
  public var userInfo: [Parameter]

  /// The maximum number of quick actions.
  public static let maximumCount = 4
  /// The maximum number of parameters of a quick action.
  public static let maximumParameters = 16
  /// The maximum length of title, subtitle and icon, each in bytes of UTF-8.
  public static let maximumTextBytes = 128
  /// The maximum length of a parameter's text and of a label, in bytes of UTF-8.
  public static let maximumValueBytes = 256
  /// The maximum length of a type, of a parameter's name and of the name of a control, in bytes.
  public static let maximumNameBytes = 64

  /// Makes a quick action.
  public init(
    type: String, title: String, subtitle: String? = nil, icon: String? = nil, run: Action = .commit,
    userInfo: [Parameter] = []
  ) {
    (self.type, self.title, self.subtitle) = (type, title, subtitle)
    (self.icon, self.run, self.userInfo) = (icon, run, userInfo)
  }

  /// The parameter `label`.
  public var label: String? {
    for parameter in userInfo where parameter.name == "label" {
      if case .text(let text) = parameter.value { return text }
    }
    return nil
  }

  /// What its action needs.
  ///
  /// - Throws: `ActionArgumentError`.
  public func parameters() throws(ActionArgumentError) -> ActionArguments {
    try ActionArguments(of: run, from: userInfo)
  }

  /// The target that is set when its action has been performed; `nil` for none.
  ///
  /// - Throws: `ActionArgumentError`.
  public func target() throws(ActionArgumentError) -> Target? {
    switch run {
    case .tare, .clearTare, .zero:
      guard case .target(let target) = try ActionArguments(of: .target, from: userInfo) else { return nil }
      return target
    case .commit, .void, .relabel, .timer, .target, .count, .container, .dose: return nil
    }
  }

  /// Whether a text can be the type of a quick action: 1 to 64 of `A-Z a-z 0-9 _ -`, which are safe in a topic and in a
  /// shell, and not a reserved name.
  public static func isType(_ text: String) -> Bool {
    (1...maximumNameBytes).contains(text.utf8.count) && !isReserved(text) && text.utf8.allSatisfy(isNameByte)
  }

  /// Whether a byte is an ASCII letter, digit, `_` or `-`.
  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Whether a name is reserved: that of a built-in action, `history`, the zone that scrubs through the weighings, or
  /// the commands `actions`, which replaces the list, and `resend`, which publishes records again.
  public static func isReserved(_ text: String) -> Bool {
    Action(rawValue: text) != nil || ["history", "actions", "resend"].contains(text)
  }

  /// One parameter.
  public struct Parameter: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its value.
    public var value: Value

    /// Makes a parameter.
    public init(name: String, value: Value) {
      (self.name, self.value) = (name, value)
    }
  }

  /// The value of a parameter.
  public enum Value: Hashable, Sendable {
    /// Text.
    case text(String)
    /// A finite number.
    case number(Double)
    /// True or false.
    case flag(Bool)
  }
}
