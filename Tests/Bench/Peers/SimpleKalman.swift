/// A Kalman filter with one state, whose uncertainty grows with the motion of its estimate.
///
/// The published filter has three parameters. If the estimate is initially as uncertain as a measurement, only the ratio
/// of the process noise to that uncertainty matters.
struct SimpleKalman: BenchFilter {
  let name: BenchFilterName
  private var estimate: Double?
  /// The uncertainty of the estimate, in units of the uncertainty of a measurement.
  private var uncertainty = 1.0
  /// The growth of `uncertainty` per gram that the estimate moves.
  let process: Double

  /// Makes a filter with the parameters of its example: measurement 2, estimate 2, process 0.01.
  init() { self.init(.kalman, process: 0.01 / 2) }

  init(_ name: BenchFilterName, process: Double) {
    (self.name, self.process) = (name, process)
  }

  var level: Double { estimate ?? 0 }

  mutating func restart() {
    estimate = nil
    uncertainty = 1
  }

  mutating func process(_ sample: BenchSample) {
    // The library starts at 0. Starting at the first sample settles faster.
    let last = estimate ?? sample.grams
    let gain = uncertainty / (uncertainty + 1)
    let next = last + gain * (sample.grams - last)
    uncertainty = (1 - gain) * uncertainty + process * (next - last).magnitude
    estimate = next
  }
}
