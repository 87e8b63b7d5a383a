import CSimulatedDisk
import Foundation
import Testing

/// Lives of scales, a broker and a collector, each from a seed: what was answered is recorded and stored once, and nothing waits for ever.
///
/// `GRAMPAD_WORLD_SEEDS=100000..<200000` chooses the seeds; a seed that fails is repeated with its history.
@Suite struct WorldTests {
  private static var seeds: Range<UInt64> {
    let text = ProcessInfo.processInfo.environment["GRAMPAD_WORLD_SEEDS"] ?? "0..<60"
    let ends = text.components(separatedBy: "..<").compactMap { UInt64($0) }
    return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : 0..<1
  }

  @Test func everySeedIsWell() {
    var counts = World.Counts()
    var failed: [String] = []
    for seed in Self.seeds where failed.count < 3 {
      let world = Self.live(seed)
      counts += world.counts
      guard !world.violations.isEmpty else { continue }
      let again = Self.live(seed, keepsHistory: true)
      failed.append("seed \(seed): \(world.violations.prefix(5))\n\(again.history.suffix(60).joined(separator: "\n"))")
    }
    print("world: seeds \(Self.seeds), \(counts)")
    for text in failed { Issue.record("\(text)") }
  }

  private static func live(_ seed: UInt64, keepsHistory: Bool = false) -> World {
    simulated_disk_skip_waits(true)
    let world = World(seed: seed, scales: 1 + Int(seed % 5), keepsHistory: keepsHistory)
    world.live()
    return world
  }
}
