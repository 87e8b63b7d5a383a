import Foundation
import Testing

/// Hours without a broker: 4,000 weighings are waiting, four times the default queue of mosquitto for a subscriber.
@Suite struct BacklogTests {
  /// The delay of readings in milliseconds.
  private struct Delays: CustomStringConvertible {
    var sorted: [Double]

    /// The readings received within a time.
    init(_ messages: [Listener.Message], until end: Date) {
      sorted = messages.filter { $0.arrival <= end }.compactMap { message in
        message.time.map { message.arrival.timeIntervalSince($0) * 1000 }
      }.sorted()
    }

    func at(_ part: Double) -> Double { sorted.isEmpty ? .nan : sorted[Int(Double(sorted.count - 1) * part)] }
    var description: String {
      "\(sorted.count) readings, p50 \(Int(at(0.5))) ms, p99 \(Int(at(0.99))) ms, max \(Int(at(1))) ms"
    }
  }

  private static let busy = "publish: {live_max_hz: 100}\nscale: {division_g: 0.01}"

  @Test func isDeliveredInOrderBesideTheReadings() async throws {
    let count = 4_000
    // Made in memory: it is the delivery that is measured.
    let memory = try TemporaryFolder(in: "/dev/shm")
    let recording = try memory.write("load.evemu", Recorded.device + Recorded.longLoad)
    // In parts, because the time to parse arguments grows with the square of their number.
    let part = 500
    for _ in 0..<count / part {
      let commits = (0..<part).flatMap { ["--action", String(format: "commit@%.2f", 2 + Double($0) / 100)] }
      let made = try await Program.run(
        ["replay", recording, "--journal", "\(memory.path)/grampad.db"] + commits, output: "/dev/null",
        within: .seconds(60))
      try #require(made.code == 0, "\(made.complaints)")
    }

    let quiet = try await Stage(pad: RunningScale.plain, extra: Self.busy)
    let from = try #require(quiet.listener.messages("live").first?.arrival)
    try await eventually("six seconds of the show") { Date() > from + 6 }
    let without = Delays(quiet.listener.messages("live"), until: .distantFuture)
    let resident = quiet.scale.program.residentKilobytes
    quiet.scale.program.end()

    let stage = try await Stage(
      Broker(queue: 1000), pad: RunningScale.plain, extra: Self.busy,
      prepare: {
        try FileManager.default.copyItem(atPath: "\(memory.path)/grampad.db", toPath: "\($0.path)/grampad.db")
      })
    var peak = 0
    try await eventually("all delivered", within: .seconds(120)) {
      peak = max(peak, stage.scale.program.residentKilobytes)
      return stage.listener.count(of: "weighing") >= count
    }
    let weighings = stage.listener.messages("weighing")
    #expect(
      weighings.map { $0("sequence") as? Int ?? 0 } == Array(1...count),
      "in order, none twice, none dropped by the broker")
    #expect(weighings.allSatisfy { $0("historical") as? Bool == true })
    let (first, last) = (weighings[0].arrival, weighings[count - 1].arrival)
    let with = Delays(stage.listener.messages("live"), until: last)
    try await eventually("nothing waits") { stage.health("outbox", "waiting") as? Int == 0 }
    let rate = Double(count) / last.timeIntervalSince(first)
    print("backlog: \(Int(rate)) messages/s; \(stage.listener.count(of: "health")) health reports")
    print("live without a backlog: \(without); with: \(with)")
    print("resident \(resident) kB without, \(peak) kB at most with")
    // The window holds 50 messages of half a kilobyte, and SQLite 2 MB of pages.
    #expect(peak - resident < 8192, "\(peak - resident) kB")
    // Readings are due every 10 ms here; a delay of a tenth of a second is not visible.
    #expect(with.sorted.count > 0 && with.at(0.5) < without.at(0.5) + 50 && with.at(0.99) < without.at(0.99) + 250)
  }
}
