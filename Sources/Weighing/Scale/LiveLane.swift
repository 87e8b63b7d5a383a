/// Decides when a reading is published: on change, not too often, the last value always, and now and then regardless.
struct LiveLane: Sendable {
  /// What a person would see change.
  struct Appearance: Equatable, Sendable {
    var state: Reading.State
    var net: DisplayedMass?
    var tare: DisplayedMass
    var isStable: Bool
    var isInsideZero: Bool
    var isUnderloaded: Bool
    var calibration: Calibration.Origin?
    var tareEpoch: Int

    init(_ reading: Reading) {
      state = reading.state
      net = reading.net
      tare = reading.tare
      isStable = reading.isStable
      isInsideZero = reading.isInsideZero
      isUnderloaded = reading.isUnderloaded
      calibration = reading.calibration
      tareEpoch = reading.tareEpoch
    }
  }

  private var published: Appearance?
  private var publishedAt: Instant?
  private var changed = false

  /// Whether the newest reading looks other than the one published last.
  var hasUnpublishedChange: Bool { changed }

  /// Takes the reading of now; whether it is to be published now.
  mutating func offer(_ reading: Reading, interval: Interval, heartbeat: Interval) -> Bool {
    let appearance = Appearance(reading)
    changed = appearance != published
    guard let last = publishedAt else { return publish(appearance, at: reading.time) }
    let age = reading.time - last
    guard changed && age >= interval || age >= heartbeat else { return false }
    return publish(appearance, at: reading.time)
  }

  /// Has the next reading published whatever it is, though no sooner than any other.
  mutating func renew() { published = nil }

  /// When the lane has something to publish if nothing happens before.
  func nextDeadline(interval: Interval, heartbeat: Interval) -> Instant? {
    publishedAt.map { $0 + (changed ? min(interval, heartbeat) : heartbeat) }
  }

  private mutating func publish(_ appearance: Appearance, at time: Instant) -> Bool {
    published = appearance
    publishedAt = time
    changed = false
    return true
  }
}
