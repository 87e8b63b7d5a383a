/// The result of one filter in one trial; times in seconds, masses in grams.
struct TrialResult: Sendable {
  /// Time from rest until the reading stays within one division of the truth; 0 if it already was.
  var settling = 0.0
  /// Sum and number of the squared errors from 2 s after rest.
  var steadySquares = 0.0
  var steadyCount = 0
  /// During a drip, stirring or vibration: the sums of truth minus reading and of its square, and their number.
  var disturbedSum = 0.0
  var disturbedSquares = 0.0
  var disturbedCount = 0
  /// Number of those samples with a stable reading.
  var disturbedStable = 0
  /// The final stable reading; `nil` if the trial ends without one.
  var stable: Stable?
  /// Number of stable readings although the load moved by more than the limit within the stability time.
  var falseStables = 0
  /// Number of those for which this also applies without the first 50 ms of that time.
  var hastyStables = 0
  /// The largest motion of a false stable reading.
  var worstMotion = 0.0
  /// Number of correct stable readings during a movement that ends more than a division away.
  var earlyStables = 0
  /// Number of stable readings at rest that were withdrawn at rest.
  var lostStables = 0
  /// Number of changes of the display at rest after the first stable reading.
  var corrections = 0
  /// Number of those changes back to a value that was displayed before.
  var flickers = 0

  /// A stable reading.
  struct Stable: Sendable {
    /// Time from rest, minus the stability time of the filter.
    var lateness: Double
    /// Reading minus truth.
    var error: Double
    /// The bound of the error, one standard deviation: sigma / sqrt(n), with n samples since rest, at least those of the
    /// stability time.
    var bound: Double
  }
}
