import Messages
import Weighing

/// The state of a remote scale, derived from its messages.
///
/// A broker may deliver anything: messages that are not valid payloads of the scale are ignored.
package struct WatchedScale: Hashable, Sendable {
  /// The connection to the broker.
  package enum Connection: Hashable, Sendable {
    /// Not connected, or disconnected; with the reason, if there is one.
    case down(String?)
    /// Connected; with the address of the broker.
    case up(String)
  }

  /// The part of a reading that is shown.
  struct DisplayedReading: Hashable, Sendable {
    var printable: String
    var state: Reading.State
    var gross: String
    var tare: String
    var uncertainty: Double?
    var net: Double?
    var isUnderloaded: Bool
  }

  /// A press.
  struct Press: Hashable, Sendable {
    var action: String
    var state: GestureReport.State
    var intention: Double
  }

  /// A quick action.
  package struct QuickActionTitle: Hashable, Sendable {
    /// Its name in commands.
    package var type: String
    /// The displayed title.
    package var title: String
  }

  /// The topics of the appliance.
  package let topics: Topics
  /// The time without a reading after which it is stale: two heartbeats and a second.
  let patience: Interval

  /// The connection to the broker.
  package internal(set) var connection = Connection.down(nil)
  /// Whether the appliance is online; `nil` before the first message.
  var isOnline: Bool?
  var reading: DisplayedReading?
  var readingTime: Instant?
  var press: Press?
  var records = WatchedRecords()
  /// The quick actions in order.
  package internal(set) var quickActions: [QuickActionTitle] = []
  var health: [HealthItem] = []
  var lastMinute = LastMinute()
  /// The last notice and its time.
  var notice: (text: String, isGood: Bool, time: Instant)?

  /// Makes an empty state.
  package init(topics: Topics, heartbeat: Interval) {
    self.topics = topics
    patience = heartbeat * 2 + .seconds(1)
  }

  /// The health of a part of the appliance.
  struct HealthItem: Hashable, Sendable {
    var name: String
    var text: String
    var isGood: Bool
  }

  package static func == (a: Self, b: Self) -> Bool {
    a.connection == b.connection && a.isOnline == b.isOnline && a.reading == b.reading && a.press == b.press
      && a.records == b.records && a.quickActions == b.quickActions && a.health == b.health
      && a.notice?.text == b.notice?.text && a.lastMinute == b.lastMinute
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(reading) }

  /// Whether the displayed state is out of date.
  func isStale(at now: Instant) -> Bool {
    guard case .up = connection, isOnline != false, let readingTime else { return true }
    return now - readingTime > patience
  }

  /// Asks to confirm a void without an identifier; a statement if there is nothing left to void.
  package var voidQuestion: String {
    guard let weighing = records.newestWeighing else { return "Void the last weighing? Press v again to confirm" }
    guard !records.isVoided(weighing) else { return "Weighing #\(weighing.sequence) is already voided" }
    let label = records.label(of: weighing).map { ", " + $0 } ?? ""
    return
      "Void weighing #\(weighing.sequence) (\(WatchedRecords.mass(weighing.net))\(label))? Press v again to confirm"
  }

  /// Sets the notice that is shown until the next one.
  package mutating func setNotice(_ text: String, isGood: Bool, at now: Instant) { notice = (text, isGood, now) }

  /// Sets the state of the connection.
  package mutating func setConnection(_ connection: Connection, at now: Instant) {
    self.connection = connection
    if case .down = connection {
      // Whether the appliance is still running is unknown.
      isOnline = nil
      press = nil
      lastMinute.append(.nothing, at: now)
    }
  }
}
