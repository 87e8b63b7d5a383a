/// A load that rested and then began to flow.
struct FlowStart {
  /// In grams per second.
  var slope: Double
  /// When it began, in seconds since the origin of the history.
  var time: Double
  /// The slope in its standard deviations.
  var certainty: Double
}

extension FlowMeter {
  /// How the window began.
  enum Beginning: Sendable {
    /// Nothing is known about the time before it.
    case unknown
    /// A load at rest began to move without a jump.
    case start
    /// A flow changed or ended without a jump.
    case bend
    /// The load jumped.
    case jump
  }
}

/// The slope of a young flow.
///
/// A line that rests up to a moment and rises from there, without a jump, needs one parameter less than a line through
/// the flow alone: it is known sooner, and from fewer samples. The moment is not known. The likeliest one alone would
/// make the flow too strong, as noise is what makes it the likeliest, so that all likely ones count.
extension FlowHistory {
  /// Returns what is known of a flow; `nil` if a load that rests and then rises steadily does not explain the samples.
  ///
  /// - Parameters:
  ///   - first: The first block of the rest.
  ///   - change: The first block after it, as far as is known.
  ///   - variance: The variance of one sample.
  func start(after first: Int, near change: Int, _ variance: Double) -> FlowStart? {
    guard first >= oldest else { return nil }
    let whole = line(from: first)
    func bend(_ split: Int, _ share: Double) -> FlowBend {
      let instant = begin(of: split) - share * (begin(of: split) - begin(of: split - 1))
      return whole.bend(at: instant, line(from: split), isStill: true)
    }
    let splits = max(change - Self.reach, first + 2)..<max(min(change + Self.reach, count - 1), first + 2)
    var gain = 0.0
    for split in splits { for share in Self.shares { gain = max(gain, bend(split, share).gain) } }
    let misfit = whole.massMass - gain - line(from: first, to: change).massMass
    guard gain > 0, misfit < Self.tolerance * variance * Double(count - change) else { return nil }
    var (sum, slope, time) = (0.0, 0.0, 0.0)
    for split in splits {
      for share in Self.shares {
        let bend = bend(split, share)
        let likelihood = max(1 - (gain - bend.gain) / (Self.doubt * variance), 0)
        let weight = likelihood * likelihood
        sum += weight
        slope += weight * bend.slope
        time += weight * bend.time
      }
    }
    return FlowStart(slope: slope / sum, time: time / sum, certainty: (gain / variance).squareRoot())
  }

  /// The number of blocks before and after the change in which the flow may begin, and where in a block.
  private static let reach = 16
  private static let shares = [0, 0.5]
  /// The loss of likelihood, in variances, from which on a moment does not count.
  private static let doubt = 6.0
  /// The mean squared residual that noise explains, as a multiple of its variance.
  private static let tolerance = 3.0
}
