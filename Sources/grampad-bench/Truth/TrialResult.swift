/// What one contender did in one trial; times in seconds, masses in grams.
struct TrialResult: Sendable {
  /// From rest until the level is within one division of the truth for good; 0 when it was before.
  var settling = 0.0
  /// Squares of the differences to the truth from 2 s after rest, summed, and how many.
  var steadySquares = 0.0
  var steadyCount = 0
  /// While the load is dripped into, stirred or shaken: truth less level and its square, summed, and how many.
  var disturbedSum = 0.0
  var disturbedSquares = 0.0
  var disturbedCount = 0
  /// How many of those samples were called stable.
  var disturbedStable = 0
  /// How it called the load stable for good; `nil` when it did not.
  var stable: Stable?
  /// How often it called the load stable although it had moved by more than its limit within its time.
  var falseStables = 0
  /// How often it still had in all but the first 50 ms of that time.
  var hastyStables = 0
  /// The worst of the false: by how much it had moved.
  var worstMotion = 0.0
  /// How often it called it stable rightly, but amid a hand's movement and more than a division from its end.
  var earlyStables = 0
  /// How often it took back at rest what it had called stable at rest.
  var lostStables = 0
  /// How often the display changed at rest after it was first called stable there ...
  var corrections = 0
  /// ... and how often to a value that it had left before.
  var flickers = 0

  /// What was announced as stable.
  struct Stable: Sendable {
    /// From rest until then, less the time that the contender is told to wait.
    var lateness: Double
    /// Level less truth.
    var error: Double
    /// The bound of that, one standard deviation: sigma / sqrt(n), with the n samples since rest.
    var bound: Double
  }
}
