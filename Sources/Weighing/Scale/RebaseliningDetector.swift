/// Detects a pad whose firmware treats a resting load as its zero: the value decays to the floor of the axis although
/// the contact is never lifted.
///
/// ```
///                 load that does not decay
///          ┌────────────────┬───────────────┐
///          ▼                │               │
///      trusted ──decay──► once ──decay──► suspect
/// ```
///
/// While a load lies on the pad, the detector stores when its smoothed value falls through each quarter of an octave
/// below its peak. A decay is a fall that
/// - is smooth: no interval is far shorter or longer than an exponential or a linear decay predicts. Taking a load off
///   in steps passes several levels at once and then none for a while;
/// - lasts: it takes a second at least, longer than a hand needs to take a load off;
/// - ends at the floor with the contact still down. Dispensing leaves the container, creep a few per cent less. A
///   linear fall is what pouring looks like, so it has to end four times as close to the floor, and the second one has
///   to repeat the rate or the duration of the first.
struct RebaseliningDetector: Sendable {
  /// The contacts of one load; a different set of contacts is a new load.
  struct Contacts: Equatable, Sendable {
    var count = 0
    var serials: UInt64 = 0

    mutating func insert(_ contact: Contact) {
      count += 1
      serials &+= contact.serial
    }
  }

  private enum Shape: Sendable {
    case exponential
    case linear
  }

  private struct Decay: Sendable {
    var shape: Shape
    /// Counts a second.
    var rate: Double
    /// From the peak to the floor, in seconds.
    var length: Double
    /// From touch-down until the decay was detected.
    var time: Interval

    /// Whether another decay can be caused by the same firmware.
    func matches(_ other: Decay) -> Bool {
      if shape == .exponential && other.shape == .exponential { return true }
      let rates = other.rate / rate
      let lengths = other.length / length
      return (0.8...1.25).contains(rates) || (0.8...1.25).contains(lengths)
    }
  }

  /// Whether the pad has decayed under two successive loads.
  private(set) var isSuspect = false

  private var fullScale = 0.0
  private var decay: Decay?

  // The load from touch-down until it is lifted.
  private var loadBegan: Instant?
  private var isJudged = false
  private var loadPeak = 0.0

  // The fall of one set of contacts.
  private var contacts = Contacts()
  private var held = 0.0
  private var heldSince = Instant(nanoseconds: 0)
  private var level = 0.0
  private var lowest = 0.0
  private var peak = 0.0
  private var nextLevel = 0.0
  private var crossings: [Instant] = []
  /// When the value reached the floor.
  private var atFloorSince: Instant?
  private var floorIsDue = false

  /// The time constant of the smoothing, in seconds: seven or eight frames of a USB pad. Chosen.
  private static let smoothing = 0.06
  /// From one level to the next: a quarter of an octave, the fourth root of 2.
  private static let ratio = 1.189207115
  /// The least and the most levels of a fall that are evaluated: two octaves tell an exponential from a linear one.
  private static let minimumCrossings = 8
  private static let maximumCrossings = 32
  /// How long the value has to remain at the floor: a load that is lifted slowly is gone by then.
  private static let rest = Interval.milliseconds(800)
  /// The least time of a decay from its first level to the floor; a quicker fall is that of a hand. Chosen.
  private static let slow = Interval.milliseconds(800)
  /// The shortest decay, in seconds, from 84 % of the peak to the floor.
  private static let shortest = 1.0
  /// The time of a quarter of an octave in a smooth fall, as a multiple of the expected time.
  private static let smooth = 0.3...2.5
  /// The time of the lower half of the octaves over that of the upper: 1 in an exponential decay, at most 0.5 in a
  /// linear one.
  private static let exponential = 0.7...2.5
  /// The least duration of a load that shows that the pad holds its value.
  private static let shortestLoad = Interval.seconds(1)

  /// Makes a detector without a pad.
  init() { crossings.reserveCapacity(Self.maximumCrossings) }

  /// Starts with a pad. If it is the same one, what is known about it remains.
  mutating func begin(fullScale: RawForce, isSamePad: Bool) {
    if !isSamePad {
      isSuspect = false
      decay = nil
    }
    self.fullScale = Double(fullScale.counts)
    discardLoad()
  }

  /// Discards the load without a decision.
  mutating func discardLoad() {
    loadBegan = nil
    isJudged = false
    loadPeak = 0
    contacts = Contacts()
    restart(at: 0)
  }

  /// 2 % of the axis.
  private var floor: Double { max(fullScale / 50, 1) }
  /// Where a linear fall has to end.
  private var linearFloor: Double { max(fullScale / 200, 2) }
  /// The lowest level that is evaluated: below, a quarter of an octave is less than two counts.
  private var minimumLevel: Double { max(floor, 12) }
  private var isHeavyEnough: Bool { loadPeak >= 4 * minimumLevel }

  /// When the value has been at the floor for long enough, or a load has been on the pad for long enough without a
  /// decay.
  var nextDeadline: Instant? {
    guard loadBegan != nil, !isJudged else { return nil }
    if let atFloorSince, !floorIsDue { return atFloorSince + Self.rest }
    return proofDue
  }

