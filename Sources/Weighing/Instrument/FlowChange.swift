/// A moment at which one movement of the load became another.
struct FlowChange: Sendable {
  /// The first block after it.
  var split: Int
  /// Whether the load jumped there; otherwise only its slope changed.
  var isJump: Bool
}

/// The search for the moment at which one movement of the load became another.
///
/// A load that rests and then moves is compared with one that only rests, a movement that changes with one that goes
/// on. The reduction of the squared residuals in variances of the noise, here called the likelihood ratio, is twice its
/// logarithm. The variance is that of the noise or of the residuals, whichever is larger: a stream that splashes is no
/// change. A bend keeps the load continuous: it has one parameter less than two independent lines and is preferred.
extension FlowHistory {
  /// Returns the likeliest change in a window, if it is likelier than a threshold.
  ///
  /// - Parameters:
  ///   - start: The first block of the window.
  ///   - isStill: Whether the window up to the change is a load at rest; otherwise it is a steady movement.
  ///   - variance: The variance of one sample.
  ///   - threshold: The likelihood ratio of a bend; a jump needs more.
  func likeliestChange(from start: Int, isStill: Bool, variance: Double, threshold: Double) -> FlowChange? {
    let length = count - start
    guard length >= Self.fewestRecent + Self.fewestBefore else { return nil }
    let whole = line(from: start)
    // More cannot be explained than there is.
    guard (isStill ? whole.massMass : whole.residual) > threshold * variance else { return nil }
    var bend = (split: 0, ratio: threshold)
    var jump = (split: 0, ratio: threshold + Self.costOfJump)
    func consider(_ split: Int) {
      let ratios = ratios(at: split, from: start, whole: whole, isStill: isStill, variance: variance)
      if ratios.bend > bend.ratio { bend = (split, ratios.bend) }
      if ratios.jump > jump.ratio { jump = (split, ratios.jump) }
    }
    var recent = Self.fewestRecent
    var step = 1
    while recent <= length - Self.fewestBefore {
      consider(count - recent)
      if recent >= 4 * step { step *= 2 }
      recent += step
    }
    guard bend.split > 0 || jump.split > 0 else { return nil }
    func refine(_ coarse: Int) {
      guard coarse > 0 else { return }
      let width = max((count - coarse) / 4, 1)
      let first = max(coarse - width, start + Self.fewestBefore)
      for split in first...max(min(coarse + width, count - Self.fewestRecent), first) { consider(split) }
    }
    refine(bend.split)
    refine(jump.split)
    if jump.split > 0, jump.ratio > bend.ratio + Self.costOfJump,
      !isBend(at: jump.split, from: start, isStill: isStill, variance: variance)
    {
      return FlowChange(split: jump.split, isJump: true)
    }
    return FlowChange(split: bend.split > 0 ? bend.split : jump.split, isJump: false)
  }

  /// Whether the lines before and after a split meet where one block follows the other.
  private func isBend(at split: Int, from start: Int, isStill: Bool, variance: Double) -> Bool {
    let (old, new) = (line(from: start, to: split), line(from: split))
    let time = begin(of: split)
    let (expected, slope) = isStill ? (old.mass, 0) : (old.mass(at: time), old.slope)
    let blur = (new.slope - slope).magnitude * 3 * (new.time - time) / Double(new.blocks)
    let deviation = (variance * (1 / old.weight + 4 / new.weight)).squareRoot()
    return (new.mass(at: time) - expected).magnitude <= 4 * deviation + blur
  }

  /// The likelihood ratios of a bend and of two independent lines.
  private func ratios(
    at split: Int, from start: Int, whole: FlowLine, isStill: Bool, variance: Double
  ) -> (bend: Double, jump: Double) {
    let (old, new) = (line(from: start, to: split), line(from: split))
    let freedom = count - start - 4
    let left = (isStill ? old.massMass : old.residual) + new.residual
    let spread = freedom >= Self.fewestForResidual ? max(left / Double(freedom), variance) : variance
    let total = isStill ? whole.massMass : whole.residual
    let gain = whole.bend(at: begin(of: split), new, isStill: isStill).gain
    guard !isStill, whole.timeTime > 0 else { return (gain / spread, (total - left) / spread) }
    // A flow that ends at rest has one parameter less than one that continues at another rate.
    let line = whole.timeMass * whole.timeMass / whole.timeTime
    let stop =
      whole.bend(at: begin(of: split), old, isStill: true).gain - line
      + Self.preferenceOfStop * spread
    return (max(gain, stop) / spread, (total - left) / spread)
  }

