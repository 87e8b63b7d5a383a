import Weighing

/// All figures of one series with one setting.
struct SeriesBench {
  let series: LoadSeries
  let setting: CellSetting
  let delivery: BenchCell.Delivery
  /// The range of the converter is 2 to this power; that of the series if it is `nil`.
  let bits: Int?
  /// The tunable peers with the best parameters for the loads of `brew`; `nil` if it is not in the folder.
  let tuning: PeerTuning?

  private var name: String { "\(series.name), \(setting.name)" }

  /// Runs the series and returns its figures.
  func figures() throws -> [Figure] {
    let run = try CellRun(series, on: BenchCell(series, delivery: delivery, bits: bits), setting)
    let grampad = LevelTrace(run)
    let traces =
      [grampad] + Self.peers(tuning).map { LevelTrace($0, series) } + series.own.map { LevelTrace($0, series) }
    let figures =
      switch series.kind {
      case .placements: placements(run, traces)
      case .pour: pour(run, traces)
      case .empty: excursions(run, traces)
      case .swinging: swings(run, traces)
      }
    return figures + common(run)
  }

  /// The nine peers.
  static func peers(_ tuning: PeerTuning?) -> [any BenchFilter] {
    let published: [any BenchFilter] = [
      TrackWeightMean(), HX711Average(), ESPHomeFilters(), SimpleKalman(), OneEuro(), AlphaBeta(),
    ]
    return published + (tuning.map { [$0.kalman, $0.oneEuro, $0.alphaBeta] } ?? [])
  }

  private func figure(
    _ what: String, _ unit: String, _ value: Double?, of contender: String = BenchFilterName.grampad.rawValue,
    goal: Goal? = nil, remark: String? = nil
  ) -> Figure {
    Figure(what, unit, on: name, of: contender, value, goal: goal, remark: remark)
  }

  private func common(_ run: CellRun) -> [Figure] {
    [
      figure("zeroed_after", "s", run.zeroed.first?.time ?? .infinity, goal: RealGoals.zeroed),
      figure("zeroed_mass", "g", run.zeroed.first?.mass),
      figure("messages_on_stable", "1", Double(run.settled.count), goal: RealGoals.messages(series)),
      figure("stable_onsets", "1", Double(run.stableTimes.count)),
      figure(
        "presses_fired", "1", Double(run.presses), goal: RealGoals.presses,
        remark: "\(name); confirmed \(run.confirmations)"),
      figure("overloads", "1", Double(run.overloads)),
    ]
  }

  // MARK: Loads that come to rest

  private func placements(_ run: CellRun, _ traces: [LevelTrace]) -> [Figure] {
    let truth = PlacementTruth(series)
    let onsets = truth.plateaus.map { traces[0].stable(from: $0.rest, before: $0.end) }
    let limitKept = truth.limitKept(motion: setting.motion, for: Double(setting.time) / 1000).quantile(0.9)
    var figures = [figure("rest_to_limit_kept_p90", "s", limitKept, of: "samples")]
    for trace in traces {
      let score = PlacementScore(trace, truth, tolerance: setting.motion, onsets: onsets)
      let isGrampad = trace.name == BenchFilterName.grampad.rawValue
      if let lateness = score.lateness {
        let goal = isGrampad && setting == .tenths ? RealGoals.lateness(limitKept: limitKept) : nil
        figures += [
          figure("rest_to_stable_p50", "s", lateness.quantile(0.5), of: trace.name),
          figure("rest_to_stable_p90", "s", lateness.quantile(0.9), of: trace.name, goal: goal),
          figure("rest_to_stable_max", "s", lateness.last, of: trace.name, remark: "\(lateness.count) loads"),
        ]
      }
      figures += [
        figure("rest_to_reading_p50", "s", score.settling.quantile(0.5), of: trace.name),
        figure("rest_to_reading_p90", "s", score.settling.quantile(0.9), of: trace.name),
        figure("error_at_onset", "g", score.errorAtOnset, of: trace.name),
        figure("noise_at_rest", "g", score.noise, of: trace.name),
        figure(
          "drift_error", "g", score.drift, of: trace.name,
          goal: isGrampad && setting == .tenths ? RealGoals.drift : nil),
      ]
    }
    return figures + [latest(truth, onsets, traces)].compactMap(\.self) + certainty(run, truth)
  }

