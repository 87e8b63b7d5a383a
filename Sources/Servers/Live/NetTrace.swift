import Linux
import Messages
import Synchronization
import Weighing

/// The net of the last minutes and, in buckets, of the last hours, so that a newly opened page has a chart immediately.
package final class NetTrace: Sendable {
  fileprivate struct Point: Sendable {
    var time: Instant
    var net: Double?
    var state: Reading.State
  }

  /// Five minutes with one point every 200 ms.
  private static let capacity = 1500
  private static let spacing = Interval.milliseconds(200)
  private static let span = Interval.seconds(300)
  /// Tolerated delay of a heartbeat.
  private static let lateness = Interval.seconds(1)

  fileprivate struct State: Sendable {
    var points: [Point] = []
    /// Index of the oldest point once the ring is full.
    var oldest = 0
    var scale = ScaleSnapshot()
    /// The newest reading, which is valid until the next one, but not for longer than `validity`.
    var last: Point?
    var validity = Interval.seconds(6)
    var histories = TraceRange.allCases.map(NetHistory.init)
  }

  private let state = Mutex(State())

  /// Makes an empty trace.
  package init() {}

  /// Adds a reading: of several within one interval the last one counts, unless the state changes.
  package func append(_ reading: Reading) {
    let point = Point(time: reading.time, net: reading.net?.mass.value, state: reading.state)
    state.withLock { state in
      state.scale.update(reading)
      state.addToHistories(point)
      let full = state.points.count == Self.capacity
      let newest = full ? (state.oldest + Self.capacity - 1) % Self.capacity : state.points.count - 1
      let before = full ? (newest + Self.capacity - 1) % Self.capacity : newest - 1
      if before >= 0, state.points[newest].state == point.state, state.points[before].state == point.state,
        point.time - state.points[before].time < Self.spacing
      {
        state.points[newest] = point
      } else if full {
        state.points[state.oldest] = point
        state.oldest = (state.oldest + 1) % Self.capacity
      } else {
        state.points.append(point)
      }
    }
  }

  /// The timer was started or stopped; readings have only the time on it.
  package func setTimer(isRunning: Bool, elapsed: Interval, at time: Instant) {
    state.withLock { $0.scale.timer = ScaleSnapshot.Timer(isRunning: isRunning, elapsed: elapsed, date: time) }
  }

  /// The scale according to the newest reading.
  var scale: ScaleSnapshot { state.withLock { $0.scale } }

  /// Sets the longest time between two readings; after a longer one there is a gap.
  package func setHeartbeat(_ heartbeat: Interval) { state.withLock { $0.validity = heartbeat + Self.lateness } }

  /// The buckets of a range, see `NetHistory`.
  func json(_ range: TraceRange, at now: Instant = .now()) -> [UInt8] {
    let history = state.withLock { state in state.histories.first { $0.range == range } }
    return (history ?? NetHistory(range)).json(at: now)
  }

  /// `[[age in ms, net in g or null, state], ...]`, oldest first.
  func json() -> [UInt8] {
    let now = Instant.now()
    let points = state.withLock { state in Array(state.points[state.oldest...] + state.points[..<state.oldest]) }
    return JSONWriter.array { json in
      for point in points where now - point.time < Self.span {
        json.array { json in
          json.integer(Int((now - point.time).nanoseconds / 1_000_000))
          if let net = point.net { json.number(net, decimals: 3) } else { json.null() }
          json.string(point.state.rawValue)
        }
      }
    }
  }
}

extension NetTrace.State {
  /// Adds a reading, and the one before it for the time between them.
  fileprivate mutating func addToHistories(_ point: NetTrace.Point) {
    for index in histories.indices {
      if let last, point.time > last.time, point.time - last.time <= validity {
        histories[index].add(last.net, isOverload: last.state == .overload, at: point.time, since: last.time)
      }
      histories[index].add(point.net, isOverload: point.state == .overload, at: point.time)
    }
    last = point
  }
}
