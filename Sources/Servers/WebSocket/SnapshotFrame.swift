import Messages
import Weighing

/// A message to a WebSocket client.
///
/// Source: github.com/decentespresso/openscale, `README.md` ("WebSockets support") and `include/websocket.h`; the events are those that
/// can happen here.
enum SnapshotFrame: Hashable, Sendable {
  /// The options that a client has chosen.
  struct Options: Hashable, Sendable {
    var rate = SnapshotRate.two
    var hasEvents = false
  }

  /// The mass. It is the only message without a type.
  case weight
  case status(Options, isValid: Bool)
  case rate(Options, isValid: Bool)
  case error(SnapshotError)
  /// The event that the condition of the scale has changed.
  case condition
  /// The event that the timer was started, stopped or reset.
  case timer(TimerCommand)

  /// The text.
  ///
  /// - Parameter start: The zero of `ms`.
  func json(_ scale: ScaleSnapshot, since start: Instant, at now: Instant) -> [UInt8] {
    let milliseconds = Int((now - start).nanoseconds / 1_000_000)
    let seconds = Int(scale.timer?.elapsed(at: now).seconds ?? 0)
    return JSONWriter.object { json in
      switch self {
      case .weight:
        json.field("grams", scale.mass.value, decimals: 2)
        json.field("ms", milliseconds)
      case .status(let options, let isValid):
        json.fields(("type", "status"), ("status", isValid ? "ok" : "invalid"), ("protocol_version", 1))
        json.field("firmware_version", "Grampad \(Version.text)")
        json.field("grams", scale.mass.value, decimals: 2)
        json.field("ms", milliseconds)
        // Apps expect these fields. Without a battery they are those of a full one on a charger, 4.2 V for a lithium cell.
        json.fields(("battery_percent", 100), ("battery_voltage", 4.2), ("charging", true))
        json.fields(("timer_running", scale.timer?.isRunning ?? false), ("timer_seconds", seconds))
        json.fields(("display_on", true), ("low_power", false), ("soft_sleep", false))
        json.fields(("events_enabled", options.hasEvents), ("rate_hz", options.rate.rawValue))
        json.field("interval_ms", options.rate.milliseconds)
        json.fields(("state", scale.condition.rawValue), ("stable", scale.isStable))
      case .rate(let options, let isValid):
        json.fields(("type", "rate"), ("status", isValid ? "ok" : "invalid"))
        json.fields(("interval_ms", options.rate.milliseconds), ("hz", options.rate.rawValue))
        json.array("supported_hz", SnapshotRate.allCases) { json, rate in json.integer(rate.rawValue) }
      case .error(let error):
        json.fields(("type", "error"), ("code", error.code), ("message", error.detail), ("ms", milliseconds))
      case .condition: json.fields(("type", "state"), ("state", scale.condition.rawValue), ("ms", milliseconds))
      case .timer(let change):
        json.fields(("type", "timer"), ("event", change.rawValue), ("timer_seconds", seconds), ("ms", milliseconds))
      }
    }
  }
}

/// Why a command of a WebSocket client is not performed.
struct SnapshotError: Error, Hashable, Sendable {
  /// For programs.
  let code: String
  /// For users.
  let detail: String

  static let unknownCommand = SnapshotError(
    code: "unknown_command", detail: "Unknown or malformed command. HTTP.md lists the commands of this scale.")
  static let powerOff = SnapshotError(code: "refused", detail: "This scale cannot be switched off over the network.")
  static let busy = SnapshotError(code: "busy", detail: "Too many commands are waiting. Try again later.")
}
