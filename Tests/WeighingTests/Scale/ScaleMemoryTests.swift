import Testing
import Weighing

/// Tare, epoch and learned plate after a restart.
@Suite struct ScaleMemoryTests {
  private func lastMemory(_ effects: [Effect]) -> ScaleMemory? {
    effects.compactMap { if case .memory(let memory, _) = $0 { memory } else { nil } }.last
  }

  /// A new scale that is handed the memory before its pad.
  private func restarted(
    _ memory: ScaleMemory, _ settings: ScaleSettings = ScaleSettings(), pad: PadDescription = .slots()
  ) -> HandFedScale {
    var scale = HandFedScale(settings, pad: nil)
    scale.handle(.restore(memory))
    scale.handle(.padFound(pad))
    scale.wait(.zero)
    return scale
  }

  private var platter: ScaleSettings {
    var settings = ScaleSettings()
    settings.surface = .platter
    return settings
  }

  @Test func theTareSurvivesWithALoadAndOnAnEmptyPad() throws {
    var scale = HandFedScale()
    scale.settle(300)
    scale.ask(.tare)
    let memory = try #require(lastMemory(scale.take()))
    #expect(memory.tare == Grams(150) && memory.tareEpoch == 1 && memory.plateCounts == nil)
    for load in [0, 320] {
      var again = restarted(memory)
      #expect(again.reading.tareEpoch == 1 && again.reading.tare.steps == 150)
      if load > 0 { again.frame(load) }
      again.wait(.seconds(1))
      again.settle(320)
      #expect(again.reading.printable == "10 g" && again.reading.tareEpoch == 1)
      #expect(lastMemory(again.take()) == nil, "nothing has changed")
    }
  }

  /// A run that was killed has published epochs that it did not store: none of them is published again.
  @Test func theNextChangeGoesAboveEveryPublishedEpoch() throws {
    var killed = HandFedScale()
    killed.settle(300)
    killed.ask(.tare)
    var memory = try #require(lastMemory(killed.take()))
    memory.highestEpoch = 1001
    var scale = restarted(memory)
    scale.settle(300)
    #expect(scale.reading.tareEpoch == 1 && lastMemory(scale.take()) == nil)
    scale.ask(.zero)
    let next = try #require(lastMemory(scale.take()))
    #expect(next.tareEpoch == 1002 && next.highestEpoch == 1002)
    scale.settle(450)
    scale.ask(.tare)
    #expect(scale.reading.tareEpoch == 1003)
    // A state that comes late does not undo what this run has done.
    var late = HandFedScale()
    late.settle(300)
    late.ask(.tare)
    late.handle(.restore(memory))
    late.settle(300)
    #expect(late.reading.tareEpoch == 1002 && late.reading.tare.steps == 150)
  }

  /// A subscriber that is there before the state was read gets no reading of epoch 0.
  @Test func nothingIsPublishedBeforeAnythingIsKnown() {
    var scale = HandFedScale(ScaleSettings(), pad: nil)
    scale.handle(.refresh)
    #expect(scale.take().isEmpty)
  }

  @Test func anEmptyPadDropsTheTareWhereLiftingDoes() throws {
    var settings = ScaleSettings()
    settings.scale.tareOnRelease = .clear
    var scale = HandFedScale(settings)
    scale.settle(300)
    scale.ask(.tare)
    let memory = try #require(lastMemory(scale.take()))
    var empty = restarted(memory, settings)
    #expect(empty.reading.tare.steps == 0 && empty.reading.tareEpoch == 2)
    #expect(empty.take().events.contains(.tareCleared))
    var loaded = HandFedScale(settings, pad: nil)
    loaded.handle(.restore(memory))
    loaded.handle(.padFound(.slots()))
    loaded.settle(300)
    #expect(loaded.reading.printable == "0 g" && loaded.reading.tare.steps == 150)
  }

  @Test func anotherPadDropsIt() throws {
    var scale = HandFedScale()
    scale.settle(300)
    scale.ask(.tare)
    let memory = try #require(lastMemory(scale.take()))
    var other = PadDescription.slots()
    other.name = "another"
    var again = restarted(memory, pad: other)
    #expect(again.reading.tare.steps == 0 && again.reading.tareEpoch == 2, "the epoch never goes back")
    again.settle(300)
    #expect(again.reading.printable == "150 g")
  }

  struct Start: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var counts: Int
    var printable: String
    var epoch: Int
  }

  @Test(arguments: [
    Start(testDescription: "the same", counts: 100, printable: "0 g", epoch: 2),
    Start(testDescription: "1.5 g more", counts: 103, printable: "0 g", epoch: 2),
    Start(testDescription: "2 g less", counts: 96, printable: "0 g", epoch: 2),
    Start(testDescription: "3 g more", counts: 106, printable: "3 g", epoch: 1),
    Start(testDescription: "a load", counts: 300, printable: "100 g", epoch: 1),
    Start(testDescription: "no plate", counts: 40, printable: "-30 g", epoch: 1),
  ])
  func thePlateIsZeroedAgainWithinTwoDivisions(_ start: Start) throws {
    var scale = HandFedScale(platter)
    scale.settle(100)
    let memory = try #require(lastMemory(scale.take()))
    #expect(memory.plateCounts == 100 && memory.tareEpoch == 1)
    var again = restarted(memory, platter)
    again.settle(start.counts)
    again.wait(.seconds(1))
    #expect(again.reading.printable == start.printable)
    #expect(again.reading.tareEpoch == start.epoch)
  }

  @Test func aChangeOfSurfaceDropsThePlate() throws {
    var scale = HandFedScale(platter)
    scale.settle(100)
    let memory = try #require(lastMemory(scale.take()))
    var again = restarted(memory)
    again.settle(300)
    #expect(again.reading.printable == "150 g" && again.reading.tareEpoch == 1)
  }

  /// Zero tracking is stored in quarters of a division, not at every step.
  @Test func trackingIsStoredRarely() {
    var scale = HandFedScale(platter)
    scale.settle(100)
    _ = scale.take()
    for second in 1...500 {
      scale.hold(100 + 0.008 * Double(second), for: .seconds(1), noise: 0.7, every: .milliseconds(40))
    }
    let stored = scale.take().filter { if case .memory = $0 { true } else { false } }
    #expect((1...12).contains(stored.count), "\(stored.count) for 2 g")
  }

  @Test func aReloadKeepsItAll() {
    var scale = HandFedScale(platter)
    scale.settle(100)
    scale.settle(300)
    scale.ask(.tare)
    scale.change { $0.scale.minimum = Grams(5) }
    scale.settle(320)
    #expect(scale.reading.printable == "10 g" && scale.reading.tareEpoch == 2)
  }

  /// A finger on the plate while it is learned.
  @Test func aPlateLearnedUnderALoadIsNoticed() {
    var scale = HandFedScale(platter)
    scale.settle(140)
    _ = scale.take()
    scale.settle(80)
    scale.wait(.seconds(2))
    #expect(scale.reading.printable == "-30 g" && scale.reading.isUnderloaded)
    #expect(scale.take().padWarnings == [.plateTooHeavy])
    scale.ask(.zero)
    scale.wait(.seconds(2))
    #expect(scale.reading.printable == "0 g" && scale.take().padWarnings == [nil])
    scale.settle(40)
    scale.wait(.seconds(2))
    #expect(scale.take().padWarnings.isEmpty, "after an explicit zero a negative gross is meant")
  }
}
