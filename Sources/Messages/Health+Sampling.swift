import Weighing

extension Health {
  /// Writes how the pad samples the load, as fields of `pad`.
  func write(_ report: SamplingReport, to json: inout JSONWriter) {
    json.field("sample_rate_hz", report.sampling.rate, decimals: 1)
    json.field("noise_g", report.sampling.noise.value, decimals: 4)
    json.field("stability_ms", report.stableTime.seconds * 1000, decimals: 0)
  }
}
