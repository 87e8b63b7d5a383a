import Foundation
import Testing

/// Tare and epoch after a restart, for each way in which a run can end.
@Suite struct RestartTests {
  /// How a run ends after a tare.
  enum End: String, CaseIterable, Sendable {
    /// SIGTERM, as soon as the result is published.
    case stopped
    /// SIGKILL, as soon as the result is published.
    case killedAtOnce
    /// SIGKILL, after a reading that was published a second later.
    case killedLater
  }

  @Test(arguments: End.allCases) func noEpochIsPublishedTwice(_ end: End) async throws {
    let stage = try await Stage(pad: RunningScale.plain, extra: "publish: {heartbeat_ms: 200}")
    var program = stage.scale.program
    var highest = 0
    for run in 1...3 {
      let tared = try await stage.command("tare")
      #expect(tared("ok") as? Bool == true)
      let epoch = try #require(tared("reading", "tare_epoch") as? Int)
      #expect(epoch > highest, "run \(run): epoch \(epoch) after \(highest)")
      highest = epoch
      let readings = stage.listener.messages("live").count
      if end == .killedLater {
        try await eventually("a second of readings") { stage.listener.messages("live").count >= readings + 5 }
      }
      program.send(end == .stopped ? SIGTERM : SIGKILL)
      _ = try await program.ended()
      let began = Date()
      func readingsOfThisRun() -> [Listener.Message] {
        stage.listener.messages("live").filter { $0.time ?? .distantPast > began }
      }
      program = try Program.grampad(["run", "--config", stage.scale.path])
      try await eventually("it runs again") { !readingsOfThisRun().isEmpty }
      guard end != .killedAtOnce else { continue }
      // A journal that is slow to open is not waited for: the tare may follow the first reading.
      try await eventually("the tare is back") {
        readingsOfThisRun().contains {
          $0("tare_epoch") as? Int == epoch && $0("tare_g") as? Double == tared("reading", "tare_g") as? Double
        }
      }
    }
  }
}
