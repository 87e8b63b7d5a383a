import Testing
import Weighing

@testable import Client

@Suite struct WatchKeysTests {
  private static let cases: [(String, [WatchKeys.Command])] = [
    ("t", [.action(.tare)]),
    ("T", [.action(.clearTare)]),
    ("z", [.action(.zero)]),
    ("c", [.action(.commit)]),
    ("s", [.action(.dose)]),
    ("14", [.quickAction(0), .quickAction(3)]),
    ("5x", []),
    ("q", [.quit]),
    ("Q", [.quit]),
    ("\u{3}", [.quit]),
    ("\u{1a}", [.suspend]),
    ("v", [.confirmVoid]),
    ("vv", [.confirmVoid, .action(.void)]),
    ("vtv", [.confirmVoid, .action(.tare), .confirmVoid]),
    // Cursor keys and F5.
    ("\u{1b}[At", [.action(.tare)]),
    ("\u{1b}OBt", [.action(.tare)]),
    ("\u{1b}[15~t", [.action(.tare)]),
  ]

  @Test(arguments: cases)
  func translatesKeys(_ text: String, _ expected: [WatchKeys.Command]) {
    var keys = WatchKeys()
    let now = Instant(nanoseconds: 1)
    let commands = text.utf8.compactMap { keys.command(for: $0, at: now, confirmationTime: .seconds(3)) }
    #expect(commands == expected)
  }

  @Test func aLateConfirmationAsksAgain() {
    var keys = WatchKeys()
    func press(at seconds: Double) -> WatchKeys.Command? {
      keys.command(
        for: UInt8(ascii: "v"), at: Instant(nanoseconds: 0) + .seconds(seconds), confirmationTime: .seconds(3))
    }
    #expect(press(at: 1) == .confirmVoid)
    #expect(press(at: 4.1) == .confirmVoid)
    #expect(press(at: 7) == .action(.void))
  }
}
