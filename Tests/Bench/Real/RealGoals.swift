/// The goals for real loads.
enum RealGoals {
  static let later = Goal("brew: later than the flag of the recorded scale", .atMost, 0)
  static let topic = Goal("topic stable behind the reading", .atMost, 0.2)
  static let drift = Goal("brew: the evaporation is followed within", .atMost, 0.1)
  static let outside = Goal("settled readings further than 2u from the load", .atMost, 0.07)
  static let needed = Goal("median u, to what is needed", .atMost, 1.5)
  static let presses = Goal("presses fired in a recording", .atMost, 0)
  static let zeroed = Goal("zeroed after", .atMost, 1)
  static let zeroedMass = Goal("error of the mass that zeroed names", .atMost, 1)
  static let excursion = Goal("coldstart: largest value shown by an empty scale", .atMost, 0)
  static let swing = Goal("hanging loads: stable while swinging by more than 6 g", .atMost, 0)
  static let loading = Goal("hanging loads: messages on stable per loading", .atMost, 4)
  static let slowNoise = Goal("settled rms 5 s after rest, to the noise of a sample, 10 samples/s", .atMost, 0.3)
  static let fastNoise = Goal("settled rms 5 s after rest, to the noise of a sample, 80 samples/s", .atMost, 0.1)
  static let spikes = Goal("wrong samples that change something", .atMost, 0.05)
  static let wrong = Goal("wrong values", .atMost, 0)
  static let drip = Goal("mass lost from a drip", .atMost, 0.5)

  /// The load at the end of `brew` in grams.
  static let brewEnd = 242.1

  /// The goal for the time from rest to a stable reading: 0.8 s, or as long as the samples themselves take to keep the
  /// limit of motion.
  static func lateness(limitKept: Double) -> Goal {
    Goal("brew: from rest to a stable reading, 90 %", .atMost, max(0.8, limitKept))
  }

  /// The goal for the value at the end of `brew`.
  static func end(_ series: LoadSeries) -> Goal? {
    series.name == "brew" ? Goal("brew on 2^23: distance of the last value from 242.1 g", .atMost, 0.2) : nil
  }

  /// The goal for the share of the flow during which a pour is stable.
  static func stableFlow(_ series: LoadSeries) -> Goal? {
    series.name == "shot-real" ? Goal("shot-real: stable during the flow above 0.5 g/s", .atMost, 0.05) : nil
  }

  /// The goal for the number of messages on `stable`.
  static func messages(_ series: LoadSeries) -> Goal? {
    series.name == "shot-real" ? Goal("shot-real: messages on stable", .atMost, 3) : nil
  }

  /// The longest silence during which a noisy converter may remain stable, in seconds, to a millisecond.
  static func silence(period: Double) -> Goal {
    Goal("a silent converter is not stable after", .atMost, max(2, 20 * period) + 0.001)
  }
}
