import CSimulatedDisk
import Foundation
import Testing

/// Lives of scales, a broker and a collector, each from a seed: what was answered is recorded and stored once, and nothing waits for ever.
///
/// `GRAMPAD_WORLD_SEEDS=100000..<200000` chooses the seeds. A life that fails is made as small as it can be, and printed with its history.
@Suite struct WorldTests {
  private static var seeds: Range<UInt64> {
    let text = ProcessInfo.processInfo.environment["GRAMPAD_WORLD_SEEDS"] ?? "0..<400"
    let ends = text.components(separatedBy: "..<").compactMap { UInt64($0) }
    precondition(ends.count == 2 && ends[0] < ends[1], "GRAMPAD_WORLD_SEEDS is like 0..<60, not \(text)")
    return ends[0]..<ends[1]
  }

  /// Seeds that once reached something new, in the file `corpus`; `GRAMPAD_WORLD_CORPUS` names a file that gets those of this run.
  private static func corpus() throws -> [UInt64] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "corpus")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { UInt64($0) }
  }

  @Test func everySeedIsWell() throws {
    var counts = World.Counts()
    var failed: World.Plan?
    var new: [UInt64] = []
    let corpus = Self.seeds.lowerBound == 0 ? try Self.corpus() : []
    for seed in corpus + Self.seeds where failed == nil {
      let plan = World.Plan(seed: seed)
      let world = Self.live(plan)
      if counts.add(world.counts) { new.append(seed) }
      if !world.violations.isEmpty { failed = plan }
    }
    print("world: \(corpus.count) seeds of the corpus and \(Self.seeds): \(counts)")
    if let path = ProcessInfo.processInfo.environment["GRAMPAD_WORLD_CORPUS"] {
      try new.map { "\($0)\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
    }
    if Self.seeds.count >= 400, failed == nil {
      #expect(Step.allCases.filter { counts.steps[$0] == nil } == [], "not taken")
    }
    if let failed { Issue.record("\(Self.report(Self.shrunk(failed)))") }
  }

  @Test func theStepsAreThoseOfTheModel() throws {
    let model = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../DeliveryModel/delivery.pml")
    let names = try String(contentsOf: model, encoding: .utf8).matches(of: /(?:\/\*|:) steps? (\w+)(?: and (\w+))?/)
      .flatMap { [String($0.1), $0.2.map(String.init)].compactMap(\.self) }
    let (modelled, taken) = (Set(names), Set(Step.allCases.map(\.rawValue)))
    #expect(taken.isSubset(of: modelled), "\(taken.subtracting(modelled))")
    // Seen from outside, these are like others: health and answers that are published once more, and what is sent after a retry.
    #expect(modelled.subtracting(taken) == ["answerAgain", "repeatHealth", "retry"])
  }

  /// The smallest life found that still fails: fewer scales, kinds of faults, and seconds.
  private static func shrunk(_ plan: World.Plan) -> World.Plan {
    var plan = plan
    func isSmaller(_ change: (inout World.Plan) -> Void) -> Bool {
      var smaller = plan
      change(&smaller)
      guard !live(smaller).violations.isEmpty else { return false }
      plan = smaller
      return true
    }
    _ = (1..<plan.scales).first { count in isSmaller { $0.scales = count } }
    for fault in World.Fault.allCases { _ = isSmaller { $0.faults[fault] = nil } }
    _ = [2, 5, 10, 20, 40].first { seconds in isSmaller { $0.seconds = seconds } }
    return plan
  }

  private static func report(_ plan: World.Plan) -> String {
    let world = live(plan, keepsHistory: true)
    return "\(plan): \(world.violations.prefix(5))\n\(world.history.suffix(60).joined(separator: "\n"))"
  }

  private static func live(_ plan: World.Plan, keepsHistory: Bool = false) -> World {
    simulated_disk_skip_waits(true)
    defer { simulated_disk_skip_waits(false) }
    let world = World(plan, keepsHistory: keepsHistory)
    world.live()
    return world
  }
}
