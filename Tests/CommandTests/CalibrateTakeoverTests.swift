import Foundation
import Glibc
import Testing

/// A calibration of a running appliance whose terminal is lost.
@Suite(.serialized) struct CalibrateTakeoverTests {
  private static let loads = [0, 250, 500, 900, 0, 250]

  private func start(_ cell: ServedLoadCell, _ more: [String]) throws -> CalibrateTerminal {
    try CalibrateTerminal(["calibrate", "--appliance", cell.url, "--rest", "0.5"] + more)
  }

  /// Puts the load of each step on, and measures it.
  private func measure(_ steps: Range<Int>, _ terminal: CalibrateTerminal, _ cell: ServedLoadCell) async throws {
    for index in steps {
      try await eventually("step \(index + 1) in \(terminal.shown)") { terminal.shown.contains("\(index + 1) of 6: ") }
      try cell.put(Self.loads[index])
      try await terminal.answer("q = quit]", "")
    }
  }

  /// A signal ends the session at once, also while a step is measured, and another one can begin.
  @Test(arguments: [SIGHUP, SIGTERM, SIGINT]) func itEndsWithItsTerminal(_ signal: Int32) async throws {
    let cell = try await ServedLoadCell()
    let terminal = try start(cell, ["--masses", "250,500,900"])
    try await measure(0..<1, terminal, cell)
    // The pad is still empty: it measures until the mass lies there.
    try await terminal.answer("q = quit]", "")
    try await cell.reaches("it measures") { value(in: $0, ["activity"]) as? String == "measuring" }
    terminal.send(signal)
    #expect(try await terminal.ended() == signal)
    #expect(value(in: try await cell.ask().body, ["end", "reason"]) as? String == "closed")
    _ = try await cell.start([250, 900])
  }

  /// The terminal is killed; another one continues with what was measured, and does not ask for the masses.
  @Test func anotherTerminalContinues() async throws {
    let cell = try await ServedLoadCell()
    let lost = try start(cell, ["--masses", "250,500,900"])
    try await measure(0..<2, lost, cell)
    try await eventually("the third step") { lost.shown.contains("3 of 6: ") }
    lost.send(SIGKILL)
    _ = try await lost.ended()

    let terminal = try start(cell, [])
    try await eventually("what was found in \(terminal.shown)") {
      terminal.shown.contains(
        "A calibration of this scale with 250 g, 500 g, 900 g was begun elsewhere: 2 of 6 steps are measured.")
    }
    #expect(!terminal.shown.contains("Masses in grams"))
    try await terminal.answer("n = start again, q = quit]", "what?")
    try await terminal.answer("n = start again, q = quit]", "")
    try await eventually("what was measured in \(terminal.shown)") {
      terminal.shown.contains("250 g: 94386")
    }
    try await measure(2..<6, terminal, cell)
    try await terminal.answer("Use this calibration now? [Y/n]", "")
    #expect(try await terminal.ended() == 0)
    try await cell.shows("250 g")
  }

  /// A page calibrates: the user of the command starts again, quits, or cannot be asked.
  @Test func aPageIsLeftAloneOrReplaced() async throws {
    let cell = try await ServedLoadCell()
    let session = try await cell.start([250, 500, 900])
    let asked = try await Program.run(["calibrate", "--appliance", cell.url, "--rest", "0.5"])
    #expect(asked.code == 69 && asked.complaints.contains("another page or program is calibrating"), "\(asked)")
    let quitting = try start(cell, [])
    try await quitting.answer("n = start again, q = quit]", "q")
    #expect(try await quitting.ended() == 1)
    try await cell.command("status", session)

    let terminal = try start(cell, [])
    try await terminal.answer("n = start again, q = quit]", "n")
    try await terminal.answer("for example", "250 900")
    try await eventually("the first step") { terminal.shown.contains("1 of 5: ") }
    let gone = try await cell.ask(ServedLoadCell.path, #"{"do": "status", "session": "\#(session)"}"#)
    #expect(gone.status == 409 && gone.body.contains("no_session"), "\(gone)")
    terminal.send(SIGHUP)
    _ = try await terminal.ended()

    // A verification has no masses to continue with.
    let verification = try await cell.start([])
    let other = try start(cell, ["--masses", "250,900"])
    try await other.answer("n = end it and calibrate, q = quit]", "")
    try await other.answer("n = end it and calibrate, q = quit]", "n")
    try await eventually("the first step") { other.shown.contains("1 of 5: ") }
    #expect(try await cell.ask(ServedLoadCell.path, #"{"do": "status", "session": "\#(verification)"}"#).status == 409)
  }

  /// Enter before the mass lies there says so, and goes on by itself once it does.
  @Test func enterOnAnEmptyPadWaitsForTheMass() async throws {
    let cell = try await ServedLoadCell()
    let terminal = try start(cell, ["--masses", "250,500,900"])
    try await measure(0..<1, terminal, cell)
    try await terminal.answer("q = quit]", "")
    try await terminal.waits(for: "Nothing has changed yet. Put 250 g on the centre of the pad and let go.")
    #expect(value(in: try await cell.ask().body, ["waiting"]) as? Bool == true)
    try cell.put(250)
    try await terminal.waits(for: "3 of 6: ")
  }
}
