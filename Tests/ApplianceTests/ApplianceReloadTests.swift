import Configuration
import Linux
import Logging
import Recordings
import Synchronization
import Testing
import Weighing

@testable import Appliance

/// The weighing loop in real time, with a simulated pad.
@Suite struct ApplianceReloadTests {
  @Test func theTareSurvivesAReload() async throws {
    let told = Told()
    let loop = WeighingLoop(logger: Logger(label: "test"))
    defer { loop.stop() }
    var script = LoadScript()
    script.place(Grams(30), at: .seconds(0.1))
    let pad = SimulatedPad(.ideal, script: script, start: .now(), countsPerGram: 2)
    var settings = ScaleSettings()
    settings.publish.heartbeat = .milliseconds(200)
    let sources = WeighingLoop.Sources(
      pad: { try SimulatedPadSource(pad, Configuration.Pad()) }, buttons: { nil })
    loop.start(settings: settings, sources: sources) { _ in
    } onEffect: {
      told.append($0)
    }
    try await told.eventually("a settled load") { if case .settled = $0 { true } else { false } }
    loop.send(.request(ActionRequest(action: .tare, source: .mqtt)))
    try await told.eventually("tared") { effect in
      if case .result(let result) = effect { result.rejection == nil && result.reading.tare.steps > 0 } else { false }
    }
    let before = try #require(told.results.last?.reading)
    settings.scale.capacity = Grams(300)
    loop.send(.settings(settings))
    try await told.eventually("reloaded") { effect in
      if case .event(let event) = effect { event.kind == .reloaded } else { false }
    }
    try await told.eventually("a reading under the new capacity") { effect in
      if case .live(let reading) = effect { reading.capacity == Grams(300) } else { false }
    }
    let after = try #require(told.readings.last)
    #expect(after.tare == before.tare && after.tare.steps > 0)
    #expect(after.net == DisplayedMass(steps: 0, division: .gram))
    #expect(after.tareEpoch == before.tareEpoch)
  }
}

/// The effects that a loop has told.
private final class Told: Sendable {
  private let effects = Mutex<[Effect]>([])

  func append(_ effect: Effect) { effects.withLock { $0.append(effect) } }

  var readings: [Reading] {
    effects.withLock { $0 }.compactMap { effect in
      if case .live(let reading) = effect { reading } else { nil }
    }
  }

  var results: [ActionResult] {
    effects.withLock { $0 }.compactMap { effect in
      if case .result(let result) = effect { result } else { nil }
    }
  }

  /// Waits for an effect; the loop runs in real time.
  func eventually(_ what: Comment, _ isIt: (Effect) -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(15)
    while !effects.withLock({ $0.contains(where: isIt) }) {
      try #require(ContinuousClock.now < end, what)
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}
