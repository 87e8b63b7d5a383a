import Weighing

/// Scores one filter during one trial.
struct TrialObserver {
  private(set) var result = TrialResult()
  private let criterion: StabilityCriterion?
  private var stableSince: Instant?
  private var isOff = false
  /// The values displayed at rest since the first stable reading.
  private var shown: [Double] = []

  init(_ filter: any BenchFilter) { criterion = filter.criterion }

  /// One sample of the trial with the true load.
  struct Sample {
    var time: Instant
    /// Time since rest in seconds; negative before.
    var sinceRest: Double
    /// The force on the sensor; during stirring and vibration the load on it.
    var truth: Double
    /// Whether the load is disturbed by a drip, stirring or vibration.
    var isDisturbed: Bool
  }

  /// Starts the scoring of settling; called when the load comes to rest.
  mutating func beginRest(level: Double, truth: Double) { isOff = (level - truth).magnitude > Trial.division }

  /// Scores the filter after it has processed a sample.
  mutating func observe(_ filter: any BenchFilter, at sample: Sample, of trial: Trial, _ recent: LoadHistory) {
    let error = filter.level - sample.truth
    if sample.sinceRest >= 0 { rest(error, sample.sinceRest) }
    if sample.isDisturbed {
      result.disturbedSum -= error
      result.disturbedSquares += error * error
      result.disturbedCount += 1
      if filter.stableSince != nil { result.disturbedStable += 1 }
    }
    if filter.stableSince != stableSince { changeStability(to: filter.stableSince, error, sample, trial, recent) }
    if sample.sinceRest > 0, let displayed = filter.displayed { show(displayed) }
  }

  /// Ends the trial. A reading that is still off has not settled.
  mutating func end() { if isOff { result.settling = BenchLoad.watched.seconds } }

  private mutating func rest(_ error: Double, _ time: Double) {
    if error.magnitude > Trial.division {
      isOff = true
    } else if isOff {
      isOff = false
      result.settling = time
    }
    if time >= Trial.steadyAfter {
      result.steadySquares += error * error
      result.steadyCount += 1
    }
  }

  private mutating func changeStability(
    to new: Instant?, _ error: Double, _ sample: Sample, _ trial: Trial, _ recent: LoadHistory
  ) {
    if let stableSince {
      if stableSince >= trial.restsAt { result.lostStables += 1 }
      result.stable = nil
    }
    stableSince = new
    guard let new, let criterion else { return }
    let motion = recent.motion(within: criterion.time, before: new)
    if motion > criterion.limit {
      result.falseStables += 1
      let most = Interval(nanoseconds: criterion.time.nanoseconds - Trial.tolerance.nanoseconds)
      if recent.motion(within: most, before: new) > criterion.limit { result.hastyStables += 1 }
      result.worstMotion = max(result.worstMotion, motion)
    } else if trial.isEarly(new, truth: sample.truth) {
      result.earlyStables += 1
    }
    let rested = (new - trial.restsAt).seconds
    let lateness = max(rested - criterion.time.seconds, -criterion.time.seconds)
    // A filter that reports earlier treats all of its stability time as rest.
    let samples = (max(rested, criterion.time.seconds) * Double(trial.pad.rate)).rounded(.down) + 1
    result.stable = TrialResult.Stable(
      lateness: lateness, error: error, bound: trial.deviation / samples.squareRoot())
  }

  private mutating func show(_ displayed: Double) {
    guard let last = shown.last else {
      if stableSince != nil { shown.append(displayed) }
      return
    }
    guard displayed != last else { return }
    result.corrections += 1
    if shown.contains(displayed) { result.flickers += 1 }
    shown.append(displayed)
  }
}
