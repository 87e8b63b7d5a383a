import Foundation
import Testing

/// A weighing that was confirmed is recorded and published, even if the broker or the process fails.
@Suite struct PromiseTests {
  /// Commits continuously, as fast as the broker accepts them.
  private func burst(_ stage: Stage, _ count: Int) throws -> Program {
    let lines = (1...count).map { #"{"label":"\#($0)"}"# }.joined(separator: "\n") + "\n"
    let input = try stage.scale.folder.write("commits", lines)
    return try Program("mosquitto_pub", stage.publication("command/commit", ["-l"]), input: input)
  }

  private func reported(_ listener: Listener) -> [String] {
    listener.messages("result").compactMap { $0("weighing", "id") as? String }
  }

  @Test(arguments: [SIGTERM, SIGKILL]) func endsDuringCommits(_ signal: Int32) async throws {
    let stage = try await Stage(pad: RunningScale.plain)
    try await eventually("a load at rest") { stage.listener.messages("live").last?("state") as? String == "stable" }
    let commits = try burst(stage, 2000)
    try await eventually("some are recorded") { reported(stage.listener).count >= 10 }
    let began = ContinuousClock.now
    stage.scale.program.send(signal)
    let ended = try await stage.scale.program.ended()
    let took = ContinuousClock.now - began
    if signal == SIGTERM {
      #expect(ended.code == 0 && took < .milliseconds(4900), "\(took)")
      try await eventually("goodbye") { stage.listener.last("availability") == "offline" }
    }
    commits.end()
    let history = try await stage.history()
    #expect(history.map(\.sequence) == Array(1...history.count))
    let told = reported(stage.listener)
    #expect(Set(told).isSubset(of: history.map(\.id)))
    #expect(try await Program.run(["history", "verify", "--journal", stage.scale.journal]).code == 0)
    // What was not acknowledged comes with the next start.
    let again = try Program.grampad(["run", "--config", stage.scale.path])
    try await eventually("all told") {
      Set(stage.listener.messages("weighing").map { $0("id") as? String ?? "" }) == Set(history.map(\.id))
    }
    #expect(again.isRunning)
    print("signal \(signal): \(told.count) reported, \(history.count) recorded, ended after \(took)")
  }

  @Test func outlivesABrokerThatHangs() async throws {
    // A press commits while the broker hangs and other commands are waiting.
    let stage = try await Stage()
    try await eventually("a press") {
      stage.listener.messages("gesture").contains { $0("action") as? String == "commit" }
    }
    let commits = try burst(stage, 40)
    stage.broker.send(SIGSTOP)
    let resumed = ContinuousClock.now + .seconds(3)
    var sources = ""
    while ContinuousClock.now < resumed {
      sources = try await Program.run(["history", "--json", "--journal", stage.scale.journal]).output
    }
    print("recorded while the broker hung: \(sources.split(separator: "\n").count - 2)")
    stage.broker.send(SIGCONT)
    #expect(try await commits.ended().code == 0)
    let correlated = try await stage.command()
    #expect(correlated("ok") as? Bool == true)
    // Those of the burst; the command after it is asked again while the load is pressed.
    let answers = stage.listener.messages("result").count {
      $0("source") as? String == "mqtt" && !($0("correlation") is String)
    }
    #expect(answers == 40)
    let history = try await stage.history()
    try await eventually("all told") {
      Set(stage.listener.messages("weighing").map { $0("id") as? String ?? "" }) == Set(history.map(\.id))
    }
    var numbers: [String: Set<Int>] = [:]
    for message in stage.listener.messages("weighing") {
      numbers[message("id") as? String ?? "", default: []].insert(message("sequence") as? Int ?? 0)
    }
    #expect(numbers.values.map(\.count).max() == 1, "one number an id")
    #expect(numbers.values.flatMap(\.self).sorted() == Array(1...history.count))
    #expect(Set(history.map(\.id)) == Set(reported(stage.listener)), "the press has a result, too")
  }
}
