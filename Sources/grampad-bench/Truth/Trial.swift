import Recordings
import Weighing

/// What one contender did in one trial; times in seconds, masses in grams.
struct TrialResult {
  /// From rest until the level is within one division of the truth for good; 0 when it was before.
  var settling = 0.0
  /// Squares of the differences to the truth from 2 s after rest, summed, and how many.
  var steadySquares = 0.0
  var steadyCount = 0
  /// The mean of truth less level while the load is dripped into or shaken, and the mean square of it.
  var lag = 0.0
  var disturbedSquare = 0.0
  /// From rest until it was called stable for good, and the error then; `nil` without such a thing.
  var stableAfter: Double?
  var errorAtStable: Double?
  /// How often it was called stable while the load was still to change by more than a division.
  var falseStables = 0
  /// How often the display changed after the reading had become stable at rest ...
  var corrections = 0
  /// ... and how often to a value that it had left before.
  var flickers = 0
}

/// One load on one pad, watched by all contenders.
struct Trial {
  let pad: BenchPad
  let load: BenchLoad
  let seed: UInt64

  /// One division.
  static let division = 1.0

  func run() throws -> (results: [TrialResult], contenders: [any Contender]) {
    let settings = try pad.settings()
    guard let curve = settings.curve else { preconditionFailure("every bench pad is calibrated") }
    var device = SimulatedPad(pad.physics, script: load.script, reporting: .slots, seed: seed)
    var ideal = SimulatedPad(pad.idealPhysics, script: load.script, reporting: .slots, seed: seed)
    let noise = pad.sampleDeviation(at: load.mass)
    var contenders: [any Contender] = [
      try GrampadScale(pad: device.description, settings: settings, start: device.start),
      TrackWeightMean(), HX711Average(), ESPHomeFilters(), SimpleKalman(), TunedKalman(noise: noise, rate: pad.rate),
      OneEuro(), AlphaBeta(),
    ]
    var results = contenders.map { _ in TrialResult() }
    var wasStable = contenders.map { _ in false }
    var disturbed = 0
    var counts = Touch()
    var felt = Touch()
    var events: [InputEvent] = []
    var idealEvents: [InputEvent] = []
    var shown: [Double] = []
    while true {
      events.removeAll(keepingCapacity: true)
      idealEvents.removeAll(keepingCapacity: true)
      let time = device.next(into: &events)
      ideal.next(into: &idealEvents)
      let elapsed = time - device.start
      if elapsed > load.end { break }
      counts.take(events)
      felt.take(idealEvents)
      let sample = PadSample(
        time: time, grams: counts.value == 0 ? 0 : curve.mass(at: RawForce(Int(counts.value))).value,
        events: events[...])
      // What the sensor feels is all that anybody can know; shaking is no part of the load.
      let isShaken = load.disturbance?.contains(elapsed) ?? false
      let truth =
        isShaken
        ? load.script.truth(at: elapsed).value : pad.idealPhysics.force(at: Double(felt.value)).value
      let final = load.script.truth(at: load.end).value
      if isShaken { disturbed += 1 }
      for index in contenders.indices {
        contenders[index].take(sample)
        let miss = contenders[index].level - truth
        if elapsed > load.rest {
          if miss.magnitude > Self.division { results[index].settling = elapsed.seconds - load.rest.seconds }
          if elapsed > load.rest + .seconds(2) {
            results[index].steadySquares += miss * miss
            results[index].steadyCount += 1
          }
        }
        if isShaken {
          results[index].lag -= miss
          results[index].disturbedSquare += miss * miss
        }
        guard let isStable = contenders[index].isStable else { continue }
        if isStable, !wasStable[index] {
          let isChanging = (load.script.truth(at: elapsed).value - final).magnitude > Self.division
          let isStirred = load.kind == .stirring && isShaken
          // A drip of a gram a second never rests, and never moves by a division within the time: either is right.
          if load.kind != .drip, isChanging || isStirred { results[index].falseStables += 1 }
          results[index].stableAfter = elapsed.seconds - load.rest.seconds
          results[index].errorAtStable = miss
        }
        wasStable[index] = isStable
      }
      if let scale = contenders[0] as? GrampadScale, elapsed > load.rest, wasStable[0] {
        if let last = shown.last, last != scale.displayed {
          results[0].corrections += 1
          if shown.contains(scale.displayed) { results[0].flickers += 1 }
        }
        if shown.last != scale.displayed { shown.append(scale.displayed) }
      }
    }
    for index in results.indices where disturbed > 0 {
      results[index].lag /= Double(disturbed)
      results[index].disturbedSquare /= Double(disturbed)
    }
    return (results, contenders)
  }
}

/// The counts of a pad with one thing on it, kept from its events.
private struct Touch {
  var value: Int32 = 0

  mutating func take(_ events: [InputEvent]) {
    for event in events where event.type == .absolute {
      if event.code == AxisCode.multitouchPressure.rawValue { value = event.value }
      if event.code == AxisCode.trackingID.rawValue, event.value < 0 { value = 0 }
    }
  }
}
