/// Something about a pad that makes it a worse scale than it could be.
package enum DiagnosisFinding: String, Hashable, Sendable, CaseIterable {
  /// No sample arrived.
  case noSamples = "no_samples"
  /// The value never changes.
  case stuck
  /// Every contact has the same value: the pad reports touch, not force.
  case noForce = "no_force"
  /// The pad was silent under a load, so that its sample rate is not known.
  case silent
  /// Too few samples to weigh.
  case slow
  /// Too few samples for presses of added force.
  case slowForPresses = "slow_for_presses"
  /// Samples are missing.
  case gaps
  /// The kernel lost events.
  case lostEvents = "lost_events"
  /// The axis is at its end.
  case saturated
  /// The axis ends below the capacity.
  case rangeTooSmall = "range_too_small"
  /// The capacity uses only a small part of the axis.
  case rangeHardlyUsed = "range_hardly_used"
  /// One count is more than a division.
  case coarse
  /// The values skip counts.
  case steps
  /// The load did not rest for long enough.
  case moving
  /// The noise of a sample is larger than the division.
  case noisy
  /// Single wrong samples.
  case spikes
  /// The reading drifts.
  case drifting
  /// No load was on a pad that reports only loads.
  case noLoad = "no_load"
}

extension PadDiagnosis {
  /// The least samples per second for weighing; at fewer, `stability.time_ms` and the filter cannot work as documented.
  package static let leastRate = 5.0
  /// The least samples per second for presses of added force: presses of 0.7 s need six samples.
  package static let leastRateForPresses = 9.0
  /// The least time at rest for noise and drift, in seconds.
  package static let leastRest = 2.0
  /// The axis is hardly used below this fraction of it.
  private static let leastRange = 0.01

  /// What is wrong, the most important finding first; empty if nothing is.
  package var findings: [DiagnosisFinding] {
    if samples == 0, deliversEverySample { return [.noSamples] }
    if uniqueValues == 0 { return [deliversEverySample ? .stuck : .noLoad] }
    var found: [DiagnosisFinding] = []
    if uniqueValues == 1, samples >= 10 { found.append(deliversEverySample ? .stuck : .noForce) }
    if rate == nil {
      found.append(deliversEverySample ? .noSamples : .silent)
    } else if let rate, rate < Self.leastRate {
      found.append(.slow)
    } else if let rate, rate < Self.leastRateForPresses {
      found.append(.slowForPresses)
    }
    if !gaps.isEmpty { found.append(.gaps) }
    if losses > 0 { found.append(.lostEvents) }
    if saturatedSamples > 0 { found.append(.saturated) }
    found += rangeFindings
    if found.contains(.stuck) || found.contains(.noForce) { return found }
    if gramsPerCount > division.value * 1.001 { found.append(.coarse) }
    if uniqueValues >= 8, let smallestStep, smallestStep > 1 { found.append(.steps) }
    if rest.seconds < Self.leastRest { found.append(.moving) }
    if let noise, noise.mass > division { found.append(.noisy) }
    if spikes > 0 { found.append(.spikes) }
    if isDrifting { found.append(.drifting) }
    return found
  }

  private var rangeFindings: [DiagnosisFinding] {
    switch calibration {
    case .kernel, .known, .user:
      if fullMass < capacity { return [.rangeTooSmall] }
      return capacity.value / fullMass.value < Self.leastRange ? [.rangeHardlyUsed] : []
    case .nominal:
      // Without a calibration, the capacity is the end of the axis by definition: what was seen counts.
      guard let rangeUsed, let range, uniqueValues > 1 else { return [] }
      let highest = Double(range.upperBound) / Double(max(axis.largestSum.counts, 1))
      return max(rangeUsed, deliversEverySample ? 0 : highest) < Self.leastRange ? [.rangeHardlyUsed] : []
    }
  }

  /// Whether the load certainly moves by more than a division a minute.
  private var isDrifting: Bool {
    guard let drift, let driftDeviation, rest.seconds >= Self.leastRest else { return false }
    return drift.mass.value.magnitude * 60 > division.value
      && drift.counts.magnitude > 4 * driftDeviation.counts
  }

  /// The division that suits the noise: the smallest 1, 2 or 5 times a power of ten that is not below it.
  package var suitableDivision: Grams {
    let least = max(noise?.mass.value ?? 0, gramsPerCount)
    var power = 0.001
    while power < 1000 {
      for step in [1.0, 2, 5] where step * power >= least * 0.999 { return Grams(step * power) }
      power *= 10
    }
    return Grams(1000)
  }
}