  /// By how much Grampad is later than the steady flag of the recorded scale; on the worst plateau. A flag that was set
  /// before the load came to rest has not noticed the change.
  private func latest(_ truth: PlacementTruth, _ onsets: [Double?], _ traces: [LevelTrace]) -> Figure? {
    guard
      let own = traces.first(where: { trace in series.own.contains { $0.name == trace.name && $0.isSteady != nil } })
    else { return nil }
    let later = zip(truth.plateaus, onsets).compactMap { plateau, onset -> Double? in
      guard let flag = own.stable(from: plateau.rest, before: plateau.end), flag > plateau.rest else { return nil }
      return (onset ?? plateau.end) - flag
    }
    return figure("later_than_own_flag", "s", later.max(), goal: setting == .tenths ? RealGoals.later : nil)
  }

  private func certainty(_ run: CellRun, _ truth: PlacementTruth) -> [Figure] {
    let score = UncertaintyScore(run, truth)
    let topic = TopicScore(run, series)
    let isFine = setting == .tenths || setting == .hundredths
    return [
      figure(
        "outside_2u", "1", score.outside, goal: isFine ? RealGoals.outside : nil,
        remark: "\(score.count) readings; without the error of zero \(Table.percent(score.outsideWithoutZero))"),
      figure("uncertainty_to_needed", "1", score.toNeeded, goal: isFine ? RealGoals.needed : nil),
      figure("uncertainty_median", "g", score.median),
      figure(
        "topic_lag", "s", run.stableTimes.isEmpty ? nil : topic.lag, goal: RealGoals.topic,
        remark: "at \(Table.number(topic.at)) s"),
      figure("end_value", "g", run.readings.last?.displayed),
      figure(
        "end_value_error", "g", run.readings.last?.displayed.map { ($0 - RealGoals.brewEnd).magnitude },
        goal: RealGoals.end(series)),
    ]
  }

  // MARK: Pours, empty scales and swinging loads

  private func pour(_ run: CellRun, _ traces: [LevelTrace]) -> [Figure] {
    let flow = PourFlow(series)
    return traces.filter { $0.stableTimes != nil }.map { trace in
      let goal = trace.name == traces[0].name ? RealGoals.stableFlow(series) : nil
      return figure(
        "stable_in_flow", "1", flow.stableShare(trace, series), of: trace.name, goal: goal,
        remark: "\(flow.samples.count) samples")
    } + [figure("topic_lag", "s", TopicScore(run, series).lag)]
  }

  private func excursions(_ run: CellRun, _ traces: [LevelTrace]) -> [Figure] {
    let step = setting.division.step.value
    let start = run.zeroed.first?.time ?? .infinity
    let shown = zip(series.times, run.readings).filter { $0.0 > start }.map { ($0.1.displayed ?? .infinity).magnitude }
    let goal = setting == .half && series.name == "coldstart" ? RealGoals.excursion : nil
    return [figure("largest_excursion", "g", shown.max(), goal: goal)]
      + traces.dropFirst().map { trace in
        let second = series.indices(from: 0, to: 1)
        let zero = trace.levels[second].reduce(0, +) / Double(second.count)
        let largest = trace.levels[second.upperBound...].map { ((($0 - zero) / step).rounded() * step).magnitude }.max()
        return figure("largest_excursion", "g", largest, of: trace.name)
      }
  }

  private func swings(_ run: CellRun, _ traces: [LevelTrace]) -> [Figure] {
    var figures: [Figure] = []
    for trace in traces where trace.stableTimes != nil {
      let score = SwingScore(trace, series)
      let goal = trace.name == traces[0].name ? RealGoals.swing : nil
      figures += [
        figure(
          "onsets_over_6_g", "1", Double(score.swingingOnsets), of: trace.name, goal: goal,
          remark: "of \(score.onsets) in \(Table.number(score.hours)) h"),
        figure("largest_swing_at_onset", "g", score.worst, of: trace.name),
      ]
    }
    let messages = SwingScore.loadings(of: series).map { loading in run.settled.count { loading.contains($0.time) } }
    return figures + [
      figure(
        "messages_per_loading_max", "1", messages.max().map(Double.init), goal: RealGoals.loading,
        remark: messages.map(String.init).joined(separator: " "))
    ]
  }
}
