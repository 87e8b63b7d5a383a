import Messages
import Weighing

/// What is known of a scale elsewhere by the messages that came from it.
///
/// Whatever a broker delivers may be anything: what does not read as a payload of the scale is left out.
package struct WatchedScale: Hashable, Sendable {
  /// The connection to the broker.
  package enum Line: Hashable, Sendable {
    /// Not there yet, or lost; with the reason once there is one.
    case down(String?)
    /// There; the broker's address.
    case up(String)
  }

  /// A reading, as far as it is shown.
  struct Shown: Hashable, Sendable {
    var printable: String
    var state: Reading.State
    var gross: String
    var tare: String
    var uncertainty: Double?
    var net: Double?
    var isUnderloaded: Bool
  }

  /// A press.
  struct Pressed: Hashable, Sendable {
    var action: String
    var state: GestureReport.State
    var intention: Double
  }

  /// A quick action.
  package struct Quick: Hashable, Sendable {
    /// Its name in commands.
    package var type: String
    /// What people read.
    package var title: String
  }

  /// The appliance's topics.
  package let topics: Topics
  /// After how long without a reading it is stale: two heartbeats and a second.
  let patience: Interval

  /// The connection to the broker.
  package internal(set) var line = Line.down(nil)
  /// Whether the scale says that it runs; `nil` before it says anything.
  var isOnline: Bool?
  var reading: Shown?
  var readingTime: Instant?
  var pressed: Pressed?
  var records = WatchedRecords()
  /// The quick actions, in their order.
  package internal(set) var quickActions: [Quick] = []
  var health: [HealthItem] = []
  var trace = LastMinute()
  /// What happened last, and when.
  var notice: (text: String, isGood: Bool, time: Instant)?

  /// Knows nothing yet.
  package init(topics: Topics, heartbeat: Interval) {
    self.topics = topics
    patience = heartbeat * 2 + .seconds(1)
  }

  /// A part of the appliance and how it is.
  struct HealthItem: Hashable, Sendable {
    var name: String
    var text: String
    var isGood: Bool
  }

  package static func == (a: Self, b: Self) -> Bool {
    a.line == b.line && a.isOnline == b.isOnline && a.reading == b.reading && a.pressed == b.pressed
      && a.records == b.records && a.quickActions == b.quickActions && a.health == b.health
      && a.notice?.text == b.notice?.text && a.trace == b.trace
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(reading) }

  /// Whether what is shown is not what is now.
  func isStale(at now: Instant) -> Bool {
    guard case .up = line, isOnline != false, let readingTime else { return true }
    return now - readingTime > patience
  }

  /// What a void without an identifier would void, as a question; a statement where nothing is left to void.
  package var voidQuestion: String {
    guard let weighing = records.newestWeighing else { return "Void the last weighing? Press v again to confirm" }
    guard !records.isVoided(weighing) else { return "Weighing #\(weighing.sequence) is already voided" }
    let label = records.label(of: weighing).map { ", " + $0 } ?? ""
    return "Void weighing #\(weighing.sequence) (\(WatchedRecords.mass(weighing.net))\(label))? Press v again to confirm"
  }

  /// Says something to whoever looks, until something else is said.
  package mutating func note(_ text: String, isGood: Bool, at now: Instant) { notice = (text, isGood, now) }

  /// The connection has come or gone.
  package mutating func connect(_ line: Line, at now: Instant) {
    self.line = line
    if case .down = line {
      // Whether it still runs nobody knows.
      isOnline = nil
      pressed = nil
      trace.append(.nothing, at: now)
    }
  }
}
