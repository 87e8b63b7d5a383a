import Languages
import Messages
import Weighing

extension Configuration {
  /// Typing the weighings as a keyboard (`keyboard`), off by default.
  package struct Keyboard: Hashable, Sendable {
    /// Whether each confirmed weighing is typed.
    package var isEnabled = false
    /// The layout that the computer assumes for the keyboard.
    package var layout = KeyboardLayout.us
    /// The text for a weighing.
    package var format = KeyboardFormat.standard

    /// All defaults.
    package init() {}
  }
}

extension Configuration.Keyboard: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key(
      "enabled", \.isEnabled, .flag, effect: .restart,
      "Type each confirmed weighing into the program that has the keyboard focus on this machine. Requires /dev/uinput; the "
        + "service may open it only if you allow it.")
    Key(
      "layout", \.layout, .oneOf(KeyboardLayout.self), example: .de,
      "Keyboard layout of this machine's desktop or console. With a different layout set there, wrong characters appear."
    )
    Key(
      "format", \.format, .keyboardFormat,
      "What to type. Fields: \(KeyboardFormat.Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")), as in the "
        + "payload of weighing; {net_g:,} has a decimal comma. \\n is Enter and \\t is Tab, in double quotes; {{ and }} are "
        + "braces. The layout must have every character.")
  }

  func check(_ section: inout SectionReader) {
    guard let missing = format.characterMissing(from: layout) else { return }
    section.report(
      section.isGiven("format") ? "format" : "layout",
      missing.isNewline ? .configNoKeyForNewline : .configNoKeyFor,
      ["layout": layout.rawValue, "character": String(missing).debugDescription])
  }
}

extension ValueRule<KeyboardFormat> {
  /// A regular expression for the text.
  private static var pattern: String {
    let fields = KeyboardFormat.Field.allCases.map { $0.rawValue + ($0.hasDecimals ? "(:,)?" : "") }
    return #"^([^{}]|\{\{|\}\}|\{("# + fields.joined(separator: "|") + #")\})*$"#
  }

  /// A text with fields.
  fileprivate static var keyboardFormat: Self {
    ValueRule(
      "a text of 1 to \(KeyboardFormat.maximumBytes) bytes with fields",
      schema: [
        "type": "string", "minLength": 1, "maxLength": .integer(KeyboardFormat.maximumBytes), "pattern": .text(pattern),
      ],
      output: { .text($0.text) }
    ) { node, reporter in
      guard case .text(let text) = node.scalar else {
        let isMapping = if case .mapping = node.content { true } else { false }
        return reporter.reportUnexpected(
          node, expected: Sentence(.acceptsString),
          suggestion: isMapping ? "\(KeyboardFormat.standard.text.debugDescription), in double quotes" : nil)
      }
      do throws(KeyboardFormatError) {
        return try KeyboardFormat(text)
      } catch {
        var meant: String?
        if case .unknownField(let name) = error {
          meant = closest(to: name, in: KeyboardFormat.Field.allCases.map(\.rawValue)).map { "{\($0)}" }
        }
        return reporter.report(error.sentence, at: node.position, suggestion: meant)
      }
    }
  }
}

extension KeyboardFormatError {
  /// What is wrong, and what to do.
  fileprivate var sentence: Sentence {
    switch self {
    case .empty: Sentence(.configEmpty)
    case .tooLong(let bytes): Sentence(.configTooLong, ["count": bytes, "maximum": KeyboardFormat.maximumBytes])
    case .tooManyFields(let count):
      Sentence(.configManyFields, ["count": count, "limit": KeyboardFormat.maximumFields])
    case .unclosed: Sentence(.configFieldUnclosed, ["open": "{", "close": "}", "escaped": "{{"])
    case .unopened: Sentence(.configFieldUnopened, ["close": "}", "escaped": "}}"])
    case .unknownField(let name):
      Sentence(
        .configUnknownField,
        [
          "name": name.debugDescription,
          "fields": KeyboardFormat.Field.allCases.map(\.rawValue).joined(separator: ", "),
        ])
    case .commaWithoutDecimals(let field): Sentence(.configFieldComma, ["field": field.rawValue, "comma": ":,"])
    }
  }
}
