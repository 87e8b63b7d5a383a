import Capture
import Languages
import Linux
import Messages
import Weighing

/// A diagnosis as text and as JSON.
struct DiagnosisListing {
  private let diagnosis: PadDiagnosis
  private let path: String

  private let texts: Texts

  init(_ outcome: PadSampler.Outcome, texts: Texts) {
    self.texts = texts
    diagnosis = outcome.diagnosis
    path = outcome.path
  }

  // MARK: Text

  /// The figures as a table, and the advice as a list.
  var text: String {
    let name = diagnosis.pad.name.isEmpty ? texts(.diagnoseUnnamed) : diagnosis.pad.name.escapedForTerminal
    var text = "\(name) (\(path.escapedForTerminal)), \(diagnosis.axis.name) 0...\(diagnosis.axis.fullScale.counts)\n\n"
    let rows: [(TextKey, String)] = [
      (.diagnoseSamples, samples), (.diagnoseGaps, gaps), (.diagnoseNoise, noise), (.diagnoseUnique, uniqueValues),
      (.diagnoseSaturated, saturation), (.diagnoseRange, range), (.diagnoseDrift, drift),
      (.diagnoseCalibration, calibration),
    ]
    text += TextTable.text(rows.map { [texts($0), $1] })
    text += "\n"
    let findings = diagnosis.findings
    guard !findings.isEmpty else { return text + texts(.diagnoseNoProblem) + "\n" }
    for finding in findings { text += texts(Sentence(.diagnoseAdvice, ["advice": diagnosis.advice(finding)])) + "\n" }
    return text
  }

  private var samples: String {
    let values = ["count": "\(diagnosis.samples)", "seconds": fixed(diagnosis.duration.seconds, 1)]
    guard let rate = diagnosis.rate else { return texts(.diagnoseRateUnknown, values) }
    return texts(.diagnoseRate, values.merging(["rate": fixed(rate, 1)]) { $1 })
  }

  private var gaps: String {
    let silence = ["time": fixed(diagnosis.longestSilence.seconds * 1000, 0)]
    var parts = [
      diagnosis.gaps.isEmpty ? texts(.diagnoseNone) : "\(diagnosis.gaps.count)",
      texts(diagnosis.deliversEverySample ? .diagnoseSilence : .diagnoseSilenceRepeated, silence),
    ]
    if diagnosis.losses > 0 { parts.append(texts(.diagnoseLosses, count: diagnosis.losses)) }
    return parts.joined(separator: ", ")
  }

  private var noise: String {
    guard let noise = diagnosis.noise else { return texts(.diagnoseNotAtRest) }
    var parts = [
      texts(
        .diagnoseNoiseText,
        [
          "counts": significant(noise.counts), "mass": significant(noise.mass.value),
          "divisions": significant(noise.mass.value / diagnosis.division.value),
          "seconds": fixed(diagnosis.rest.seconds, 1),
        ])
    ]
    if diagnosis.spikes > 0 { parts.append(texts(.diagnoseSpikes, count: diagnosis.spikes)) }
    return parts.joined(separator: ", ")
  }

  private var uniqueValues: String {
    guard let step = diagnosis.smallestStep else { return "\(diagnosis.uniqueValues)" }
    return texts(.diagnoseSteps, count: Int(step), ["values": "\(diagnosis.uniqueValues)"])
  }

  private var saturation: String {
    diagnosis.saturatedSamples == 0
      ? texts(.diagnoseNever) : texts(.diagnoseSaturatedCount, count: diagnosis.saturatedSamples)
  }

  private var range: String {
    guard let range = diagnosis.range, let used = diagnosis.rangeUsed else { return "-" }
    return texts(
      .diagnoseRangeText,
      ["range": "\(range.lowerBound)...\(range.upperBound)", "percent": significant(used * 100)])
  }

  private var drift: String {
    guard let drift = diagnosis.drift, let deviation = diagnosis.driftDeviation else {
      return texts(.diagnoseNotAtRest)
    }
    let sign = drift.mass.value < 0 ? "" : "+"
    return texts(
      .diagnoseDriftText,
      ["drift": sign + significant(drift.mass.value * 60), "uncertainty": significant(deviation.mass.value * 60)])
  }

  private var calibration: String {
    let origin: TextKey =
      switch diagnosis.calibration {
      case .user: .originUser
      case .kernel: .originKernel
      case .known: .originKnown
      case .nominal: .originNominal
      }
    return texts(
      .diagnoseCalibrationText,
      [
        "origin": texts(origin), "grams": significant(diagnosis.gramsPerCount),
        "division": significant(diagnosis.division.value), "capacity": significant(diagnosis.capacity.value),
      ])
  }

  private func fixed(_ number: Double, _ decimals: Int) -> String { DecimalText.fixed(number, decimals: decimals) }

  /// A number with about three significant digits.
  private func significant(_ number: Double) -> String {
    var decimals = 0
    var bound = 100.0
    while number != 0, number.magnitude < bound, decimals < 6 {
      decimals += 1
      bound /= 10
    }
    return DecimalText.trimmed(number, decimals: decimals)
  }

  // MARK: JSON

  /// The figures as a JSON object on a line; `null` for unknown ones.
  var json: String {
    let json = JSONWriter.object { json in
      json.fields(("pad", diagnosis.pad.name), ("path", path), ("axis", diagnosis.axis.name))
      for (key, value) in figures { json.field(key, value, decimals: 9) }
      json.field("delivers_every_sample", diagnosis.deliversEverySample)
      json.field("calibration", diagnosis.calibration.rawValue)
      json.array("findings", diagnosis.findings) { json, finding in json.string(finding.rawValue) }
      json.array("advice", diagnosis.findings) { json, finding in json.string(diagnosis.advice(finding).description) }
    }
    return String(decoding: json, as: UTF8.self) + "\n"
  }

  private var figures: [(key: String, value: Double?)] {
    let diagnosis = diagnosis
    return [
      ("duration_s", diagnosis.duration.seconds), ("samples", Double(diagnosis.samples)),
      ("samples_per_second", diagnosis.rate), ("gaps", Double(diagnosis.gaps.count)),
      ("longest_gap_ms", diagnosis.gaps.max().map { $0.seconds * 1000 }),
      ("longest_silence_ms", diagnosis.longestSilence.seconds * 1000), ("lost_events", Double(diagnosis.losses)),
      ("noise_counts", diagnosis.noise?.counts), ("noise_g", diagnosis.noise?.mass.value),
      ("spikes", Double(diagnosis.spikes)), ("rest_s", diagnosis.rest.seconds),
      ("unique_values", Double(diagnosis.uniqueValues)), ("smallest_step", diagnosis.smallestStep.map(Double.init)),
      ("saturated_samples", Double(diagnosis.saturatedSamples)),
      ("minimum", diagnosis.range.map { Double($0.lowerBound) }),
      ("maximum", diagnosis.range.map { Double($0.upperBound) }),
      ("axis_maximum", Double(diagnosis.axis.fullScale.counts)), ("range_used", diagnosis.rangeUsed),
      ("drift_counts_per_s", diagnosis.drift?.counts), ("drift_g_per_s", diagnosis.drift?.mass.value),
      ("drift_uncertainty_g_per_s", diagnosis.driftDeviation?.mass.value), ("g_per_count", diagnosis.gramsPerCount),
      ("division_g", diagnosis.division.value), ("capacity_g", diagnosis.capacity.value),
    ]
  }
}
