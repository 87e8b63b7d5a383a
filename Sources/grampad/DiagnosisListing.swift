import Capture
import EventLoop
import Messages
import Terminal
import Weighing

/// A diagnosis as text and as JSON.
struct DiagnosisListing {
  private let diagnosis: PadDiagnosis
  private let path: String

  init(_ outcome: PadSampler.Outcome) {
    diagnosis = outcome.diagnosis
    path = outcome.path
  }

  // MARK: Text

  /// The figures as a table, and the advice as a list.
  var text: String {
    let name = diagnosis.pad.name.isEmpty ? "unnamed pad" : diagnosis.pad.name.escapedForTerminal
    var text = "\(name) (\(path.escapedForTerminal)), \(diagnosis.axis.name) 0...\(diagnosis.axis.fullScale.counts)\n\n"
    text += TextTable.text([
      ["samples", samples], ["gaps", gaps], ["noise", noise], ["unique values", uniqueValues],
      ["saturated", saturation], ["range used", range], ["drift", drift], ["calibration", calibration],
    ])
    text += "\n"
    let findings = diagnosis.findings
    guard !findings.isEmpty else { return text + "No problem found.\n" }
    for finding in findings { text += "- \(diagnosis.advice(finding)).\n" }
    return text
  }

  private var samples: String {
    let rate = diagnosis.rate.map { "\(fixed($0, 1)) per second" } ?? "rate unknown"
    return "\(diagnosis.samples) in \(fixed(diagnosis.duration.seconds, 1)) s, \(rate)"
  }

  private var gaps: String {
    let silence = "longest silence \(fixed(diagnosis.longestSilence.seconds * 1000, 0)) ms"
    let lost =
      diagnosis.losses == 0 ? "" : ", events lost \(diagnosis.losses) \(diagnosis.losses == 1 ? "time" : "times")"
    let count = diagnosis.gaps.isEmpty ? "none" : "\(diagnosis.gaps.count)"
    let note = diagnosis.deliversEverySample ? "" : " (repeated values are not sent)"
    return "\(count), \(silence)\(note)\(lost)"
  }

  private var noise: String {
    guard let noise = diagnosis.noise else { return "unknown: the load did not rest" }
    let divisions = noise.mass.value / diagnosis.division.value
    let spikes =
      diagnosis.spikes == 0
      ? "" : ", \(diagnosis.spikes) wrong \(diagnosis.spikes == 1 ? "sample" : "samples") left out"
    return
      "\(significant(noise.counts)) counts, \(significant(noise.mass.value)) g, \(significant(divisions)) divisions; "
      + "\(fixed(diagnosis.rest.seconds, 1)) s at rest\(spikes)"
  }

  private var uniqueValues: String {
    let step = diagnosis.smallestStep.map { ", in steps of \($0) \($0 == 1 ? "count" : "counts")" } ?? ""
    return "\(diagnosis.uniqueValues)\(step)"
  }

  private var saturation: String {
    diagnosis.saturatedSamples == 0 ? "never" : "\(diagnosis.saturatedSamples) samples"
  }

  private var range: String {
    guard let range = diagnosis.range, let used = diagnosis.rangeUsed else { return "-" }
    return "\(range.lowerBound)...\(range.upperBound), \(significant(used * 100)) % of the axis"
  }

  private var drift: String {
    guard let drift = diagnosis.drift, let deviation = diagnosis.driftDeviation else {
      return "unknown: the load did not rest"
    }
    let sign = drift.mass.value < 0 ? "" : "+"
    return
      "\(sign)\(significant(drift.mass.value * 60)) g/min, uncertainty \(significant(deviation.mass.value * 60)) g/min"
  }

  private var calibration: String {
    "\(diagnosis.calibration.rawValue), \(significant(diagnosis.gramsPerCount)) g per count; "
      + "division \(significant(diagnosis.division.value)) g, capacity \(significant(diagnosis.capacity.value)) g"
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
    var json = JSONWriter()
    json.object { json in
      for (key, text) in [("pad", diagnosis.pad.name), ("path", path), ("axis", diagnosis.axis.name)] {
        json.key(key)
        json.string(text)
      }
      write(figures, to: &json)
      json.key("delivers_every_sample")
      json.boolean(diagnosis.deliversEverySample)
      json.key("calibration")
      json.string(diagnosis.calibration.rawValue)
      json.key("findings")
      json.array { json in diagnosis.findings.forEach { json.string($0.rawValue) } }
      json.key("advice")
      json.array { json in diagnosis.findings.forEach { json.string(diagnosis.advice($0)) } }
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
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

  private func write(_ figures: [(key: String, value: Double?)], to json: inout JSONWriter) {
    for (key, value) in figures {
      json.key(key)
      if let value { json.number(value, decimals: 9) } else { json.null() }
    }
  }
}
