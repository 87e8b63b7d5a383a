/// How the samples of a pad arrive.
enum SampleDelivery: Sendable {
  /// Repeated values are dropped, as evdev does: silence is a load at rest.
  case distinctValues
  /// Each sample has arrived so far: the pad is too noisy to repeat a value often, and its frames come at equal
  /// distances. Silence is rather missing data.
  case apparentlyEverySample
  /// Each sample arrives, repeated values included: silence is missing data.
  case everySample

  /// With this noise, in counts, one value in 28 is repeated. The axes of force pads are less noisy: 2 g are 5 of 1,023
  /// counts.
  static let noisy = 8.0
  /// With less noise than this, in counts, more than one value in seven is repeated.
  static let quiet = 2.0
  /// The noise in counts that the first frames of a slow pad have to show, with the doubt of so few.
  static let noisyAtStart = 6.0
  /// The least ratio of the full scale to the noise of a sample: with more noise, the values are different loads.
  static let leastSignal = 256.0
  /// The least number of first frames that show the noise.
  static let framesAtStart = 4
  /// The number of frames after which the delivery is evaluated, and the least share of the samples that they have to
  /// be, in percent.
  static let frames = 32
  static let leastShare = 80
}

/// The last eight frames since the load was put down.
struct RecentFrames: Sendable {
  // An array, since the filter is copied more often than a slow pad sends a frame.
  private var frames = [(value: Double, time: Instant)](
    repeating: (0, Instant(nanoseconds: 0)), count: RecentFrames.maximum)
  private var next = 0
  private(set) var count = 0

  /// The number of frames that remain.
  static let maximum = 8

  /// Removes all frames.
  mutating func removeAll() { count = 0 }

  /// Appends a frame; only the last eight remain.
  mutating func append(_ value: Double, at time: Instant) {
    frames[next] = (value, time)
    next = (next + 1) % Self.maximum
    count = min(count + 1, Self.maximum)
  }

  /// The frames from the oldest, 0, to the newest.
  subscript(index: Int) -> (value: Double, time: Instant) {
    frames[(next &+ Self.maximum &- count &+ index) % Self.maximum]
  }
}
