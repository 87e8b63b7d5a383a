import Weighing

/// Watches one contender through one trial.
struct Watch {
  private(set) var result = TrialResult()
  private let criterion: StabilityCriterion?
  private var stableSince: Instant?
  private var isOff = false
  /// What was displayed at rest since it was first called stable there.
  private var shown: [Double] = []

  init(_ contender: any Contender) {
    criterion = contender.criterion
  }

  /// One sample of the trial, with what is true of it.
  struct Moment {
    var time: Instant
    /// Seconds since the load came to rest; negative before.
    var sinceRest: Double
    /// What the sensor feels; while it is stirred or shaken, what lies on it.
    var truth: Double
    /// The load is being dripped into, stirred or shaken.
    var isDisturbed: Bool
  }

  /// The load has come to rest while this was still the level.
  mutating func beginRest(level: Double, truth: Double) {
    isOff = (level - truth).magnitude > Trial.division
  }

  /// The contender has taken the sample of a moment.
  mutating func see(_ contender: some Contender, at moment: Moment, of trial: Trial, _ recent: RecentLoad) {
    let miss = contender.level - moment.truth
    if moment.sinceRest >= 0 { rest(miss, moment.sinceRest) }
    if moment.isDisturbed {
      result.disturbedSum -= miss
      result.disturbedSquares += miss * miss
      result.disturbedCount += 1
      if contender.stableSince != nil { result.disturbedStable += 1 }
    }
    if contender.stableSince != stableSince { changeStability(to: contender.stableSince, miss, moment, trial, recent) }
    if moment.sinceRest > 0, let displayed = contender.displayed { show(displayed) }
  }

  /// Ends the trial: what is still off never settled.
  mutating func end() {
    if isOff { result.settling = BenchLoad.watched.seconds }
  }

  private mutating func rest(_ miss: Double, _ time: Double) {
    if miss.magnitude > Trial.division {
      isOff = true
    } else if isOff {
      isOff = false
      result.settling = time
    }
    if time >= Trial.steadyAfter {
      result.steadySquares += miss * miss
      result.steadyCount += 1
    }
  }

  private mutating func changeStability(
    to new: Instant?, _ miss: Double, _ moment: Moment, _ trial: Trial, _ recent: RecentLoad
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
    } else if trial.isEarly(new, truth: moment.truth) {
      result.earlyStables += 1
    }
    let lateness = max((new - trial.restsAt).seconds - criterion.time.seconds, -criterion.time.seconds)
    let samples = max(((new - trial.restsAt).seconds * Double(trial.pad.rate)).rounded(.down) + 1, 1)
    result.stable = TrialResult.Stable(
      lateness: lateness, error: miss, bound: trial.deviation / samples.squareRoot())
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
