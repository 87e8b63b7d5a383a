import Configuration
import Messages
import Servers
import Weighing

/// The payload of the feed `hello`, which the page needs first.
struct HelloPayload {
  let configuration: Configuration
  let settings: ScaleSettings
  let rule: AccessPolicy.Rule

  /// `{"id", "name", "version", "capacity_g", "division_g", "minimum_g", "decimals", "hold_ms", "dwell_ms", "threshold", "heartbeat_ms", "pause_s", "acting",
  /// "confirm", "pairing", "stop_ahead", "unit": {"symbol", "grams", "step", "decimals"}, "zones": [{"action" or "control", "x": [left, right], "y": [top, bottom]}, ...], "slide", "outputs": [name, ...]}`,
  /// where `acting` is `open`, `token` or `closed`, `confirm` is how a press on the pad is confirmed, by `slide` or `hold`, `pairing` is whether the client can ask for the right to act, and
  /// `stop_ahead` whether targets are stopped ahead unless a request says otherwise; `outputs` only if there are any.
  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.fields(
        ("id", configuration.device.id), ("name", configuration.device.name), ("version", Version.text),
        ("acting", rule.rawValue), ("confirm", confirmsBySliding ? "slide" : "hold"))
      for (key, number) in [
        ("capacity_g", settings.scale.capacity.value), ("division_g", settings.scale.division.step.value),
        ("minimum_g", settings.scale.minimum.value), ("hold_ms", settings.confirm.hold.seconds * 1000),
        ("dwell_ms", settings.confirm.dwell.seconds * 1000),
        ("threshold", settings.confirm.threshold), ("slide", settings.confirm.slide),
        ("full_g", settings.confirm.full.value), ("heartbeat_ms", settings.publish.heartbeat.seconds * 1000),
        ("pause_s", settings.timer.pause.seconds),
      ] {
        json.field(key, number)
      }
      json.field("decimals", settings.scale.division.decimals)
      json.field("pairing", configuration.dashboard.allowsPairing)
      json.field("stop_ahead", settings.target.stopsAhead)
      unit(&json)
      zones(&json)
      let outputs = settings.outputs.map(\.name.description)
      if !outputs.isEmpty { json.array("outputs", outputs) { json, name in json.string(name) } }
    }
    return json.bytes
  }

  /// The unit of the display, with its step and the mass of one unit.
  private func unit(_ json: inout JSONWriter) {
    let display = settings.scale.display
    json.object("unit") { json in
      json.fields(("symbol", display.unit.rawValue))
      json.field("grams", display.unit.mass.value)
      json.field("step", display.step)
      json.field("decimals", display.decimals)
    }
  }

  /// The zones of the pad, with the name of their action, `history` or that of their control, as fractions of its width and height.
  private func zones(_ json: inout JSONWriter) {
    json.array("zones", settings.surface == .contacts ? settings.zones.zones : []) { json, zone in
      json.object { json in
        if case .control = zone.purpose { json.key("control") } else { json.key("action") }
        json.string(zone.purpose.name)
        for (key, edges) in [("x", zone.area.x), ("y", zone.area.y)] {
          json.array(key, [edges.lowerBound, edges.upperBound]) { json, edge in json.number(edge) }
        }
      }
    }
  }

  private var confirmsBySliding: Bool { settings.surface == .contacts && settings.zones.hasActions }
}
