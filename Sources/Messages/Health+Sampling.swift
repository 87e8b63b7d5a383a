import Weighing

extension Health {
  /// Writes how the pad samples the load, as fields of `pad`.
  func write(_ report: SamplingReport, to json: inout JSONWriter) {
    json.key("sample_rate_hz")
    json.number(report.sampling.rate, decimals: 1)
    json.key("noise_g")
    json.number(report.sampling.noise.value, decimals: 4)
    json.key("stability_ms")
    json.number(report.stableTime.seconds * 1000, decimals: 0)
  }
}
