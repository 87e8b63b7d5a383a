import Testing

@testable import Linux

@Suite struct TextTableTests {
  @Test func alignsColumnsAndTrimsLines() {
    let rows = [["#", "NAME", "NOTE"], ["10", "rye", ""], ["9", "wheat", "x"]]
    #expect(TextTable.text(rows, rightAligned: [0]) == " #  NAME   NOTE\n10  rye\n 9  wheat  x\n")
    #expect(TextTable.text([]).isEmpty)
  }
}
