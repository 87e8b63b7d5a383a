import ArgumentParser
import Recordings

/// What flows, how late it stops, and how it is weighed.
struct DoseCondition: Sendable {
  var kind: Kind
  /// The nominal flow in grams per second; for a recording the mean around the target.
  var flow: Double
  /// The mean dead time in seconds.
  var deadTime: Double
  /// Samples per second.
  var rate: Double
  /// The noise of a sample in grams, one standard deviation.
  var noise: Double
  /// Whether the converter averages over two samples, so that neighbouring ones have a correlation of 0.5.
  var isAveraged = false
  /// The mass to reach.
  var target: Double
  var recording: DoseRecording?
  /// Whether flow, dead time and drip differ from dose to dose; not in the check of the bench, in which nothing drips.
  var hasSpread = true

  /// The kinds of sources.
  enum Kind: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// A steady flow.
    case valve
    /// A flow that rises.
    case pump
    /// A flow that fluctuates by a quarter for 0.3 s.
    case grinder
    /// A flow that pulses between nothing and twice its mean.
    case pulsing
    /// A grinder of which a third falls in clumps.
    case clumps
    /// A flow that fades, as of a hopper that runs empty.
    case empty
    /// A recorded pour.
    case recording
  }

  /// The dead time of a dose deviates by this share, one standard deviation.
  static let deadTimeSpread = 0.05
  /// The doses of a series, and those among them in which everything is still learned.
  static let doses = 8
  static let learning = 5

  private static let flows = [0.5, 1, 2, 4, 8]
  private static let deadTimes = [0.1, 0.5, 1.5]
  /// Cells with their converters: samples per second, noise in grams.
  private static let cells = [(10.0, 0.03), (80, 0.03), (10, 0.1), (40, 0.1), (20, 0.5), (80, 0.5)]

  /// The simulated conditions of a kind.
  static func simulated(_ kind: Kind) -> [DoseCondition] {
    var isAveraged = false
    return flows.flatMap { flow in
      deadTimes.flatMap { deadTime in
        // An odd number of changes for each dead time, so that every cell is averaged in half of the conditions.
        isAveraged.toggle()
        return cells.map { rate, noise in
          isAveraged.toggle()
          return DoseCondition(
            kind: kind, flow: flow, deadTime: deadTime, rate: rate, noise: noise, isAveraged: isAveraged,
            target: max(10, 7.5 * flow))
        }
      }
    }
  }

  /// The conditions of a recording: at several places, with two dead times.
  static func recorded(_ recording: DoseRecording) -> [DoseCondition] {
    recording.places.flatMap { place in
      [(0.3, 10.0, 0.03), (0.8, 40, 0.1)].map { deadTime, rate, noise in
        DoseCondition(
          kind: .recording, flow: place.flow, deadTime: deadTime, rate: rate, noise: noise, target: place.target,
          recording: place.recording)
      }
    }
  }

  /// The seed of a dose, the same for every contender.
  func seed(_ series: UInt64, dose: Int) -> UInt64 {
    var seeds = SplitMix64(seed: series)
    let parts = [flow, deadTime, rate, noise, target].map { UInt64($0 * 1000) } + [UInt64(dose)]
    for part in parts + kind.rawValue.utf8.map(UInt64.init) { seeds = SplitMix64(seed: seeds.next() ^ part) }
    return seeds.next()
  }
}
