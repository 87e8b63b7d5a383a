import Recordings
import TestExtent
import Testing

@testable import Weighing

/// Which doses are learned, over random plants.
@Suite struct LearnedStopsTests {
  /// A source whose dead time scatters by 5 %, and what was learned about it.
  private struct Plant {
    var deadTime: Double
    var learned = LearnedStops()
    private var random: SplitMix64

    init(seed: Int) {
      random = SplitMix64(seed: UInt64(seed))
      deadTime = 0
      change()
    }

    mutating func unit() -> Double { random.unit() }

    mutating func change() { deadTime = 0.1 + 1.4 * random.unit() }

    /// Doses once, with another dead time if one is given; returns whether it is learned.
    mutating func dose(_ other: Double? = nil) -> Bool {
      let (flow, deadTime) = (0.5 + 7 * random.unit(), other ?? deadTime * (0.95 + 0.1 * random.unit()))
      return learned.append(LearnedStop.Sample(flow: flow, arrived: Grams(flow * deadTime)), to: "") != nil
    }

    /// Doses once with a dead time that is further from that of the plant than the scatter of five doses explains.
    mutating func doseOddly() -> Bool {
      var other = deadTime
      while (other - deadTime).magnitude < 0.7 { other = -0.1 + 3.1 * random.unit() }
      return dose(other)
    }

    /// Whether the learned dead time is one that the plant has.
    var isKnown: Bool {
      learned.stop(of: "")?.deadTime.map { ($0 - deadTime).magnitude <= 0.05 * deadTime + 1e-9 } ?? false
    }
  }

  /// Two doses of five are odd, sometimes two in a row.
  @Test(arguments: Extent.of(0..<8)) func outliersAreLeftOut(batch: Int) {
    for seed in batch * 50..<(batch + 1) * 50 {
      var plant = Plant(seed: seed)
      for _ in 0..<3 { _ = plant.dose() }
      var oddOnes = 0
      for _ in 0..<60 {
        if oddOnes < 2, plant.unit() < 0.4 {
          oddOnes += 1
          let isLearned = plant.doseOddly()
          #expect(!isLearned, "seed \(seed)")
        } else {
          oddOnes = 0
          let isLearned = plant.dose()
          #expect(isLearned, "seed \(seed)")
        }
        #expect(plant.isKnown, "seed \(seed)")
      }
      #expect(plant.learned.stops.map(\.samples.count) == [LearnedStop.maximumSamples])
    }
  }

  @Test(arguments: Extent.of(0..<8)) func anotherPlantIsLearned(batch: Int) {
    for seed in batch * 50..<(batch + 1) * 50 {
      var plant = Plant(seed: seed)
      for _ in 0..<Int(3 + 5 * plant.unit()) { _ = plant.dose() }
      let former = plant.deadTime
      plant.change()
      var doses = 0
      repeat {
        _ = plant.dose()
        doses += 1
      } while !plant.isKnown && doses < 20
      // Some doses of a plant that has changed by about the limit are outliers.
      #expect(doses <= ((plant.deadTime - former).magnitude > 0.7 ? 3 : 6), "seed \(seed): \(doses)")
      var restored = LearnedStops()
      restored.restore(plant.learned.stops)
      #expect(restored.stops == plant.learned.stops)
    }
  }

  @Test func theOldestLabelIsDropped() throws {
    var learned = LearnedStops()
    for index in 0..<70 {
      let first = learned.append(LearnedStop.Sample(flow: 1, arrived: Grams(1)), to: "\(index)")
      let changes = try #require(first)
      #expect(changes.map(\.label) == (index < 64 ? [] : ["\(index - 64)"]) + ["\(index)"])
      #expect(changes.map(\.samples.count) == (index < 64 ? [] : [0]) + [1])
      _ = learned.append(LearnedStop.Sample(flow: 1, arrived: Grams(1)), to: "\(index)")
    }
    #expect(learned.stops.count == LearnedStop.maximumLabels && learned.stop(of: "5") == nil)
    #expect(learned.stop(of: "6")?.samples.count == 2)
  }
}
