/// A named action with parameters: an item of `actions` in the configuration, or of a list that replaces it at run time.
public struct QuickAction: Hashable, Sendable {
  /// Its name in topics and commands: 1...64 letters, digits, `_` and `-`, none of the built-in actions.
  public var type: String
  /// What people read; the type unless given.
  public var title: String
  /// A second line.
  public var subtitle: String?
  /// The name of an icon, `mdi:coffee`.
  public var icon: String?
  /// The action it stands for.
  public var run: Action
  /// The parameters, in the order in which they were given; `label` is what a weighing is labelled with, also by `relabel`.
  public var userInfo: [Parameter]

  /// Maximum number of quick actions.
  public static let maximumCount = 4
  /// Maximum number of parameters of a quick action.
  public static let maximumParameters = 16
  /// Maximum size of title, subtitle and icon in bytes.
  public static let maximumTextBytes = 128
  /// Maximum size of the text of a parameter in bytes.
  public static let maximumValueBytes = 256
  /// Maximum size of a type and of the name of a parameter in bytes.
  public static let maximumNameBytes = 64

  /// Makes a quick action.
  public init(
    type: String, title: String, subtitle: String? = nil, icon: String? = nil, run: Action = .commit,
    userInfo: [Parameter] = []
  ) {
    self.type = type
    self.title = title
    self.subtitle = subtitle
    self.icon = icon
    self.run = run
    self.userInfo = userInfo
  }

  /// The parameter `label`.
  public var label: String? {
    for parameter in userInfo where parameter.name == "label" {
      if case .text(let text) = parameter.value { return text }
    }
    return nil
  }

  /// Whether a text can be the type of a quick action: 1...64 of `A-Z a-z 0-9 _ -`, which is safe in a topic and in a shell,
  /// and none of the built-in actions nor `actions`, the command that replaces the list.
  public static func isType(_ text: String) -> Bool {
    (1...maximumNameBytes).contains(text.utf8.count) && !isReserved(text)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// Whether a text is a built-in action, or `actions`, the command that replaces the list.
  public static func isReserved(_ text: String) -> Bool { Action(rawValue: text) != nil || text == "actions" }

  /// One parameter.
  public struct Parameter: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its value.
    public var value: Value

    /// Makes a parameter.
    public init(name: String, value: Value) {
      self.name = name
      self.value = value
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
