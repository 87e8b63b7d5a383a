/// Publishes readings on the topics `live` and `reading`, each with its own rate limit and heartbeat.
struct ReadingPublication: Sendable {
  private var live: ReadingThrottle
  private var readings: ReadingThrottle
  private var livePace: ReadingThrottle.Pace
  private var readingPace: ReadingThrottle.Pace

  /// Makes a publication that has published nothing, not even the current reading.
  init(_ settings: ScaleSettings, _ reading: Reading) {
    live = ReadingThrottle(ReadingThrottle.Appearance(reading))
    readings = live
    livePace = settings.publish.livePace
    readingPace = settings.publish.readingPace
  }

  /// Applies changed settings.
  mutating func configure(_ settings: ScaleSettings) {
    livePace = settings.publish.livePace
    readingPace = settings.publish.readingPace
  }

  /// Returns on which topics the current reading is to be published now, whose rate allows it. It takes the appearance, because a
  /// reading is large to copy.
  @inline(__always)
  mutating func offer(_ appearance: ReadingThrottle.Appearance, at now: Instant) -> (live: Bool, reading: Bool) {
    let reason = live.offer(appearance, at: now, livePace)
    return (reason != nil, readings.offer(appearance, at: now, readingPace, along: reason) != nil)
  }

  /// Publishes on the topic `reading` what its rate limit has delayed.
  mutating func publishDelayed(_ reading: Reading, at now: Instant, _ effects: inout [Effect]) {
    if readings.offer(ReadingThrottle.Appearance(reading), at: now, readingPace) != nil {
      effects.append(.reading(reading))
    }
  }

  /// Publishes the next reading even without a change, within the rate limits: a new subscriber needs it.
  mutating func refresh() {
    live.refresh()
    readings.refresh()
  }

  /// When a reading is due on the topic `live`; `nil` before the first one.
  var liveDeadline: Instant? { @inline(__always) get { live.nextDeadline(livePace) } }

  /// When a reading is due on the topic `reading`; `nil` before the first one.
  var readingDeadline: Instant? { @inline(__always) get { readings.nextDeadline(readingPace) } }

  /// Whether the current reading differs from the published one on either topic.
  var hasUnpublishedChange: Bool { live.hasUnpublishedChange || readings.hasUnpublishedChange }
}
