/// Decides when a topic publishes a reading: on a change within a rate limit, always the final value, and as a
/// heartbeat.
struct ReadingThrottle: Sendable {
  /// The rate limit of a topic.
  struct Pace: Sendable {
    /// The minimum time between two readings.
    var interval: Interval
    /// The minimum time between two readings with different states.
    var stateInterval: Interval
    /// The maximum time between two readings.
    var heartbeat: Interval
  }

  /// The part of a reading whose changes are published.
  struct Appearance: Equatable, Sendable {
    var state: Reading.State
    var net: DisplayedMass?
    var tare: DisplayedMass
    var isStable: Bool
    var isInsideZero: Bool
    var isUnderloaded: Bool
    var calibration: Calibration.Origin?
    var tareEpoch: Int
    /// The flow in tenths of a gram per second; 0 while it is unknown.
    var flow: Int
    /// The timer in whole seconds. The number of pours only changes with it.
    var timer: Int64?
    var instruments: InstrumentReading.Appearance?

    init(_ reading: Reading) {
      state = reading.state
      net = reading.net
      tare = reading.tare
      isStable = reading.isStable
      isInsideZero = reading.isInsideZero
      isUnderloaded = reading.isUnderloaded
      calibration = reading.calibration
      tareEpoch = reading.tareEpoch
      flow = Self.tenths(reading.flow ?? 0)
      timer = reading.timer.map { $0.nanoseconds / 1_000_000_000 }
      instruments = reading.instruments.map(InstrumentReading.Appearance.init)
    }

    /// A load at rest, which does not flow, is the common case.
    private static func tenths(_ flow: Double) -> Int {
      flow == 0 ? 0 : Int((min(max(flow, -1e6), 1e6) * 10).rounded())
    }
  }

  /// Why a reading is published.
  enum Reason {
    case change
    case heartbeat
  }

  private enum Change {
    case none
    case appearance
    case state
  }

  private var published: Appearance
  private var publishedAt: Instant?
  /// Whether the next reading is published even without a change.
  private var isRefreshDue = true
  private var change = Change.none

  /// Makes a throttle that has published nothing; the appearance is that of any reading.
  init(_ appearance: Appearance) { published = appearance }

  /// Whether the current reading differs from the published one.
  var hasUnpublishedChange: Bool { change != .none }

  /// Offers the current reading; returns why to publish it now, or `nil`.
  ///
  /// - Parameter other: Why another topic publishes this reading. The heartbeats of both topics coincide, so that an
  ///   idle appliance wakes up once for both.
  mutating func offer(
    _ appearance: Appearance, at time: Instant, _ pace: Pace, along other: Reason? = nil
  ) -> Reason? {
    if isRefreshDue || appearance.state != published.state {
      change = .state
    } else {
      change = appearance == published ? .none : .appearance
    }
    var pace = pace
    if other == .heartbeat { pace.heartbeat = pace.interval }
    if let due = nextDeadline(pace), time < due { return nil }
    let reason = change == .none ? Reason.heartbeat : .change
    published = appearance
    publishedAt = time
    isRefreshDue = false
    change = .none
    return reason
  }

  /// Publishes the next reading even without a change, within the rate limit.
  mutating func refresh() { isRefreshDue = true }

  /// When a reading is due if nothing happens before; `nil` before the first reading.
  func nextDeadline(_ pace: Pace) -> Instant? {
    publishedAt.map { last in
      switch change {
      case .none: last + pace.heartbeat
      case .appearance: last + min(pace.interval, pace.heartbeat)
      case .state: last + min(pace.stateInterval, pace.heartbeat)
      }
    }
  }
}

extension ScaleSettings.Publish {
  /// The rate limit of the topic `live`.
  var livePace: ReadingThrottle.Pace {
    let interval = liveInterval
    return ReadingThrottle.Pace(interval: interval, stateInterval: interval, heartbeat: heartbeat)
  }

  /// The rate limit of the topic `reading`: once per second, twice for changes of state. A shorter heartbeat does not
  /// exceed it.
  var readingPace: ReadingThrottle.Pace {
    let interval = Interval.seconds(1)
    return ReadingThrottle.Pace(
      interval: interval, stateInterval: .milliseconds(500), heartbeat: max(heartbeat, interval))
  }
}
