/// The samples of the last seconds in blocks, as running totals: a line through any run of blocks costs the same at any
/// length.
///
/// A block has the weight of its samples and the centre of their times and masses, so that missing samples do not bend a
/// line. The blocks are those of a ring; the totals restart near the newest block from time to time, which preserves
/// their precision.
struct FlowHistory: Sendable {
  /// The totals before a block.
  private struct Mark: Sendable {
    var weight = 0.0
    var time = 0.0
    var mass = 0.0
    var timeTime = 0.0
    var timeMass = 0.0
    var massMass = 0.0
    /// When the block begins, in seconds since `origin`.
    var begin = 0.0
  }

  private var marks = [Mark](repeating: Mark(), count: capacity)
  private var total = Mark()
  /// The time and the mass from which on all others count.
  private(set) var origin = Instant(nanoseconds: 0)
  private var reference = 0.0
  /// The number of blocks since all were removed; also the index of the next one.
  private(set) var count = 0

  /// The number of blocks in the ring, a power of two: more than the longest window of a flow has.
  static let capacity = 256
  private static let mask = capacity - 1

  /// How often all were removed.
  private(set) var generation = 0

  /// Removes all blocks.
  mutating func removeAll() {
    count = 0
    generation += 1
    total = Mark()
  }

  /// The index of the oldest block.
  var oldest: Int { max(count - Self.capacity + 1, 0) }

  /// Appends a block.
  ///
  /// - Parameters:
  ///   - centre: The mean time of its samples.
  ///   - mass: Their mean in grams.
  mutating func append(weight: Double, centre: Instant, mass: Double, begin: Instant) {
    if count == 0 {
      origin = begin
      reference = mass
    } else if count & (Self.mask >> 1) == 0 {
      moveOrigin(to: begin, reference: mass)
    }
    let time = (centre - origin).seconds
    let value = mass - reference
    total.begin = (begin - origin).seconds
    marks[count & Self.mask] = total
    total.weight += weight
    total.time += weight * time
    total.mass += weight * value
    total.timeTime += weight * time * time
    total.timeMass += weight * time * value
    total.massMass += weight * value * value
    count += 1
  }

  private mutating func moveOrigin(to instant: Instant, reference new: Double) {
    let (time, mass) = ((instant - origin).seconds, new - reference)
    let base = marks[oldest & Self.mask]
    func moved(_ mark: Mark) -> Mark {
      var mark = mark
      mark.weight -= base.weight
      mark.time -= base.time
      mark.mass -= base.mass
      mark.timeTime -= base.timeTime + time * (2 * mark.time - time * mark.weight)
      mark.timeMass -= base.timeMass + time * mark.mass + mass * mark.time - time * mass * mark.weight
      mark.massMass -= base.massMass + mass * (2 * mark.mass - mass * mark.weight)
      mark.time -= time * mark.weight
      mark.mass -= mass * mark.weight
      mark.begin -= time
      return mark
    }
    for index in marks.indices { marks[index] = moved(marks[index]) }
    total = moved(total)
    origin = instant
    reference = new
  }

  /// When a block begins, in seconds since `origin`.
  func begin(of index: Int) -> Double { index < count ? marks[index & Self.mask].begin : total.begin }

  /// The line through the blocks from one index up to another; up to the newest one by default.
  func line(from first: Int, to last: Int? = nil) -> FlowLine {
    let a = marks[first & Self.mask]
    let b = last.map { $0 < count ? marks[$0 & Self.mask] : total } ?? total
    let weight = b.weight - a.weight
    guard weight > 0 else { return FlowLine() }
    let time = (b.time - a.time) / weight
    let mass = (b.mass - a.mass) / weight
    return FlowLine(
      blocks: (last ?? count) - first, weight: weight, time: time, mass: mass + reference,
      timeTime: max(b.timeTime - a.timeTime - weight * time * time, 0),
      timeMass: b.timeMass - a.timeMass - weight * time * mass,
      massMass: max(b.massMass - a.massMass - weight * mass * mass, 0))
  }
}

/// The straight line through a run of blocks.
struct FlowLine: Sendable {
  /// The number of blocks.
  var blocks = 0
  /// The number of samples.
  var weight = 0.0
  /// Their mean time in seconds.
  var time = 0.0
  /// Their mean in grams.
  var mass = 0.0
  /// The sums of the squared and mixed distances from the means.
  var timeTime = 0.0
  var timeMass = 0.0
  var massMass = 0.0

  /// In grams per second; 0 for a single block.
  var slope: Double { timeTime > 0 ? timeMass / timeTime : 0 }

  /// One standard deviation of the slope, given the variance of one sample.
  func slopeDeviation(variance: Double) -> Double { timeTime > 0 ? (variance / timeTime).squareRoot() : .infinity }

  /// The squared distances of the samples from the line.
  var residual: Double { timeTime > 0 ? max(massMass - timeMass * timeMass / timeTime, 0) : massMass }

  /// Where the line is at a time.
  func mass(at instant: Double) -> Double { mass + slope * (instant - time) }

  /// Whether the line rises or falls by a number of standard deviations; the residuals count if they exceed the noise.
  func isSlope(over certainty: Double, _ variance: Double) -> Bool {
    guard blocks > 2 else { return false }
    let spread = blocks >= 8 ? max(variance, residual / Double(blocks - 2)) : variance
    return slope.magnitude > certainty * slopeDeviation(variance: spread)
  }
}
