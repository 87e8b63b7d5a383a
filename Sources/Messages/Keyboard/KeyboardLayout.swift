import Weighing

/// One press of a key, with the modifiers that are held meanwhile.
public struct KeyStroke: Hashable, Sendable {
  /// The modifiers that the layouts use.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The left Shift key.
    public static let shift = Modifiers(rawValue: 1)
    /// The right Alt key.
    public static let altGr = Modifiers(rawValue: 2)

    /// The keys in the order in which they are pressed.
    public var keys: [KeyCode] {
      (contains(.shift) ? [KeyCode(rawValue: 42)] : []) + (contains(.altGr) ? [KeyCode(rawValue: 100)] : [])
    }
  }

  /// The key.
  public var key: KeyCode
  /// The modifiers.
  public var modifiers: Modifiers = []
}

/// The layout that the computer assumes for a keyboard: which character a key stands for.
///
/// The tables have only characters that one key types at once, with the same key and modifiers in xkeyboard-config and in
/// Windows: no dead keys, and nothing that only one of the two has.
public enum KeyboardLayout: String, Hashable, Sendable, CaseIterable {
  /// English, United States.
  case us
  /// German.
  case de
  /// French (AZERTY).
  case fr

  /// The press that types a character; `nil` if the layout has none.
  ///
  /// A line feed is Enter and a tab is Tab.
  public func stroke(for character: Character) -> KeyStroke? { strokes[character] }

  /// All characters that can be typed, with their presses.
  public var strokes: [Character: KeyStroke] {
    switch self {
    case .us: Self.english
    case .de: Self.german
    case .fr: Self.french
    }
  }

  /// The keys of the tables, row by row; the numbers are those of linux/input-event-codes.h.
  private static let rows: [[UInt16]] = [
    // KEY_GRAVE, KEY_1 ... KEY_EQUAL
    [41] + Array(2...13),
    // KEY_Q ... KEY_RIGHTBRACE
    Array(16...27),
    // KEY_A ... KEY_APOSTROPHE, KEY_BACKSLASH
    Array(30...40) + [43],
    // KEY_102ND, KEY_Z ... KEY_SLASH
    [86] + Array(44...53),
  ]

  /// The keys that are the same in all layouts.
  private static let common: [Character: KeyStroke] = [
    "\n": KeyStroke(key: KeyCode(rawValue: 28)), "\t": KeyStroke(key: KeyCode(rawValue: 15)),
    " ": KeyStroke(key: KeyCode(rawValue: 57)),
  ]

  private static let english = table(
    ["`1234567890-=", "qwertyuiop[]", "asdfghjkl;'\\", " zxcvbnm,./"],
    shift: ["~!@#$%^&*()_+", "QWERTYUIOP{}", "ASDFGHJKL:\"|", " ZXCVBNM<>?"])

  private static let german = table(
    [" 1234567890ß ", "qwertzuiopü+", "asdfghjklöä#", "<yxcvbnm,.-"],
    shift: ["°!\"§$%&/()=? ", "QWERTZUIOPÜ*", "ASDFGHJKLÖÄ'", ">YXCVBNM;:_"],
    altGr: ["  ²³   {[]}\\ ", "@ €        ~", "            ", "|      µ   "])

  private static let french = table(
    ["²&é\"'(-è_çà)=", "azertyuiop $", "qsdfghjklmù*", "<wxcvbn,;:!"],
    shift: [" 1234567890°+", "AZERTYUIOP £", "QSDFGHJKLM%µ", ">WXCVBN?./§"],
    altGr: ["   #{[| \\^@]}", "  €        ¤", "            ", "           "])

  /// Makes a table from rows of characters in the order of `rows`; a space stands for no character.
  private static func table(
    _ plain: [String], shift: [String], altGr: [String] = []
  ) -> [Character: KeyStroke] {
    var table = common
    for (modifiers, level) in [(KeyStroke.Modifiers(), plain), (.shift, shift), (.altGr, altGr)] {
      for (row, keys) in zip(level, rows) {
        for (character, key) in zip(row, keys) where character != " " {
          table[character] = KeyStroke(key: KeyCode(rawValue: key), modifiers: modifiers)
        }
      }
    }
    return table
  }
}
