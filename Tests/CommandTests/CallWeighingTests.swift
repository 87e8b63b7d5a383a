import Foundation
import FreePorts
import Testing

/// Weighings and quick actions from the command line.
@Suite struct CallWeighingTests {
  private static let actions =
    "actions: [{type: beans, title: Beans, run: commit, user_info: {label: arabica}}, {type: off, run: void}]"

  @Test func recordsAndStrikes() async throws {
    let stage = try await Stage(pad: RunningScale.plain, extra: Self.actions)
    let first = try await stage.call(["commit", "--label", "Zoë, \"2\""])
    #expect(first.code == 0 && first.complaints.isEmpty, "\(first)")
    #expect(first.output.hasPrefix(#"{"action":"commit","ok":true,"reason":null,"correlation":""#))
    #expect(text(first, "source") == "command_line")
    #expect(text(first, "weighing", "label") == "Zoë, \"2\"" && text(first, "weighing", "source") == "command_line")
    #expect(number(first, "weighing", "sequence") == 1)
    #expect(value(in: first.output, ["weighing", "voids"]) is NSNull)
    let id = try #require(text(first, "weighing", "id"))

    let struck = try await stage.call(["void"])
    #expect(struck.code == 0, "\(struck)")
    #expect(text(struck, "weighing", "voids") == id && number(struck, "weighing", "sequence") == 2)
    #expect(number(struck, "weighing", "net_g") == number(first, "weighing", "net_g").map { -$0 })
    #expect(text(struck, "weighing", "kind") == "void" && text(first, "weighing", "kind") == "weighing")
    let again = try await stage.call(["void"])
    #expect(
      again.code == 1
        && again.complaints
          == "grampad: void rejected: nothing_to_void (there is no weighing to void, or it is already voided)\n"
    )
    #expect(value(in: again.output, ["weighing"]) is NSNull)

    let beans = try await stage.call(["action", "beans"])
    #expect(beans.code == 0 && text(beans, "action") == "beans" && text(beans, "weighing", "label") == "arabica")
    let other = try await stage.call(["action", "beans", "--label", "robusta"])
    #expect(other.code == 0 && text(other, "weighing", "label") == "robusta")
    let off = try await stage.call(["action", "off"])
    #expect(off.code == 0 && text(off, "weighing", "voids") == text(other, "weighing", "id"))
    let unknown = try await stage.call(["action", "nosuch"])
    #expect(
      unknown.code == 1
        && unknown.complaints
          == "grampad: nosuch rejected: unknown_action (there is no action named nosuch; the actions are tare, clear_tare, "
          + "zero, commit, void, relabel, timer, target, count, container, dose, beans, off)\n"
    )
    #expect(unknown.output.hasPrefix(#"{"action":"nosuch","ok":false,"reason":"unknown_action""#))

    #expect(try await stage.history().map(\.sequence) == Array(1...5))
    try await eventually("all published") { stage.listener.messages("weighing").count == 5 }
    #expect(stage.types().count { $0 == "voided" } == 2)
  }

  @Test func voidsAndRelabelsByIdentifier() async throws {
    let stage = try await Stage(pad: RunningScale.plain)
    func last(_ field: String) -> Any? { stage.listener.messages("weighing/last").last?(field) }
    var ids: [String] = []
    for label in ["rye", "oats"] {
      let weighed = try await stage.call(["commit", "--label", label])
      ids.append(try #require(text(weighed, "weighing", "id")))
    }
    // An earlier one: the last weighing stays.
    let relabelled = try await stage.call(["relabel", "spelt", "--id", "#1"])
    #expect(relabelled.code == 0 && text(relabelled, "weighing", "amends") == ids[0], "\(relabelled)")
    #expect(number(relabelled, "weighing", "net_g") == 0 && text(relabelled, "weighing", "kind") == "relabel")
    #expect(last("id") as? String == ids[1] && last("label") as? String == "oats")
    _ = try await stage.call(["relabel", "groats"])
    try await eventually("the new label") { last("label") as? String == "groats" }
    #expect(last("id") as? String == ids[1] && last("historical") as? Bool == true)
    _ = try await stage.call(["void", "--id", "2"])
    try await eventually("the one before") { last("id") as? String == ids[0] }
    #expect(last("label") as? String == "spelt" && last("sequence") as? Int == 1)
    _ = try await stage.call(["relabel", "", "--id", ids[0]])
    try await eventually("no label") { last("label") is NSNull }
    for (arguments, reason) in [
      (["void"], "nothing_to_void"), (["relabel", "late"], "nothing_to_void"),
      (["void", "--id", ids[1]], "nothing_to_void"), (["void", "--id", "2"], "nothing_to_void"),
      (["void", "--id", "70"], "unknown_weighing"), (["void", "--id", "#3"], "unknown_weighing"),
      (["relabel", "x", "--id", text(relabelled, "weighing", "id") ?? ""], "unknown_weighing"),
      (["action", "relabel"], "bad_payload"),
    ] {
      let refused = try await stage.call(arguments)
      #expect(refused.code == 1 && text(refused, "reason") == reason, "\(arguments): \(refused)")
    }
    _ = try await stage.call(["void", "--id", ids[0]])
    try await eventually("nothing is left") { stage.listener.last("weighing/last") == "" }
    // The broker retains no weighing, and the appliance publishes an empty one again after a start.
    let late = try await Listener(stage.broker.port)
    try await eventually("the rest") { late.messages("health").last != nil }
    #expect(late.messages("weighing/last").isEmpty)
    try await eventually("all published") { stage.listener.messages("weighing").count == 7 }
    let nets = stage.listener.messages("weighing").compactMap { $0("net_g") as? Double }
    #expect(nets.count == 7 && nets.reduce(0, +).magnitude < 1e-9)
    #expect(stage.types().count { $0 == "relabelled" } == 3 && stage.types().count { $0 == "voided" } == 2)
    #expect(["synchronised", "unsynchronised"].contains(late.messages("health").last?("clock") as? String ?? ""))
  }

  @Test(arguments: [["commit"], ["void"], ["relabel", "x"], ["action", "beans"]])
  func missesTheBroker(_ command: [String]) async throws {
    let ended = try await Program.run(command + ["--broker", "mqtt://127.0.0.1:\(FreePort.any())"])
    #expect(ended.code == 69 && ended.output.isEmpty)
    #expect(ended.complaints.contains("no broker: mqtt://127.0.0.1:"), "\(ended.complaints)")
  }

  private func text(_ ended: Program.Ended, _ path: String...) -> String? { value(in: ended.output, path) as? String }
  private func number(_ ended: Program.Ended, _ path: String...) -> Int? { value(in: ended.output, path) as? Int }
}
