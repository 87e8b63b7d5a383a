import Languages
import Weighing

extension PadDiagnosis {
  /// What to do about a finding, in one or two sentences.
  package func advice(_ finding: DiagnosisFinding) -> Sentence {
    switch finding {
    case .noSamples:
      samples == 0
        ? Sentence(.adviceNoSample, ["seconds": text(duration.seconds, 1)])
        : Sentence(.adviceFewSamples, ["count": samples, "seconds": text(duration.seconds, 1)])
    case .noLoad: Sentence(.adviceNoLoad)
    case .stuck: Sentence(.adviceStuck, ["count": samples])
    case .noForce: Sentence(.adviceNoForce, ["count": samples])
    case .silent: Sentence(.adviceSilent)
    case .slow: Sentence(.adviceSlow, ["rate": text(rate ?? 0, 1), "needed": text(Self.leastRateForPresses, 0)])
    case .slowForPresses:
      Sentence(.adviceSlowForPresses, ["rate": text(rate ?? 0, 1), "needed": text(Self.leastRateForPresses, 0)])
    case .gaps:
      Sentence(.adviceGaps, count: gaps.count, ["time": text((gaps.max() ?? .zero).seconds * 1000, 0)])
    case .lostEvents: Sentence(.adviceLostEvents, count: losses)
    case .saturated: Sentence(.adviceSaturated, ["saturated": saturatedSamples, "count": samples])
    case .rangeTooSmall:
      Sentence(.adviceRangeTooSmall, ["mass": text(fullMass.value, 1), "capacity": text(capacity.value, 1)])
    case .rangeHardlyUsed:
      calibration == .nominal
        ? Sentence(.adviceRangeHardlyUsed, ["percent": text(100 * (rangeUsed ?? 0), 2)])
        : Sentence(.adviceCapacitySmall, ["percent": text(100 * capacity.value / fullMass.value, 2)])
    case .coarse:
      Sentence(
        .adviceCoarse,
        [
          "mass": text(gramsPerCount, 3), "division": text(division.value, 3),
          "suitable": text(suitableDivision.value, 3),
        ])
    case .steps: Sentence(.adviceSteps, ["count": smallestStep ?? 0])
    case .moving:
      Sentence(.adviceMoving, ["seconds": text(rest.seconds, 1), "needed": text(Self.leastRest, 0)])
    case .noisy:
      Sentence(
        .adviceNoisy,
        [
          "noise": text(noise?.mass.value ?? 0, 3), "division": text(division.value, 3),
          "suitable": text(suitableDivision.value, 3),
        ])
    case .spikes: Sentence(.adviceSpikes, count: spikes)
    case .drifting: Sentence(.adviceDrifting, ["drift": text(60 * (drift?.mass.value ?? 0), 2)])
    }
  }

  private func text(_ number: Double, _ decimals: Int) -> String { DecimalText.trimmed(number, decimals: decimals) }
}