  /// The first block after a change. The one in which a line bends belongs to neither side, unless that cannot be told
  /// from the noise, or the lines meet before it.
  ///
  /// - Parameters:
  ///   - first: The first block of the window before the change.
  ///   - isStill: Whether the load rested in it.
  func firstBlock(after change: FlowChange, in first: Int, isStill: Bool, _ variance: Double) -> Int {
    if change.isJump { return change.split }
    let (old, new) = (line(from: first, to: change.split), line(from: change.split))
    let (time, slope) = (begin(of: change.split), isStill ? 0 : old.slope)
    let step = (new.slope - slope) * (new.time - time) * 2 / Double(new.blocks)
    let weight = new.weight / Double(new.blocks)
    guard step * step * weight >= Self.blur * Self.blur * variance else { return change.split }
    let later = line(from: change.split + 1)
    let distance = old.mass + slope * (time - old.time) - later.mass(at: time)
    return distance / (later.slope - slope) <= 0 ? change.split : change.split + 1
  }

  /// The block at which a load at rest most likely began to flow, or a flow ended in a load at rest.
  func likeliestTurn(from start: Int, to last: Int, isStart: Bool) -> Int? {
    guard last - start >= 6 else { return nil }
    let whole = line(from: start, to: last)
    var best: (split: Int, gain: Double)?
    for split in start + 2...last - 3 {
      let part = isStart ? line(from: split, to: last) : line(from: start, to: split)
      let gain = whole.bend(at: begin(of: split), part, isStill: true).gain
      if gain > best?.gain ?? 0 { best = (split, gain) }
    }
    return best?.split
  }

  /// A bend that changes a block by less than this number of standard deviations of its mean may be noise.
  private static let blur = 1.5
  /// The least number of blocks after and before a change.
  private static let fewestRecent = 3
  private static let fewestBefore = 2
  /// The degrees of freedom from which on the residuals say something about the noise.
  private static let fewestForResidual = 6
  /// By how much likelier than the end of a flow another change of it has to be, as a likelihood ratio in variances.
  private static let preferenceOfStop = 7.0
  /// The likelihood ratio, in variances, by which two lines have to be better than a bend.
  private static let costOfJump = 10.0
}

/// A line that bends: it rests, or goes on as before, up to a moment, and changes its slope there.
struct FlowBend {
  /// When it changes, in seconds since the origin of the history.
  let time: Double
  /// The mixed and the squared distances of the time since the bend from what the line explains without it.
  fileprivate var product: Double
  fileprivate var square: Double

  /// By how much the slope changes, in grams per second.
  var slope: Double { square > 0 ? product / square : 0 }

  /// By how much the squared residuals fall.
  var gain: Double { square > 0 ? product * product / square : 0 }
}

extension FlowLine {
  /// This line with a bend.
  ///
  /// - Parameters:
  ///   - instant: When it bends.
  ///   - part: The line through the blocks on one side of the bend.
  ///   - isStill: Whether the load rests on the other side; otherwise it moves steadily.
  @inline(__always)
  func bend(at instant: Double, _ part: FlowLine, isStill: Bool) -> FlowBend {
    // The regressor is the time since the bend, and 0 before it.
    let distance = part.time - instant
    let sum = part.weight * distance
    var square = part.timeTime + sum * distance - sum * sum / weight
    var product = part.timeMass + sum * (part.mass - mass)
    if !isStill, timeTime > 0 {
      let shared = part.timeTime + sum * (part.time - time)
      square -= shared * shared / timeTime
      product -= shared * timeMass / timeTime
    }
    return FlowBend(time: instant, product: product, square: square)
  }
}
