import Foundation
import Testing
import Weighing

extension Emulated {
  /// Emulated devices are read as they are opened: the first Enter ends what was typed before the grab.
  @Suite struct Scanners {
    private static func scanner(_ number: Int, _ text: String, name: String = "Mock Scanner") throws -> MockPad {
      var scanner = MockPad.keyboard(number: number)
      scanner.name = name
      scanner.keys = (1...111).map { KeyCode(rawValue: $0) }
      scanner.frames = try ("\n" + text).flatMap { try Self.tap($0) }
      return scanner
    }

    private static func tap(_ character: Character) throws -> [[MockPad.Event]] {
      let name = character == "\n" ? "ENTER" : character == "~" ? "F1" : character.uppercased()
      let key = try #require(KeyCode(name: "KEY_" + name))
      return [[.key(key, 1)], [.key(key, 0)]]
    }

    @Test func codesUpToEnter() throws {
      let scanner = try Self.scanner(0, "4006381\n12~3\n1a\n")
      let lines = try Probe.run(["scanners", "2", "match:Mock Scanner::=us"], among: [scanner])
      #expect(lines == ["listens /dev/input/event0", "code 4006381", "code 1a"])
    }

    @Test func theLayoutOfItsBinding() throws {
      var scanner = try Self.scanner(0, "yz\n")
      scanner.links = ["by-id/scanner"]
      let words = ["scanners", "1", "match:Mock Scanner::=us", "/dev/input/by-id/scanner=de"]
      #expect(try Probe.run(words, among: [scanner]).last == "code zy")
    }

    @Test func twoAtOnceNeverMix() throws {
      let codes = [["1111111111", "2222222222"], ["3333333333", "4444444444"]]
      let scanners = try codes.enumerated().map { try Self.scanner($0, $1.joined(separator: "\n") + "\n") }
      let lines = try Probe.run(["scanners", "4", "match:Mock Scanner::=us"], among: scanners)
      let read = lines.filter { $0.hasPrefix("code ") }
      #expect(read.sorted() == codes.joined().map { "code \($0)" })
      for order in codes {
        #expect(read.filter { order.contains(String($0.dropFirst(5))) } == order.map { "code \($0)" })
      }
    }

    /// Other devices are not opened for codes: neither of another name, nor without digits, nor the typing keyboard.
    @Test func onlyConfiguredKeyboards() throws {
      let other = try Self.scanner(0, "1\n", name: "Mock Keyboard")
      var button = try Self.scanner(1, "2\n")
      button.keys = [KeyCode(rawValue: 28)]
      var typist = try Self.scanner(2, "3\n", name: WeighingKeyboard.name)
      typist.id = WeighingKeyboard.identity
      let scanner = try Self.scanner(3, "4\n")
      let words = ["scanners", "1", "match:Mock Scanner::=us", "match:\(WeighingKeyboard.name)::=us"]
      var log = ""
      let lines = try Probe.run(words, among: [other, button, typist, scanner], log: &log)
      #expect(lines == ["listens /dev/input/event3", "code 4"])
      #expect(log.contains("waiting for a scanner") && log.contains(WeighingKeyboard.name), "\(log)")
    }

    /// It is grabbed when the key is released; what was typed before went elsewhere. Codes of the same read as the release
    /// went there as well, hence several.
    @Test func aKeyThatIsDownFromTheStart() throws {
      var scanner = try Self.scanner(0, String(repeating: "12\n", count: 30))
      let held = KeyCode(rawValue: 9)
      scanner.held = [held]
      scanner.frames = try Self.tap("7") + Self.tap("\n") + [[.key(held, 0)]] + scanner.frames
      let lines = try Probe.run(["scanners", "1", "match:Mock Scanner::=us"], among: [scanner])
      #expect(lines == ["listens /dev/input/event0", "code 12"])
    }

    @Test func oneThatComesLater() throws {
      let first = try Self.scanner(1, "1\n")
      let later = try Self.scanner(3, "2\n")
      let words = ["scanners", "2", "match:Mock Scanner::=us"]
      let lines = try Probe.run(words, among: [first, later], hidden: later) { line, devices in
        guard line == "code 1" else { return }
        try FileManager.default.moveItem(atPath: devices + "/away", toPath: devices + "/input/event3")
      }
      #expect(
        lines == [
          "listens /dev/input/event1", "code 1", "listens /dev/input/event1 /dev/input/event3", "code 2",
        ])
    }

    @Test func anUnknownLayoutIsLogged() throws {
      let scanner = try Self.scanner(0, "1\n")
      let words = ["scanners", "1", "match:Mock Scanner::=nosuch", "match:Mock Scanner::=us"]
      var log = ""
      #expect(try Probe.run(words, among: [scanner], log: &log).last == "code 1")
      #expect(log.contains("no keyboard layout nosuch"), "\(log)")
    }
  }
}
