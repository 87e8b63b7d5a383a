/// A Kalman filter of one state whose uncertainty grows with how far its estimate moves.
///
/// Its three parameters are one: with the estimate as uncertain as a measurement to begin with, only the ratio of the
/// process noise to that uncertainty matters.
struct SimpleKalman: Contender {
  let name: ContenderName
  private var estimate: Double?
  /// In units of the uncertainty of a measurement.
  private var uncertainty = 1.0
  /// By how much of these units it grows for each gram that the estimate moves.
  let process: Double

  /// With the parameters of its example: measurement 2, estimate 2, process 0.01.
  init() { self.init(.kalman, process: 0.01 / 2) }

  init(_ name: ContenderName, process: Double) {
    self.name = name
    self.process = process
  }

  var level: Double { estimate ?? 0 }

  mutating func restart() {
    estimate = nil
    uncertainty = 1
  }

  mutating func take(_ sample: PadSample) {
    // The library begins at 0; here at the first sample, which is quicker.
    let last = estimate ?? sample.grams
    let gain = uncertainty / (uncertainty + 1)
    let next = last + gain * (sample.grams - last)
    uncertainty = (1 - gain) * uncertainty + process * (next - last).magnitude
    estimate = next
  }
}