  /// When a load that has not decayed shows that the pad holds its value: after twice the time of the last decay.
  private var proofDue: Instant? {
    guard let loadBegan, let decay, crossings.isEmpty, isHeavyEnough else { return nil }
    return loadBegan + decay.time * 2
  }

  /// Evaluates the load of a frame.
  mutating func observe(_ counts: RawForce, of new: Contacts, followsGap: Bool, at time: Instant) {
    let value = Double(counts.counts)
    guard new.count > 0 else { return lift(at: time) }
    if loadBegan == nil { loadBegan = time }
    if new != contacts || followsGap {
      contacts = new
      restart(at: value)
    } else {
      smooth(until: time)
    }
    held = value
    heldSince = time
    if value <= floor {
      if atFloorSince == nil, let first = crossings.first, time - first >= Self.slow { atFloorSince = time }
    } else if value > 2 * floor + 2 {
      atFloorSince = nil
      floorIsDue = false
    }
    if floorIsDue { judge(at: time) }
  }

  /// Evaluates the load if a deadline has passed.
  mutating func advance(to time: Instant) {
    guard let deadline = nextDeadline, deadline <= time else { return }
    smooth(until: deadline)
    if let atFloorSince, !floorIsDue, atFloorSince + Self.rest <= deadline {
      floorIsDue = true
      judge(at: deadline)
    } else if let proofDue, proofDue <= deadline {
      isJudged = true
      trust()
    }
  }

  private mutating func trust() {
    isSuspect = false
    decay = nil
  }

  private mutating func lift(at time: Instant) {
    guard let loadBegan else { return }
    // A load that was lifted during a decay shows nothing about the pad.
    let wasFalling = crossings.first.map { time - $0 >= Self.slow } ?? false
    if !isJudged, !isSuspect, !wasFalling, isHeavyEnough, time - loadBegan >= Self.shortestLoad { decay = nil }
    discardLoad()
  }

  private mutating func restart(at value: Double) {
    level = value
    lowest = value
    peak = value
    loadPeak = max(loadPeak, value)
    nextLevel = peak / Self.ratio
    crossings.removeAll(keepingCapacity: true)
    atFloorSince = nil
    floorIsDue = false
  }

  /// Smooths the value up to a moment and stores when it fell through each level.
  private mutating func smooth(until time: Instant) {
    let passed = (time - heldSince).seconds
    guard passed > 0 else { return }
    heldSince = time
    level += (held - level) * passed / (passed + Self.smoothing)
    if level > peak { return restart(at: level) }
    if level > 1.2 * lowest + floor {
      // Something was added to a load that had decayed.
      loadBegan = time
      return restart(at: level)
    }
    lowest = min(lowest, level)
    while level <= nextLevel, nextLevel >= minimumLevel, crossings.count < Self.maximumCrossings {
      crossings.append(time)
      nextLevel /= Self.ratio
    }
  }

  private mutating func judge(at time: Instant) {
    guard !isJudged, let loadBegan, level <= floor, let shape = shape(of: crossings) else { return }
    guard shape == .exponential || level <= linearFloor else { return }
    isJudged = true
    let length = (crossings[crossings.count - 1] - crossings[0]).seconds
    let bottom = nextLevel * Self.ratio
    let rate = (peak / Self.ratio - bottom) / length
    let new = Decay(shape: shape, rate: rate, length: peak / rate, time: time - loadBegan)
    if let decay, decay.matches(new) { isSuspect = true }
    decay = new
  }

  /// The shape of a smooth fall; `nil` for any other.
  private func shape(of crossings: [Instant]) -> Shape? {
    let last = crossings.count - 1
    guard last >= Self.minimumCrossings - 1, nextLevel < minimumLevel || crossings.count == Self.maximumCrossings
    else { return nil }
    let total = (crossings[last] - crossings[0]).seconds
    guard total >= Self.shortest else { return nil }
    let half = last / 2
    let upper = (crossings[half] - crossings[0]).seconds
    let lower = (crossings[last] - crossings[last - half]).seconds
    if Self.exponential.contains(lower / upper), isSmooth(crossings, .exponential) { return .exponential }
    return isSmooth(crossings, .linear) ? .linear : nil
  }

  /// Whether each quarter of an octave took about as long as the shape predicts.
  private func isSmooth(_ crossings: [Instant], _ shape: Shape) -> Bool {
    let last = crossings.count - 1
    let total = (crossings[last] - crossings[0]).seconds
    let top = peak / Self.ratio
    let bottom = nextLevel * Self.ratio
    var above = top
    for index in 0..<last {
      let below = above / Self.ratio
      let share = shape == .exponential ? 1 / Double(last) : (above - below) / (top - bottom)
      let took = (crossings[index + 1] - crossings[index]).seconds
      if !Self.smooth.contains(took / (share * total)) { return false }
      above = below
    }
    return true
  }
}
