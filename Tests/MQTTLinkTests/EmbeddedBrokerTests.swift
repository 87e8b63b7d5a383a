import Foundation
import Logging
import Messages
import Synchronization
import Testing

@testable import MQTTLink

/// The mosquitto that is a child of ours.
@Suite struct EmbeddedBrokerTests {
  private func broker(_ port: UInt16 = 0) -> EmbeddedBroker {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    return EmbeddedBroker(port: port, logger: logger)
  }

  @Test func runsUntilItIsStopped() async throws {
    let broker = broker()
    let address = try broker.start()
    let process = try #require(broker.process)
    let scale = TestLink([address], filters: ["x"])
    try await scale.subscribed()
    // It would be killed after the limit.
    let time = ContinuousClock().measure { broker.stop(within: .seconds(600)) }
    #expect(time < .seconds(60))
    try await eventually("its end") { scale.events.contains(.disconnected(broker: address, reason: .closed)) }
    #expect(!exists(process))
    #expect(try LoopbackPort.claim(address.port) == address.port)
  }

  @Test func isKilledWhenItDoesNotEnd() async throws {
    let broker = broker()
    _ = try broker.start()
    let process = try #require(broker.process)
    kill(process, SIGSTOP)
    broker.stop(within: .milliseconds(200))
    #expect(!exists(process))
  }

  @Test func isStartedAgainOnTheSamePortWhenItDies() async throws {
    let broker = broker()
    let address = try broker.start()
    defer { broker.stop() }
    let scale = TestLink([address])
    try await scale.connected()
    let process = try #require(broker.process)
    kill(process, SIGKILL)
    try await scale.connected(2)
    let other = try #require(broker.process)
    #expect(other != process)
  }

  @Test func aPortInUseIsToldWithItsOwner() async throws {
    let other = try await TestBroker()
    let error = #expect(throws: EmbeddedBrokerError.self) { try broker(other.port).start() }
    guard case .portInUse(other.port, let owner)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(owner?.name == "mosquitto")
    #expect(error?.description.contains("port \(other.port) is in use by mosquitto (process") == true)
    let server = TinyServer(.silent)
    #expect(throws: EmbeddedBrokerError.portInUse(server.port, LoopbackPort.owner(of: server.port))) {
      try broker(server.port).start()
    }
  }

  @Test func aMissingProgramIsTold() {
    #expect(BrokerProcess.find(path: "/nowhere") == "/usr/sbin/mosquitto")
    #expect(EmbeddedBrokerError.notInstalled.description.contains("apt install mosquitto"))
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let broken = EmbeddedBroker(port: 0, program: "/bin/false", logger: logger)
    #expect(throws: EmbeddedBrokerError.notReady("exit code 1")) { try broken.start() }
  }

  @Test func diesWithAKilledParent() async throws {
    let probe = try ChildProcess(probePath, ["broker"])
    var process: Int32 = 0
    try await eventually("the broker's process and port") {
      for line in probe.lines { process = line.split(separator: " ").first.flatMap { Int32($0) } ?? process }
      return process > 0
    }
    #expect(exists(process))
    probe.send(SIGKILL)
    try await eventually("its end") { [process] in !exists(process) }
  }

  @Test func itsLinesReachTheLog() async throws {
    let lines = LineLog()
    let broker = EmbeddedBroker(port: 0, logger: Logger(label: "test") { _ in lines })
    let address = try broker.start()
    defer { broker.stop() }
    try await eventually("its first lines in the log") { lines.contains("running") }
    let scale = TestLink([address])
    try await scale.connected()
    try await eventually("the connection in the log") { lines.contains(scale.clientID) }
  }

  @Test func leavesNoDescriptorToTheChild() async throws {
    let broker = broker()
    _ = try broker.start()
    defer { broker.stop() }
    let process = try #require(broker.process)
    let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
      .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)") }
    // Its own: null twice, the log, the configuration, the listener and its epoll.
    #expect(links.count < 9, "\(links)")
  }
}

/// Collects what is logged.
private struct LineLog: LogHandler {
  private final class Store: Sendable {
    let lines = Mutex<[String]>([])
  }

  private let store = Store()
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .trace
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func contains(_ text: String) -> Bool { store.lines.withLock { $0.contains { $0.contains(text) } } }

  func log(event: LogEvent) {
    store.lines.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
  }
}
