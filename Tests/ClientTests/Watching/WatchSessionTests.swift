import Configuration
import Logging
import Messages
import Testing
import Weighing

@testable import Client

/// The session of `watch` without a broker: nothing listens on port 1 of this machine.
@Suite struct WatchSessionTests {
  private let signals = SignalQueue()

  private func client() throws -> ScaleClient {
    try ScaleClient(
      Configuration(), brokers: [BrokerAddress(host: "127.0.0.1", port: 1)], folder: "/",
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  @Test func aSignalEndsIt() throws {
    signals.append(.resize)
    signals.append(.end)
    let session = WatchSession(try client(), signals: signals, patience: .seconds(10))
    #expect(session.printChanges { _ in true } == .quit)
  }

  @Test func itEndsWhenTheReaderExits() throws {
    let client = try client()
    client.showNotice("one", isGood: true)
    var lines: [String] = []
    let end = WatchSession(client, signals: signals, patience: .seconds(10)).printChanges { line in
      lines.append(line)
      return false
    }
    #expect(end == .quit)
    #expect(lines.count == 1 && lines[0].hasSuffix("  one\n"), "\(lines)")
  }

  @Test func aMissingBrokerIsAFailure() throws {
    let client = try client()
    client.connect()
    defer { client.disconnect() }
    let end = WatchSession(client, signals: signals, patience: .milliseconds(200)).printChanges { _ in true }
    guard case .failed(let reason) = end else {
      Issue.record("\(end)")
      return
    }
    #expect(reason.hasPrefix("no broker: cannot connect"), "\(reason)")
  }

  @Test func aRequestWithoutAConnectionIsRejected() throws {
    let client = try client()
    client.request("tare", title: "tare")
    #expect(client.scale.notice?.text == "tare: no connection to the broker")
    #expect(client.scale.notice?.isGood == false)
  }
}
