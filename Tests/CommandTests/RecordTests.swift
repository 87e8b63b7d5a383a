import Foundation
import Testing

/// A weighing is on disk before it is confirmed, and reaches the broker when one is connected.
@Suite struct RecordTests {
  static let fields: Set<String> = [
    "kind", "clock", "pieces", "amends",
    "id", "sequence", "time", "gross_g", "tare_g", "net_g", "uncertainty_g", "label", "source", "calibration",
    "calibration_counter", "configuration_hash", "historical", "voids",
  ]

  @Test func isOnDiskBeforeItIsToldAndGoesOnAfterARestart() async throws {
    let stage = try await Stage(pad: RunningScale.plain)
    for number in 1...3 {
      let answer = try await stage.command()
      let id = try #require(answer("weighing", "id") as? String)
      #expect(try await stage.history().map(\.id).last == id)
      #expect(answer("weighing", "sequence") as? Int == number)
    }
    let last = try await stage.command("commit", #","label":"last""#)
    // Killed at the moment of the confirmation.
    stage.scale.program.end()
    let id = try #require(last("weighing", "id") as? String)
    #expect(try await stage.history().map(\.id).last == id)
    for topic in ["weighing", "weighing/last"] {
      let message = try #require(stage.listener.messages(topic).first)
      let object = try #require(JSONSerialization.jsonObject(with: Data(message.payload.utf8)) as? [String: Any])
      #expect(Set(object.keys) == Self.fields)
      #expect(message("historical") as? Bool == false && message("voids") is NSNull && message("label") is NSNull)
      #expect(message("calibration") as? String == "user" && message("calibration_counter") as? Int == 1)
      #expect((message("configuration_hash") as? String)?.isEmpty == false && message.quality == 1)
      #expect(message("tare_g") as? Int == 0 && message("net_g") as? Int == message("gross_g") as? Int)
      let time = try #require(message.time)
      #expect(
        abs(time.timeIntervalSince(message.arrival)) < 5 && (message("id") as? String)?.dropFirst(14).first == "7")
    }
    // A broker that has forgotten everything, and the appliance again.
    stage.broker.end()
    try await stage.broker.start()
    let listener = try await Listener(stage.broker.port)
    let again = try Program.grampad(["run", "--config", stage.scale.path])
    try await eventually("the last one again") { listener.last("weighing/last") != nil }
    let kept = try #require(listener.messages("weighing/last").first)
    #expect(kept("id") as? String == id && kept("label") as? String == "last" && kept("historical") as? Bool == true)
    #expect(again.isRunning)
    let next = try await Stage.commit(listener, stage)
    #expect(next("weighing", "sequence") as? Int == 5)
    try await eventually("told") { listener.messages("weighing").last?("sequence") as? Int == 5 }
    #expect(listener.messages("weighing").last?("historical") as? Bool == false)
    #expect(listener.messages("weighing/last").last?("historical") as? Bool == false)
    // What the dead one had not heard an acknowledgement of comes again, and says that it is late.
    for late in listener.messages("weighing").dropLast() { #expect(late("historical") as? Bool == true) }
  }

  @Test func isLateWhenTheBrokerWasAway() async throws {
    // A press commits 6.5 s after the start; the broker is stopped before that.
    let stage = try await Stage()
    stage.broker.end()
    try await eventually("recorded", within: .seconds(120)) {
      FileManager.default.fileExists(atPath: stage.scale.journal)
    }
    var records: [(id: String, sequence: Int)] = []
    let end = ContinuousClock.now + .seconds(30)
    while records.isEmpty, ContinuousClock.now < end { records = try await stage.history() }
    let id = try #require(records.first?.id)
    try await stage.broker.start()
    let listener = try await Listener(stage.broker.port)
    // The appliance may be there before the listener: what is retained tells it, too.
    func told() -> [Listener.Message] { listener.messages("weighing") + listener.messages("weighing/last") }
    try await eventually("told late", within: .seconds(120)) { told().contains { $0("id") as? String == id } }
    let late = try #require(told().first { $0("id") as? String == id })
    #expect(late("source") as? String == "pad" && late("historical") as? Bool == true)
    let next = try await Stage.commit(listener, stage)
    let number = try #require(next("weighing", "id") as? String)
    try await eventually("told") { listener.messages("weighing").contains { $0("id") as? String == number } }
    let now = listener.messages("weighing").first { $0("id") as? String == number }
    #expect(now?("historical") as? Bool == false)
    try await eventually("nothing waits") { listener.messages("health").last?("outbox", "waiting") as? Int == 0 }
  }

  @Test func isParkedWhenTheBrokerRefusesIt() async throws {
    let refusing = "topic readwrite #\ntopic deny grampad/grampad/weighing\n"
    let stage = try await Stage(try await Broker(access: refusing), pad: RunningScale.plain)
    _ = try await stage.command()
    try await eventually("parked") { stage.health("outbox", "parked") as? Int == 1 }
    let reason = stage.health("outbox", "parked_reason") as? String ?? ""
    #expect(reason.contains("0x87"), "\(reason)\n\(stage.broker.log)\n\(stage.scale.program.complaints)")
    #expect(stage.health("outbox", "waiting") as? Int == 0)
    // mosquitto may close connections when it reloads its access list: the record is sent again either way.
    try await stage.broker.allow("topic readwrite #\n")
    #expect(try await Program.run(["outbox", "retry", "--journal", stage.scale.journal]).code == 0)
    try await eventually("nothing is parked") {
      stage.health("outbox", "parked") as? Int == 0 && stage.health("outbox", "waiting") as? Int == 0
    }
    #expect(stage.listener.messages("health").last?("outbox", "parked_reason") is NSNull)
    #expect(try await stage.history().map(\.sequence) == [1])
  }
}

extension Stage {
  /// Commits with another listener, after the broker was started again.
  static func commit(_ listener: Listener, _ stage: Stage) async throws -> Listener.Message {
    try await Stage(stage.broker, stage.scale, listener).command()
  }
}
