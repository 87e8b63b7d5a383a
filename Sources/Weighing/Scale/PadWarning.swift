/// A problem that makes the readings of the pad unreliable, for `health`.
public enum PadWarning: String, Hashable, Sendable, CaseIterable {
  /// The learned plate was heavier than the real one: a finger or a load was on it, or the plate was removed.
  case plateTooHeavy = "plate_too_heavy"
  /// The firmware of the pad has treated two successive loads as its zero.
  case padSuspect = "pad_suspect"
  /// A pad that cannot be silent has delivered no sample for two seconds or fifteen sample periods.
  case noSamples = "no_samples"
  /// The pad repeats one value where chance cannot explain it, or stands at an end of its range: a wire is loose, or the
  /// converter hangs.
  case noSignal = "no_signal"
  /// A load-cell converter without a calibration: its counts are no mass.
  case notCalibrated = "not_calibrated"
  /// A load has been on the pad for 10 s without coming to rest, because its samples scatter by more than the limit of motion.
  case tooNoisy = "too_noisy"
  /// The pad sends values beyond the range of its axis that the driver states: loads above it are overload, although the pad could
  /// weigh them.
  case rangeExceeded = "range_exceeded"
  /// The pad was selected automatically and reports the area of a contact as pressure: it cannot weigh reliably.
  case contactArea = "contact_area"
}

/// Why a pad is not fit for weighing, for the event `pad_suspect`.
public enum PadSuspicion: String, Hashable, Sendable, CaseIterable {
  /// Its firmware treats resting loads as its zero.
  case rebaselining
  /// Its samples do not come from the sensor.
  case noSignal = "no_signal"
}

/// Reports what is wrong with the pad and how it samples the load, each on a change.
struct PadReports: Sendable {
  private var warning: PadWarning?
  private var sampling = SamplingReports()
  private var unrest = Unrest()

  /// Forgets how the pad samples: it is gone or another one is connected.
  mutating func resetSampling() { sampling.reset() }

  /// Reports what has changed.
  ///
  /// - Parameters:
  ///   - hasAssumedPlate: Whether a plate lies on the pad whose zero was only learned.
  ///   - isUnderloaded: Whether the reading is below zero.
  ///   - motion: The limit of motion in grams.
  @inline(__always)
  mutating func report(
    _ meter: LoadMeter, on pad: ConnectedPad?, hasAssumedPlate: Bool, isUnderloaded: Bool, motion: Grams,
    tareEpoch: Int, at now: Instant, _ effects: inout [Effect]
  ) {
    observeUnrest(of: meter, on: pad, motion: motion, at: now)
    let evidence = PadWarning.Evidence(
      isFrozen: meter.isFrozen, isSuspect: meter.isSuspect, isSilent: meter.isSilent,
      isCalibrated: pad?.isCalibrated != false,
      hasAssumedPlate: hasAssumedPlate,
      isAtRest: meter.isStable(at: now, patience: StabilityDetector.maximumPatience), isUnderloaded: isUnderloaded,
      isTooNoisy: unrest.isNoise, isRangeExceeded: meter.isRangeExceeded, isDoubtful: pad?.isDoubtful == true)
    if let pad, pad.isCalibrated, isReportDue(isAtRest: evidence.isAtRest, at: now) {
      var report = meter.samplingReport(on: pad)
      // While a load comes to rest, the filter is slow to take movement for noise.
      if let noise = unrest.noise { report.sampling.noise = Grams(noise) }
      if sampling.accept(report, isAtRest: evidence.isAtRest) { effects.append(.sampling(report, at: now)) }
    }
    let present = PadWarning.evaluate(evidence, after: warning)
    guard present != warning else { return }
    warning = present
    if let suspicion = present?.suspicion {
      effects.append(.event(ScaleEvent(kind: .padSuspect(suspicion), time: now, tareEpoch: tareEpoch)))
    }
    effects.append(.padWarning(present, at: now))
  }

  @inline(__always)
  private mutating func observeUnrest(of meter: LoadMeter, on pad: ConnectedPad?, motion: Grams, at now: Instant) {
    guard let pad, pad.isCalibrated, !meter.isIdle, let frame = meter.lastFrame, !meter.isSilent, !meter.isFrozen,
      !meter.isStable(at: now, patience: 1)
    else { return unrest.end() }
    if meter.isInDoubt { return }
    unrest.observe(
      pad.calibration.mass(atCounts: Double(meter.raw.counts)).value, of: frame, motion: motion.value,
      noiseAtRest: sampling.noiseAtRest)
  }

  private mutating func isReportDue(isAtRest: Bool, at now: Instant) -> Bool {
    let isUnrestDue = unrest.isReportDue(isFirst: sampling.isEmpty, at: now)
    return sampling.isDue(isAtRest: isAtRest) || isUnrestDue
  }
}

extension PadWarning {
  /// Why the pad is not fit for weighing; `nil` if it is.
  fileprivate var suspicion: PadSuspicion? {
    switch self {
    case .padSuspect: .rebaselining
    case .noSignal: .noSignal
    case .noSamples, .plateTooHeavy, .notCalibrated, .tooNoisy, .rangeExceeded, .contactArea: nil
    }
  }

  /// What the monitor of the pad looks at.
  struct Evidence {
    /// Whether the samples of the pad do not come from its sensor.
    var isFrozen: Bool
    /// Whether the pad treats resting loads as its zero.
    var isSuspect: Bool
    /// Whether the pad has stopped delivering samples.
    var isSilent: Bool
    /// Whether the counts of the pad are known in grams.
    var isCalibrated: Bool
    /// Whether a plate lies on the pad whose zero was only learned.
    var hasAssumedPlate: Bool
    /// Whether the load has been at rest for long.
    var isAtRest: Bool
    var isUnderloaded: Bool
    /// Whether noise has kept the load from coming to rest for long.
    var isTooNoisy: Bool
    /// Whether the pad has sent values beyond the range that the driver states.
    var isRangeExceeded: Bool
    /// Whether the pad reports the area of a contact as pressure.
    var isDoubtful: Bool
  }

  /// Returns the warning that replaces another one: about a pad without signal or samples, one that re-baselines, a
  /// converter without a calibration, a wrong range, a plate with a learned zero that rests below it, noise, or a pad that measures
  /// no force.
  static func evaluate(_ evidence: Evidence, after previous: PadWarning?) -> PadWarning? {
    if evidence.isFrozen { return .noSignal }
    if evidence.isSilent { return .noSamples }
    if evidence.isSuspect { return .padSuspect }
    if !evidence.isCalibrated { return .notCalibrated }
    if evidence.isRangeExceeded { return .rangeExceeded }
    if isPlateTooHeavy(evidence, after: previous) { return .plateTooHeavy }
    if evidence.isTooNoisy { return .tooNoisy }
    return evidence.isDoubtful ? .contactArea : nil
  }

  private static func isPlateTooHeavy(_ evidence: Evidence, after previous: PadWarning?) -> Bool {
    guard evidence.hasAssumedPlate else { return false }
    return evidence.isAtRest ? evidence.isUnderloaded : previous == .plateTooHeavy
  }
}
