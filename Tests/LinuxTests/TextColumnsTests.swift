import Glibc
import Testing

@testable import Linux

/// The columns that a text occupies in a terminal.
@Suite struct TextColumnsTests {
  @Test(arguments: [
    ("stable", 6), ("Überlast", 8), ("過負荷", 6), ("皮重：12 g", 10), ("u\u{308}ber", 4), ("한국어", 6), ("☕ tea", 6),
    ("● 安定", 6), ("ﾊﾟｯﾄﾞ", 5), ("a\u{200b}b", 2), ("🇩🇪", 2), ("", 0),
  ])
  func widthIsThatOfATerminal(_ text: String, _ columns: Int) { #expect(TextColumns.width(text) == columns) }

  /// Every character of the scripts that the texts are written in, and of those that labels may be written in.
  @Test func widthsAreThoseOfTheSystem() throws {
    // glibc's header declares it only with _XOPEN_SOURCE. wcwidth(3)
    typealias Width = @convention(c) (wchar_t) -> Int32
    let wcwidth = unsafeBitCast(try #require(dlsym(nil, "wcwidth")), to: Width.self)
    let locale = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
    let previous = uselocale(locale)
    defer {
      uselocale(previous)
      freelocale(locale)
    }
    // Ahom medial ra, whose category differs between versions of Unicode.
    var different: [String] = []
    for value in UInt32(0x20)...0x3fffd {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let system = wcwidth(wchar_t(value))
      // Unknown to the system, which may know an older Unicode.
      guard system >= 0, scalar.properties.generalCategory != .unassigned else { continue }
      if TextColumns.width(String(scalar)) != Int(system) { different.append(String(value, radix: 16)) }
    }
    #expect(different == ["1171e"], "\(different.count): \(different.prefix(40))")
  }

  @Test func cutsAndPadsByColumns() {
    #expect(TextColumns.fit("過負荷", 5) == "過負 " && TextColumns.fit("過負荷", 8) == "過負荷  ")
    #expect(TextColumns.alignRight("過負荷", 8) == "  過負荷")
    let rows = [["番号", "ラベル"], ["12", "beans"], ["7", "大豆"]]
    #expect(TextTable.text(rows, rightAligned: [0]) == "番号  ラベル\n  12  beans\n   7  大豆\n")
  }
}
