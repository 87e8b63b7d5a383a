/// How the pad samples the load, and what follows from that, for `health`.
public struct SamplingReport: Hashable, Sendable {
  /// The measured sample period and noise.
  public var sampling: PadSampling
  /// The stability time in force: the configured one, at least six sample periods.
  public var stableTime: Interval
}

/// Decides when the sampling of the pad is reported: when a load has come to rest, or has not for a while (`Unrest`), and a
/// value has changed by more than a quarter.
struct SamplingReports: Sendable {
  private var reported: SamplingReport?
  private var wasAtRest = false
  /// The noise of a sample when a load last was at rest, in grams; `nil` before the first.
  private(set) var noiseAtRest: Double?

  /// Forgets the reports: the pad is gone or another one is connected.
  mutating func reset() { self = SamplingReports() }

  /// Whether nothing was reported.
  var isEmpty: Bool { reported == nil }

  /// Whether the load has come to rest since the last call.
  mutating func isDue(isAtRest: Bool) -> Bool {
    defer { wasAtRest = isAtRest }
    return isAtRest && !wasAtRest
  }

  /// Decides on a report; returns whether it is sent.
  mutating func accept(_ report: SamplingReport, isAtRest: Bool) -> Bool {
    if isAtRest { noiseAtRest = report.sampling.noise.value }
    if let reported, !reported.differs(from: report) { return false }
    reported = report
    return true
  }
}

extension SamplingReport {
  fileprivate func differs(from other: SamplingReport) -> Bool {
    func differ(_ a: Double, _ b: Double) -> Bool { (a - b).magnitude > 0.25 * a.magnitude }
    return differ(sampling.rate, other.sampling.rate) || differ(sampling.noise.value, other.sampling.noise.value)
      || differ(stableTime.seconds, other.stableTime.seconds)
  }
}

extension LoadMeter {
  /// How the pad samples the load, and the stability time in force.
  func samplingReport(on pad: ConnectedPad) -> SamplingReport {
    SamplingReport(
      sampling: PadSampling(
        period: samplePeriod, noise: Grams(sampleDeviation * pad.calibration.slope(at: raw)),
        deliversEverySample: deliversEverySample), stableTime: stableTime)
  }
}
