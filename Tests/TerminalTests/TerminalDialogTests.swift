import Glibc
import Languages
import Testing

@testable import Terminal

/// A dialog over a pipe, as from a script.
@Suite struct TerminalDialogTests {
  @Test func answersAreLinesWithoutSpacesAtTheirEnds() throws {
    let (input, output) = (try Pipe(), try Pipe())
    input.write("  50 100 \n\nq")
    input.closeWriting()
    let dialog = TerminalDialog(input: input.reading, output: output.writing)
    dialog.say("Hello")
    #expect(dialog.ask("Masses? ") == "50 100")
    #expect(dialog.ask("Measure? ") == "")
    #expect(dialog.ask("Again? ") == "q")
    #expect(dialog.ask("More? ") == nil)
    #expect(!dialog.progressBar.isShown)
    dialog.progressBar.show(0.5, "invisible")
    output.closeWriting()
    #expect(output.readAll() == "Hello\nMasses? \nMeasure? \nAgain? \nMore? \n")
  }
}

/// Yes and no in the language of the user.
@Suite struct ConfirmationTests {
  @Test(arguments: [
    (Language.english, "y", true), (.english, "YES", true), (.english, "n", false), (.english, "j", false),
    (.german, "j", true), (.german, "Ja", true), (.german, "y", true), (.german, "n", false), (.german, "nein", false),
    (.chinese, "是", true), (.chinese, "y", true), (.chinese, "否", false), (.japanese, "はい", true),
    (.japanese, "いいえ", false), (.japanese, "", true),
  ]) func understandsYes(_ language: Language, _ answer: String, _ isYes: Bool) throws {
    let (input, output) = (try Pipe(), try Pipe())
    input.write(answer + "\n")
    input.closeWriting()
    let dialog = TerminalDialog(input: input.reading, output: output.writing, texts: .of(language))
    #expect(dialog.confirms("?", standard: true) == isYes)
    output.closeWriting()
    #expect(output.readAll().hasPrefix(language == .german ? "? [J/n] " : "? [Y/n] "))
  }
}

/// A pipe of the system. `pipe(2)`
final class Pipe {
  let reading: Int32
  let writing: Int32
  private var isOpen = true

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    closeWriting()
    close(reading)
  }

  func write(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(writing, $0.baseAddress, $0.count) }
  }

  func closeWriting() {
    if isOpen { close(writing) }
    isOpen = false
  }

  /// All bytes until the other end is closed.
  func readAll() -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = read(reading, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
