import Configuration
import Logging
import Synchronization
import Testing

@testable import Appliance

/// What `run` without a configuration file says.
@Suite struct DefaultsNoticeTests {
  /// Keeps the lines that are logged.
  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  private struct Handler: LogHandler {
    let lines: Lines
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let metadata = (event.metadata ?? [:]).map { "\($0)=\($1)" }.sorted()
      lines.all.withLock { $0.append(([event.level.rawValue, "\(event.message)"] + metadata).joined(separator: " ")) }
    }
  }

  @Test func namesTheJournal() {
    let lines = Lines()
    Appliance.logDefaults(in: "/tmp/scale", to: Logger(label: "test") { _ in Handler(lines: lines) })
    // In the state folder of a service manager, if the tests have one.
    let path = Configuration().journalPath(in: "/tmp/scale")
    #expect(path.hasPrefix("/") && path.hasSuffix("/grampad.db"))
    #expect(
      lines.all.withLock { $0 } == ["notice no configuration file; running with the defaults journal.path=\(path)"])
  }
}
