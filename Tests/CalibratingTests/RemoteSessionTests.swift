import Linux
import Messages
import Synchronization
import Testing

@testable import Calibrating

/// What a dialog tells the appliance about its session.
@Suite struct RemoteSessionTests {
  /// An appliance that notes the commands.
  private final class Appliance: Sendable {
    let commands = Mutex<[String]>([])

    func session() -> RemoteSession {
      RemoteSession { [self] bytes throws(MeasurementError) in
        let command = bytes.flatMap { try? JSONValue($0, maximumBytes: 4096) }
        let text = "\(command?["do"]?.text ?? "-") \(command?["session"]?.text ?? "-")"
        commands.withLock { $0.append(text) }
        return .null
      }
    }

    var told: [String] { commands.withLock { $0 } }
  }

  @Test func aSessionThatWasNeverOpenedIsNotClosed() {
    let appliance = Appliance()
    appliance.session().end()
    #expect(appliance.told.isEmpty)
  }

  @Test func commandsNameTheirSessionUntilItIsClosedOnce() throws {
    let appliance = Appliance()
    let session = appliance.session()
    _ = try session.perform("start")
    session.open("7")
    _ = try session.perform("measure", [("index", .number(1))])
    // As when a signal ends the program while the dialog ends by itself.
    let (other, ended) = (Worker<Never>("other"), Signal())
    other.start { _ in
      session.end()
      ended.raise()
    }
    session.end()
    #expect(ended.wait(within: .seconds(60)))
    _ = try session.perform("status")
    #expect(appliance.told == ["start -", "measure 7", "close 7", "status -"])
  }
}
