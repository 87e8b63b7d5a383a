/// A load onto which something flows, as one assumption about the flow sees it: a Kalman filter of mass, flow and change of
/// the flow.
///
/// Source: R. E. Kalman, "A New Approach to Linear Filtering and Prediction Problems", 1960; the models are those of Y. Bar-Shalom,
/// X. R. Li, T. Kirubarajan, "Estimation with Applications to Tracking and Navigation", 2001, chapter 6.
struct FlowFilter: Sendable {
  /// What a flow may do in a second, one standard deviation as a share of the flow.
  struct Model: Sendable {
    /// The mass that comes in lumps or stays away.
    var lumps: Double
    /// How far the flow walks.
    var walk: Double
    /// How far the change of the flow walks.
    var trend: Double
  }

  /// What flows in a time.
  struct Forecast: Sendable {
    /// The mass at its beginning, the flow there, and what flows.
    var mass = 0.0
    var flow = 0.0
    var rise = 0.0
    /// The variance of what flows, apart from lumps to come.
    var variance = 0.0
  }

  private let model: Model
  /// The mass in grams, the flow in grams per second, and its change in grams per second squared.
  private var state: SIMD3<Double>
  private var covariance: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  /// The flow of which nothing is known, one standard deviation in grams per second. Chosen: above every stream.
  private static let unknown = 20.0

  /// Begins with the first sample of a flow.
  init(_ model: Model, mass: Double, variance: Double) {
    self.model = model
    state = SIMD3(mass, 0, 0)
    covariance = (SIMD3(variance, 0, 0), SIMD3(0, Self.unknown * Self.unknown, 0), .zero)
  }

  /// The flow in grams per second.
  var flow: Double { state[1] }

  /// Advances by some seconds.
  ///
  /// - Parameter scale: The flow, in grams per second, of which the model gives shares.
  mutating func advance(_ time: Double, scale: Double) {
    let half = time * time / 2
    func moved(_ row: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(row[0] + time * row[1] + half * row[2], row[1] + time * row[2], row[2])
    }
    state = moved(state)
    let (mass, flow, change) = covariance
    covariance = (moved(mass + time * flow + half * change), moved(flow + time * change), moved(change))
    let growth = time * scale * scale
    covariance.0[0] += model.lumps * model.lumps * growth
    covariance.1[1] += model.walk * model.walk * growth
    covariance.2[2] += model.trend * model.trend * growth
  }

  /// Observes the mass; returns how likely it was, as a density with the heavy tails of a t-distribution of three degrees of
  /// freedom: a lump or a knock does not refute a model by itself.
  mutating func observe(_ mass: Double, variance: Double) -> Double {
    let total = covariance.0[0] + variance
    guard total > 0 else { return 1 }
    let error = mass - state[0]
    let row = covariance.0
    let gain = row / total
    state += gain * error
    covariance.0 -= gain[0] * row
    covariance.1 -= gain[1] * row
    covariance.2 -= gain[2] * row
    let tail = 1 + error * error / (3 * total)
    return 1 / (total.squareRoot() * tail * tail)
  }

  /// What flows from a time after the newest sample on.
  func forecast(after time: Double, during span: Double) -> Forecast {
    let (from, to) = (weights(after: time), weights(after: time + span))
    let rise = to - from
    let spread = SIMD3((covariance.0 * rise).sum(), (covariance.1 * rise).sum(), (covariance.2 * rise).sum())
    return Forecast(
      mass: (from * state).sum(), flow: state[1] + time * state[2], rise: (rise * state).sum(),
      variance: (rise * spread).sum())
  }

  /// The weights of the state in the mass after a time. A flow that fades ends, and does not turn around.
  private func weights(after time: Double) -> SIMD3<Double> {
    let end = state[1] > 0 && state[2] < 0 ? min(time, -state[1] / state[2]) : time
    return SIMD3(1, time, end * (time - end / 2))
  }
}
