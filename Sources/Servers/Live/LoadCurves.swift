import Linux
import Messages
import Synchronization
import Weighing

/// The load around the newest weighings, from 8 s before the confirmation to 2 s after it.
///
/// Curves are kept in memory for the weighings of this run: at most 100 curves of 160 points, 260 KB.
package final class LoadCurves: Sendable {
  private struct Point: Sendable {
    var time: Instant
    /// The unrounded gross, in grams; `nan` if it is not known.
    var gross: Float
    var state: Reading.State
  }

  private struct Curve: Sendable {
    var id: WeighingID
    /// The time of the confirmation.
    var time: Instant
    var tare: Grams
    var container: ContainerName?
    var points: [Point]
  }

  private struct State: Sendable {
    /// The readings of the last seconds, oldest first.
    var points: [Point] = []
    var container: ContainerName?
    /// Oldest first.
    var curves: [Curve] = []
  }

  private static let before = Interval.seconds(8)
  private static let after = Interval.seconds(2)
  /// At most 10 points a second, except at a change of the state.
  private static let spacing = Interval.milliseconds(100)
  private static let maximumPointsBefore = 120
  private static let maximumPoints = 160
  /// The number of records that the page lists.
  private static let maximumCurves = 100

  private let state = Mutex(State())

  /// Makes an empty store.
  package init() {}

  /// Adds a reading, also to the curves that are not complete yet.
  package func append(_ reading: Reading) {
    let gross = reading.highResolution.map { Float(($0 + reading.tare.mass).value) } ?? .nan
    let point = Point(time: reading.time, gross: gross, state: reading.state)
    state.withLock { state in
      state.container = reading.instruments?.container
      Self.append(point, to: &state.points)
      if state.points.count > Self.maximumPointsBefore { state.points.removeFirst() }
      for index in state.curves.indices.reversed() {
        guard point.time - state.curves[index].time <= Self.after else { break }
        if state.curves[index].points.count < Self.maximumPoints { Self.append(point, to: &state.curves[index].points) }
      }
    }
  }

  /// Keeps the curve of a weighing.
  ///
  /// - Parameter time: The time of the confirmation, on the clock of the readings.
  package func begin(_ id: WeighingID, at time: Instant, tare: Grams) {
    state.withLock { state in
      // A reading is valid until the next one: the last one before the curve is its beginning.
      let first = state.points.lastIndex { time - $0.time >= Self.before } ?? 0
      let points = Array(state.points.dropFirst(first))
      state.curves.append(Curve(id: id, time: time, tare: tare, container: state.container, points: points))
      if state.curves.count > Self.maximumCurves { state.curves.removeFirst() }
    }
  }

  private static func append(_ point: Point, to points: inout [Point]) {
    let last = points.count - 1
    if last > 0, points[last].state == point.state, points[last - 1].state == point.state,
      point.time - points[last - 1].time < spacing
    {
      points[last] = point
    } else {
      points.append(point)
    }
  }

  /// `{"id", "container": name or null, "complete", "points": [[ms, net in g or null, state], ...]}`, oldest first, with
  /// times from the confirmation and the net by the tare of the weighing; `"points": null` if no curve was kept.
  package func json(_ id: WeighingID, at now: Instant = .now()) -> [UInt8] {
    let curve = state.withLock { $0.curves.last { $0.id == id } }
    return JSONWriter.object { json in
      json.field("id", id.description)
      guard let curve else { return json.field("points", String?.none) }
      json.fields(("container", curve.container?.description), ("complete", now - curve.time > Self.after))
      json.array("points", curve.points) { json, point in Self.write(point, of: curve, to: &json) }
    }
  }

  private static func write(_ point: Point, of curve: Curve, to json: inout JSONWriter) {
    let offset = max((point.time - curve.time).nanoseconds, -before.nanoseconds)
    json.array { json in
      json.integer(Int(offset / 1_000_000))
      // `null` for an unknown gross, which is not finite.
      json.number(Double(point.gross) - curve.tare.value, decimals: 2)
      json.string(point.state.rawValue)
    }
  }
}
