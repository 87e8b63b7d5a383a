extension PadDiagnosis {
  /// What to do about a finding, in one or two sentences.
  package func advice(_ finding: DiagnosisFinding) -> String {
    switch finding {
    case .noSamples:
      "\(samples == 0 ? "no sample" : "only \(samples) samples") in \(text(duration.seconds, 1)) s: check the wiring of the converter (data, clock, supply), its "
        + "device-tree overlay, and the kernel log"
    case .noLoad:
      "the pad reported no load. A pad that nothing touches is silent: put a mass of about half the capacity on it and "
        + "run the command again"
    case .stuck:
      "the value never changed in \(samples) samples: a converter without noise has no input. Check the wires of the "
        + "load cell, the channel (pad.channel) and the supply"
    case .noForce:
      "the value was the same in \(samples) frames: the pad reports that it is touched, not how hard. It cannot weigh; "
        + "see `grampad devices` for others"
    case .silent:
      "the load rested and the pad was silent: its noise is below one count. Move the load during the diagnosis to see "
        + "the sample rate"
    case .slow:
      "\(text(rate ?? 0, 1)) samples/s are too few: the reading is late and presses do not work. Raise the rate of the "
        + "converter (pad.rate_hz) to \(text(Self.leastRateForPresses, 0)) samples/s or more"
    case .slowForPresses:
      "\(text(rate ?? 0, 1)) samples/s suffice for weighing, but presses of added force need "
        + "\(text(Self.leastRateForPresses, 0)). Raise the rate of the converter (pad.rate_hz), or use buttons"
    case .gaps:
      "\(gaps.count) \(gaps.count == 1 ? "gap" : "gaps") of up to \(milliseconds(gaps.max() ?? .zero)): samples are "
        + "missing. Check the cable and the radio link, and whether another program uses the converter or the processor"
    case .lostEvents:
      "the kernel lost events \(losses) \(losses == 1 ? "time" : "times"): this computer was too busy to read them"
    case .saturated:
      "\(saturatedSamples) of \(samples) samples were at the end of the axis: the load is not known there. Reduce the "
        + "load, lower the gain (pad.gain), or use a stronger sensor"
    case .rangeTooSmall:
      "the axis ends at \(text(fullMass.value, 1)) g, below scale.capacity_g of \(text(capacity.value, 1)) g. Lower the "
        + "capacity, lower the gain (pad.gain), or use a stronger sensor"
    case .rangeHardlyUsed:
      calibration == .nominal
        ? "only \(text(100 * (rangeUsed ?? 0), 2)) % of the axis was used. If a load was on the pad, raise the gain "
          + "(pad.gain) or use a weaker sensor, and calibrate"
        : "the capacity takes only \(text(100 * capacity.value / fullMass.value, 2)) % of the axis. Raise the gain "
          + "(pad.gain) or use a weaker sensor"
    case .coarse:
      "one count is \(text(gramsPerCount, 3)) g, more than scale.division_g of \(text(division.value, 3)) g: set "
        + "scale.division_g to \(text(suitableDivision.value, 3)), or use a pad with more counts"
    case .steps:
      "the values differ by at least \(smallestStep ?? 0) counts: the lowest bits of the axis are not used, so its "
        + "resolution is lower than its range suggests"
    case .moving:
      "the load was at rest for only \(text(rest.seconds, 1)) s: noise and drift need \(text(Self.leastRest, 0)) s. Put a "
        + "mass on the pad and leave it there"
    case .noisy:
      "the noise of one sample, \(text(noise?.mass.value ?? 0, 3)) g, is larger than scale.division_g of "
        + "\(text(division.value, 3)) g: the reading takes longer to settle. Set scale.division_g to "
        + "\(text(suitableDivision.value, 3)), or reduce the noise: short shielded wires, a clean supply, no vibration, a "
        + "lower sample rate"
    case .spikes:
      "\(spikes) single wrong \(spikes == 1 ? "sample" : "samples"). The scale sets single ones aside; the cause is a loose "
        + "contact, long wires, or a converter that is read while it changes"
    case .drifting:
      "the load drifts by \(text(60 * (drift?.mass.value ?? 0), 2)) g/min. Let the pad warm up and the load rest, keep "
        + "draughts and warmth away, and check that nothing touches the plate. If it stays, the sensor creeps"
    }
  }

  private func text(_ number: Double, _ decimals: Int) -> String { DecimalText.trimmed(number, decimals: decimals) }

  private func milliseconds(_ interval: Interval) -> String { text(interval.seconds * 1000, 0) + " ms" }
}
