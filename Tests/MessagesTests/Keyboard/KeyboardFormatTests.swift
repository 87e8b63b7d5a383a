import Messages
import Testing

@testable import Weighing

/// The text that is typed for a weighing.
@Suite struct KeyboardFormatTests {
  private static func record(net: Int, division: Double = 0.1, label: String? = nil) -> RecordedWeighing {
    let division = Division(Grams(division)) ?? .gram
    func mass(_ steps: Int) -> DisplayedMass { DisplayedMass(steps: steps, division: division) }
    var record = Sample.record
    record.measurement = Measurement(
      gross: mass(net + 20), tare: mass(20), net: mass(net), uncertainty: Grams(0.0712), calibration: .user)
    (record.sequence, record.label) = (7, label)
    return record
  }

  /// What a computer with this layout reads.
  private static func read(_ typing: KeyboardFormat.Typing, _ layout: KeyboardLayout) -> String {
    var characters: [KeyStroke: Character] = [:]
    for (character, strokes) in XKBTable.strokes(layout) { for stroke in strokes { characters[stroke] = character } }
    for character in "\n\t " { layout.stroke(for: character).map { characters[$0] = character } }
    return String(typing.strokes.map { characters[$0] ?? "�" })
  }

  @Test(arguments: KeyboardLayout.allCases)
  func typesTheNetAndEnter(_ layout: KeyboardLayout) {
    for (net, text) in [(735, "73.5\n"), (0, "0.0\n"), (-123, "-12.3\n"), (1_360_000, "136000.0\n")] {
      #expect(Self.read(KeyboardFormat.standard.typing(Self.record(net: net), on: layout), layout) == text)
    }
  }

  @Test(arguments: [
    ("{net_g:,}\t{label}\n", "73,5\tbeans\n"), ("{{{net_g}}}", "{73.5}"),
    ("{sequence};{gross_g} - {tare_g}", "7;75.5 - 2.0"),
    ("+- {uncertainty_g:,} g", "+- 0,071 g"), ("{pieces}|{source}|{calibration}", "|pad|user"), ("net", "net"),
  ])
  func typesFields(_ format: String, _ text: String) throws {
    var record = Self.record(net: 735, label: "beans")
    record.source = .pad
    for layout in KeyboardLayout.allCases {
      let typing = try KeyboardFormat(format).typing(record, on: layout)
      #expect(Self.read(typing, layout) == text)
      #expect(typing.replaced == 0)
    }
  }

  @Test func typesTimeAndIdAsTheyArePublished() throws {
    let record = Self.record(net: 1)
    let typing = try KeyboardFormat("{time} {id}").typing(record, on: .de)
    #expect(Self.read(typing, .de) == "\(WallClock.recorded.text(record.time)) \(record.id)")
  }

  @Test(arguments: [
    (KeyboardLayout.us, "Bohnen für 5 €", "Bohnen f?r 5 ?", 2), (.de, "Bohnen für 5 €", "Bohnen für 5 €", 0),
    (.fr, "café 日本\n{x}\t", "café ???{x}?", 4), (.de, "a\r\nb\u{1b}", "a?b?", 2), (.us, "", "", 0),
  ])
  func replacesWhatTheLayoutLacks(_ layout: KeyboardLayout, _ label: String, _ text: String, _ replaced: Int) throws {
    let typing = try KeyboardFormat("{label}").typing(Self.record(net: 1, label: label), on: layout)
    #expect(Self.read(typing, layout) == text)
    #expect(typing.replaced == replaced)
  }

  /// A composed letter and a letter with a combining mark are the same character.
  @Test func typesADecomposedLetter() throws {
    let typing = try KeyboardFormat("{label}").typing(Self.record(net: 1, label: "cafe\u{301}"), on: .fr)
    #expect(Self.read(typing, .fr) == "café")
  }

  @Test(
    arguments: [
      ("", .empty), ("{net_g", .unclosed), ("net_g}", .unopened), ("{}", .unknownField("")),
      ("{net}", .unknownField("net")),
      ("{label:,}", .commaWithoutDecimals(.label)), ("{net_g:.}", .unknownField("net_g:.")),
      ("{ net_g }", .unknownField(" net_g ")),
      (String(repeating: "x", count: 257), .tooLong(257)), (String(repeating: "{id}", count: 17), .tooManyFields(17)),
    ] as [(String, KeyboardFormatError)])
  func refuses(_ text: String, _ error: KeyboardFormatError) {
    #expect(throws: error) { try KeyboardFormat(text) }
  }

  @Test(arguments: [
    (KeyboardLayout.us, "{net_g} €", "€" as Character?), (.de, "{net_g} €", nil), (.de, "^{net_g}", "^"),
    (.us, "{net_g}\r\n", "\r\n"), (.fr, "{net_g} ~", "~"), (.us, "{net_g}\n", nil),
  ])
  func namesACharacterThatTheLayoutLacks(_ layout: KeyboardLayout, _ text: String, _ missing: Character?) throws {
    #expect(try KeyboardFormat(text).characterMissing(from: layout) == missing)
  }
}
