/// What was measured in the trials of one simulated pour.
struct PourScore: Sendable {
  let pour: SimulatedPour
  /// The values during the pour: outside their bound, and all.
  private(set) var outside = 0
  private(set) var values = 0
  /// The errors of the values from the first flow to the end of the pour, relative to it; of Grampad, and of a line
  /// through all samples since the true start at the same moments.
  private(set) var errors: [Double] = []
  private(set) var lineErrors: [Double] = []
  /// The magnitudes of the values at rest before the pour.
  private(set) var rest: [Double] = []
  /// The samples of the pour after the first second at which the flow is unknown, and all of them.
  private(set) var unknown = (count: 0, of: 0)
  /// The seconds from the start to the first flow, and from the end to the first zero.
  private(set) var startDelays: [Double] = []
  private(set) var stopDelays: [Double] = []
  /// The errors of the start and the end on the timer, in seconds; infinite for a pour that was not timed.
  private(set) var startErrors: [Double] = []
  private(set) var stopErrors: [Double] = []
  /// The number of further pours that the timer has seen.
  private(set) var surplus = 0

  init(_ pour: SimulatedPour) { self.pour = pour }

  /// Adds a trial.
  mutating func add(_ run: FlowRun, _ series: LoadSeries, begin: Double) {
    let end = begin + SimulatedPour.length
    var line = GrowingLine()
    var (started, stopped) = (Double.infinity, Double.infinity)
    for (index, time) in series.times.enumerated() {
      let flow = run.flows[index]
      if time < begin {
        if time >= begin - SimulatedPour.lead / 2, let flow { rest.append(flow.magnitude) }
      } else if time < end {
        line.append(time - begin, series.grams[index])
        if time >= begin + 1 { unknown = (unknown.count + (flow == nil ? 1 : 0), unknown.of + 1) }
        guard let flow else { continue }
        if flow > 0 { started = min(started, time - begin) }
        values += 1
        if (flow - pour.flow).magnitude > max(0.2, 2.5 * pour.slopeBound(after: time - begin)) { outside += 1 }
        // Before, the flow is 0, as it is not certain; `start_known` tells for how long.
        guard started.isFinite else { continue }
        errors.append((flow - pour.flow).magnitude / pour.flow)
        lineErrors.append((line.slope - pour.flow).magnitude / pour.flow)
      } else if flow == 0 {
        stopped = min(stopped, time - end)
      }
    }
    startDelays.append(started)
    stopDelays.append(stopped)
    let timed = run.pours.first
    startErrors.append(timed.map { ($0.began - begin).magnitude } ?? .infinity)
    stopErrors.append(timed?.ended.map { ($0 - end).magnitude } ?? .infinity)
    surplus += max(run.pours.count - 1, 0)
  }
}

/// A line through a growing number of points.
private struct GrowingLine {
  private var (count, x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)

  mutating func append(_ time: Double, _ value: Double) {
    count += 1
    x += time
    y += value
    xx += time * time
    xy += time * value
  }

  /// 0 for fewer than two points.
  var slope: Double {
    let spread = xx - x * x / max(count, 1)
    return spread > 0 ? (xy - x * y / count) / spread : 0
  }
}
