import Logging
import Synchronization
import Testing

@testable import Servers
@testable import Weighing

/// The requests to the scale for a client of `/snapshot`, and the errors that the client gets.
struct SnapshotActionTests {
  private static let ok = #"{"ok":true}"#
  private static func rejected(_ reason: String) -> String { #"{"ok":false,"reason":"\#(reason)","detail":"No."}"# }

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    var action = SnapshotSession.Action.tare
    var isTimerUsed = false
    /// The requests with their answers; `nil`: too many requests are waiting.
    let requests: [(String, String?)]
    /// The code and the message of the error.
    var error: [String] = []
  }

  static let cases = [
    Case(testDescription: "a tare", requests: [("tare", ok)]),
    Case(
      testDescription: "a load that moves", requests: [("tare", rejected("unstable"))], error: ["unstable", "No."]),
    Case(
      testDescription: "a load that was lifted meanwhile", requests: [("tare", rejected("empty")), ("clear_tare", ok)]),
    Case(
      testDescription: "a load that was lifted meanwhile, without a tare",
      requests: [("tare", rejected("empty")), ("clear_tare", rejected("no_tare"))]),
    Case(testDescription: "a busy scale", requests: [("tare", nil)], error: [SnapshotError.busy.code]),
    Case(testDescription: "a timer", action: .timer(.start), requests: [("timer start", ok)]),
    Case(
      testDescription: "a timer that is in use", action: .timer(.start), isTimerUsed: true,
      requests: [("timer reset", ok), ("timer start", ok)]),
    Case(testDescription: "a timer that stops", action: .timer(.stop), requests: [("timer stop", ok)]),
  ]

  private final class Script: Sendable {
    let asked = Mutex<[String]>([])
  }

  @Test(arguments: cases)
  func asksTheScale(_ it: Case) async throws {
    let loop = ServerLoop()
    defer { loop.stop() }
    let script = Script()
    let answers = it.requests.map(\.1)
    let trace = NetTrace()
    if it.isTimerUsed { trace.setTimer(isRunning: true, elapsed: .zero, at: .now()) }
    let router = DashboardRouter(
      DashboardServer.Settings(),
      sources: DashboardSources(
        act: { request, completion in
          var name = request.name
          if case .timer(let command) = request.parameters { name += " \(command.rawValue)" }
          let index = script.asked.withLock { asked in
            asked.append(name)
            return asked.count - 1
          }
          completion(index < answers.count ? answers[index].map { Array($0.utf8) } : nil)
        }, weighings: { [] }, table: { _, _, _ in }, totals: { _, _ in }, history: { _, _ in }, calibration: { [] },
        curve: { _ in [] }, manifest: { _ in [] }),
      viewers: Viewers(feeds: FeedCache(), limits: Limits(), on: loop), trace: trace, counters: EventCounters(),
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    let lines = [
      "GET /snapshot HTTP/1.1", "Host: 127.0.0.1", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
    ]
    let request = Request(
      head: try RequestHead(lines.joined(separator: "\r\n").utf8, limits: Limits()), body: [],
      client: try #require(ClientAddress("127.0.0.1")))
    guard case .webSocket(let snapshots) = router.answer(to: request) else {
      Issue.record("no WebSocket")
      return
    }
    let error = await withCheckedContinuation { continuation in
      snapshots.perform(it.action) { continuation.resume(returning: $0) }
    }
    #expect(script.asked.withLock { $0 } == it.requests.map(\.0))
    #expect(error?.code == it.error.first)
    if it.error.count == 2 { #expect(error?.detail == it.error[1]) }
    #expect((snapshots.scale().timer?.isRunning == true) == it.isTimerUsed)
  }

  /// Readings have only the time; what runs is known from the events.
  @Test func theTraceKnowsWhetherTheTimerRuns() {
    let trace = NetTrace()
    var reading = Reading(
      offlineAt: Instant(nanoseconds: 2_000_000_000), tare: DisplayedMass(steps: 0, division: .gram), tareEpoch: 0,
      capacity: Grams(385))
    trace.append(reading)
    #expect(trace.scale.timer == nil)
    trace.setTimer(isRunning: true, elapsed: .zero, at: Instant(nanoseconds: 1_000_000_000))
    reading.timer = .seconds(1)
    trace.append(reading)
    #expect(trace.scale.timer?.elapsed(at: Instant(nanoseconds: 5_000_000_000)) == .seconds(4))
    trace.setTimer(isRunning: false, elapsed: .seconds(3), at: Instant(nanoseconds: 4_000_000_000))
    #expect(trace.scale.timer?.elapsed(at: Instant(nanoseconds: 5_000_000_000)) == .seconds(3))
    reading.timer = nil
    trace.append(reading)
    #expect(trace.scale.timer == nil)
  }
}
