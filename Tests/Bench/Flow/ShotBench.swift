/// The figures of recorded pours.
struct ShotBench {
  let folder: ShotFolder
  let delivery: BenchCell.Delivery

  /// How long the first value of a recording rests before it, so that the scale finds its plate, and the tare in it.
  private static let lead = 8.0
  private static let tare = 7.0
  /// A recording of more grams than this is one of a filter coffee, poured by hand; an espresso is lighter.
  private static let byHand = 100.0
  /// The flows of a pour.
  private static let pouring = 0.3...12

  /// All figures.
  func figures() throws -> [Figure] {
    var figures: [Figure] = []
    if let brew = try folder.brew() { figures += try self.figures(brew, program: [], tares: [3]) }
    for recording in try folder.recordings() {
      let period = LoadSeries(recording).period
      var series = LoadSeries(recording)
      let count = Int(Self.lead / period)
      series.times = (0..<count).map { Double($0) * period } + series.times.map { $0 + Double(count) * period }
      series.grams = [Double](repeating: series.grams[0], count: count) + series.grams
      let own = recording.own.map { ($0.time + Double(count) * period, $0.flow) }
      figures += try self.figures(series, program: own, tares: [Self.tare])
    }
    return figures
  }

  private func figures(_ series: LoadSeries, program: [(time: Double, flow: Double)], tares: [Double]) throws
    -> [Figure]
  {
    let run = try FlowRun(series, on: BenchCell(series, delivery: delivery), .tenths, tares: tares)
    let reference = ReferenceFlow(series)
    func figure(_ what: String, _ unit: String, _ value: Double?, of contender: String = "grampad", goal: Goal? = nil)
      -> Figure
    { Figure(what, unit, on: series.name, of: contender, value, goal: goal) }
    let pouring = series.times.indices.filter { reference.flows[$0].map(Self.pouring.contains) ?? false }
    let known = zip(series.times, run.flows).compactMap { time, flow in flow.map { (time, $0) } }
    let lag = reference.lag(of: known)
    let atRest = reference.resting.compactMap { run.flows[$0]?.magnitude }
    var figures = [
      figure("flowing_time", "s", Double(pouring.count) * series.period),
      figure("unknown_in_flow", "1", Double(pouring.count { run.flows[$0] == nil }) / Double(max(pouring.count, 1))),
      figure("lag", "s", lag?.lag), figure("rms_at_lag", "g/s", lag?.rms),
      figure("largest_at_rest", "g/s", atRest.max()), figure("pours", "1", Double(run.pours.count)),
    ]
    if let lag = reference.lag(of: program) {
      figures += [figure("lag", "s", lag.lag, of: "own"), figure("rms_at_lag", "g/s", lag.rms, of: "own")]
    }
    let pours = reference.pours(from: tares[0])
    let detected = run.detected.filter { $0.began > tares[0] - 1 }
    func offset(_ value: Double?, _ reference: Double?) -> Double? { value.flatMap { v in reference.map { v - $0 } } }
    figures += [
      figure("pours", "1", Double(pours.count), of: "reference"),
      figure("pours_detected", "1", Double(detected.count)),
      figure("unknown_in_pour", "1", series.unknown(in: pours, run.flows)),
      figure("first_start_offset", "s", offset(detected.first?.began, pours.first?.began)),
      figure("last_end_offset", "s", offset(detected.last?.ended, pours.last?.ended)),
    ]
    if (series.grams.max() ?? 0) > Self.byHand {
      func error(_ what: String, _ unit: String, _ value: Double?, _ goal: Goal) -> Figure {
        figure(what, unit, value?.magnitude ?? .infinity, goal: goal)
      }
      figures += [
        error("pours_error", "1", Double(detected.count - pours.count), FlowGoals.recordedPours),
        error("first_start_error", "s", offset(detected.first?.began, pours.first?.began), FlowGoals.recordedTime),
        error("last_end_error", "s", offset(detected.last?.ended, pours.last?.ended), FlowGoals.recordedTime),
      ]
    }
    if let pour = run.pours.first {
      let onset = reference.onset(from: tares[0])
      figures += [
        figure("start_offset", "s", onset.map { pour.began - $0 }),
        figure(
          "stop_offset", "s", pour.ended.flatMap { ended in reference.end(from: (onset ?? 0) + 2).map { ended - $0 } }),
      ]
    }
    return figures
  }
}

extension LoadSeries {
  /// A recorded pour, whose scale has reported steps of 0.1 g: one count.
  init(_ recording: ShotRecording) {
    let largest = recording.grams.max() ?? 0
    self.init(
      name: recording.name, kind: .pour, times: recording.times, grams: recording.grams, countsPerGram: 10, bits: 16,
      capacity: largest > 900 ? 2000 : 1000)
  }
}
