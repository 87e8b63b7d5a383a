import Foundation
import Testing

/// Weighings and quick actions from a terminal.
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
    #expect(number(struck, "weighing", "net_g") == number(first, "weighing", "net_g"))
    let again = try await stage.call(["void"])
    #expect(
      again.code == 1
        && again.complaints
          == "grampad: void rejected: nothing_to_void (the weighing is voided already, or there is none)\n"
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
        && unknown.complaints == "grampad: nosuch rejected: unknown_action (the appliance knows no such action)\n")
    #expect(unknown.output.hasPrefix(#"{"action":"nosuch","ok":false,"reason":"unknown_action""#))

    #expect(try await stage.history().map(\.sequence) == Array(1...5))
    try await eventually("all published") { stage.listener.messages("weighing").count == 5 }
    #expect(stage.types().count { $0 == "voided" } == 2)
  }

  @Test(arguments: [["commit"], ["void"], ["action", "beans"]]) func missesTheBroker(_ command: [String]) async throws {
    let ended = try await Program.run(command + ["--broker", "mqtt://127.0.0.1:\(try FreePort.any())"])
    #expect(ended.code == 69 && ended.output.isEmpty)
    #expect(ended.complaints.contains("no broker: mqtt://127.0.0.1:"), "\(ended.complaints)")
  }

  private func text(_ ended: Program.Ended, _ path: String...) -> String? { value(in: ended.output, path) as? String }
  private func number(_ ended: Program.Ended, _ path: String...) -> Int? { value(in: ended.output, path) as? Int }
}
