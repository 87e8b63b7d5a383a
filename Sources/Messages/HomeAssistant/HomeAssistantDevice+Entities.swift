import Weighing

extension HomeAssistantDevice {
  /// All entities of the device.
  var entities: [HomeAssistantEntity] { readings + states + instruments + records + faders + buttons + diagnostics }

  /// The masses, the flow and the timer. The attributes of the weight rarely change: each new set of them is a row in Home
  /// Assistant's database.
  private var readings: [HomeAssistantEntity] {
    // Not `state`, which Home Assistant reserves.
    let attributes = fields("tare_g", "stable", "overload", "underload", "inside_zero", "calibration", "tare_epoch")
    return [
      HomeAssistantEntity(
        .sensor, "weight", "Weight",
        mass(.reading, "net_g", "mdi:scale") + whilePadIsThere + [
          ("json_attributes_topic", .text(topics(.reading))), ("json_attributes_template", .text(attributes)),
        ]),
      HomeAssistantEntity(
        .sensor, "gross", "Gross", mass(.reading, "gross_g", "mdi:scale") + whilePadIsThere + disabled),
      HomeAssistantEntity(.sensor, "tare", "Tare", mass(.reading, "tare_g", "mdi:cup-outline") + whilePadIsThere),
      HomeAssistantEntity(
        .sensor, "uncertainty", "Uncertainty",
        mass(.reading, "uncertainty_g", "mdi:plus-minus-variant", decimals: decimals + 1) + whilePadIsThere + diagnostic
          + disabled),
      // Home Assistant has no device class for a mass per time.
      HomeAssistantEntity(
        .sensor, "flow", "Flow",
        [
          ("state_topic", .text(topics(.reading))),
          ("value_template", .text("{{ value_json.flow_g_s | round(1, default=none) }}")),
          ("unit_of_measurement", .text("g/s")), ("state_class", .text("measurement")),
          ("suggested_display_precision", .integer(1)), ("icon", .text("mdi:waves-arrow-right")),
        ] + whilePadIsThere + disabled),
      HomeAssistantEntity(
        .sensor, "timer", "Timer",
        [
          ("state_topic", .text(topics(.reading))),
          ("value_template", .text("{{ value_json.timer_s | default(none) }}")),
          ("device_class", .text("duration")), ("unit_of_measurement", .text("s")),
          ("suggested_display_precision", .integer(0)), ("icon", .text("mdi:timer-outline")),
        ] + disabled),
    ] + (timesPours ? [pours] : [])
  }

  private var pours: HomeAssistantEntity {
    HomeAssistantEntity(
      Self.pours.platform, Self.pours.key, "Pours",
      [
        ("state_topic", .text(topics(.reading))),
        ("value_template", .text("{{ value_json.pours | default(none) }}")), ("icon", .text("mdi:kettle-pour-over")),
      ] + disabled)
  }

  private var states: [HomeAssistantEntity] {
    let problem =
      "value_json.pad.state != 'present' or value_json.pad.warning is defined or value_json.journal.state != 'available' or "
      + "value_json.outbox.parked > 0 or value_json.configuration.state != 'in_force' or "
      + "value_json.calibration_warning is defined"
    let details = object(["pad", "journal", "outbox", "configuration", "calibration_warning | default(none)"])
    return [
      HomeAssistantEntity(
        .sensor, "state", "State",
        [
          ("state_topic", .text(topics(.reading))), ("value_template", .text("{{ value_json.state }}")),
          ("device_class", .text("enum")), ("options", .texts(Reading.State.allCases.map(\.rawValue))),
          ("icon", .text("mdi:state-machine")),
        ]),
      HomeAssistantEntity(
        .binarySensor, "stable", "Stable",
        flag(.reading, "value_json.stable") + [("icon", .text("mdi:approximately-equal"))] + whilePadIsThere),
      HomeAssistantEntity(
        .binarySensor, "overload", "Overload",
        flag(.reading, "value_json.overload") + [("device_class", .text("problem"))] + whilePadIsThere),
      HomeAssistantEntity(
        .binarySensor, "problem", "Problem",
        // Without a problem it has no attributes: the counters among them change with each record.
        flag(.health, problem) + [
          ("device_class", .text("problem")), ("json_attributes_topic", .text(topics(.health))),
          ("json_attributes_template", .text("{{ (\(details) if \(problem) else {}) | to_json }}")),
        ] + diagnostic),
    ]
  }

  private var records: [HomeAssistantEntity] {
    // A record that is sent again must not fire again. The attributes are those of the last one; a new journal starts with
    // sequence 1, but with later ids.
    let isKnown =
      "value_json.historical and value_json.sequence <= this.attributes.sequence | default(0) and "
      + "value_json.id <= this.attributes.id | default('')"
    return [
      // An empty payload means that all weighings are voided: the value is unknown then.
      HomeAssistantEntity(
        .sensor, "last_weighing", "Last weighing",
        mass(.lastWeighing, "net_g if value_json is defined else None", "mdi:scale-balance") + [
          ("json_attributes_topic", .text(topics(.lastWeighing))),
          ("json_attributes_template", .text("{{ value or '{}' }}")),
        ]),
      HomeAssistantEntity(
        .event, "weighing", "Weighing",
        happening(
          .weighing, ["weighed", "voided", "relabelled"],
          "{'void': 'voided', 'relabel': 'relabelled'}.get(value_json.kind, 'weighed')", "mdi:scale-balance",
          unless: isKnown)),
      HomeAssistantEntity(
        .event, "event", "Event",
        happening(.event, ScaleEvent.Kind.names, "value_json.type", "mdi:bell-outline")),
    ]
  }

  /// The force on each control in percent; the position and the state of the touch are attributes. After a touch the last
  /// value remains.
  private var faders: [HomeAssistantEntity] {
    controls.map { control in
      HomeAssistantEntity(
        .sensor, Self.component(of: control), control.description,
        [
          ("state_topic", .text(topics.control(control))),
          ("value_template", .text("{{ (value_json.value * 100) | round(1) }}")),
          ("unit_of_measurement", .text("%")), ("suggested_display_precision", .integer(0)),
          ("icon", .text("mdi:gesture-tap-hold")), ("json_attributes_topic", .text(topics.control(control))),
          // Not `state`, which Home Assistant reserves.
          (
            "json_attributes_template",
            .text("{{ {'touch': value_json.state, 'x': value_json.x, 'y': value_json.y} | to_json }}")
          ),
        ] + whilePadIsThere, objectName: Self.component(of: control))
    }
  }

  private var buttons: [HomeAssistantEntity] {
    let plain: [(Action, String, String)] = [
      (.tare, "Tare", "mdi:cup-outline"), (.clearTare, "Clear tare", "mdi:cup-off-outline"),
      (.zero, "Zero", "mdi:numeric-0-circle-outline"), (.commit, "Commit", "mdi:check"), (.void, "Void", "mdi:undo"),
    ]
    return plain.map { action, name, icon in
      HomeAssistantEntity(.button, "press_" + action.rawValue, name, press(action.rawValue, icon))
    }
      + TimerCommand.allCases.map { command in
        HomeAssistantEntity(
          .button, "timer_" + command.rawValue, command.title,
          press(Action.timer.rawValue, command.icon, payload: "{\"do\":\"\(command.rawValue)\"}"))
      }
      + (doseButton == .present
        ? [
          HomeAssistantEntity(
            .button, Self.stopDose, "Stop dose", press(Action.dose.rawValue, "mdi:stop-circle-outline"))
        ]
        : [])
      + quickActions.map { action in
        HomeAssistantEntity(
          .button, Self.component(of: action.type), action.title.isEmpty ? action.type : action.title,
          press(action.type, action.icon), objectName: Self.component(of: action.type))
      }
  }

  private var diagnostics: [HomeAssistantEntity] {
    let texts: [(String, String, String, String)] = [
      ("calibration", "Calibration", "value_json.calibration", "mdi:chart-bell-curve-cumulative"),
      ("broker", "Broker", "value_json.broker.address", "mdi:server-network"),
      ("version", "Version", "value_json.version", "mdi:information-outline"),
      ("pad", "Pad", "value_json.pad.name", "mdi:gesture-tap-button"),
    ]
    return texts.map { key, name, value, icon in
      HomeAssistantEntity(
        .sensor, key, name,
        [
          ("state_topic", .text(topics(.health))), ("value_template", .text("{{ \(value) | default(none) }}")),
          ("icon", .text(icon)),
        ] + diagnostic)
    } + [
      HomeAssistantEntity(
        .sensor, "outbox", "Outbox",
        [
          ("state_topic", .text(topics(.health))), ("value_template", .text("{{ value_json.outbox.waiting }}")),
          ("state_class", .text("measurement")), ("icon", .text("mdi:tray-full")),
        ] + diagnostic + disabled),
      HomeAssistantEntity(
        .sensor, "raw", "Raw",
        [
          ("state_topic", .text(topics(.reading))), ("value_template", .text("{{ value_json.raw }}")),
          ("state_class", .text("measurement")), ("icon", .text("mdi:waveform")),
        ] + whilePadIsThere + diagnostic + disabled),
    ]
  }
}

extension TimerCommand {
  /// The name of the button.
  fileprivate var title: String {
    switch self {
    case .start: "Start timer"
    case .stop: "Stop timer"
    case .reset: "Reset timer"
    }
  }

  fileprivate var icon: String {
    switch self {
    case .start: "mdi:timer-play-outline"
    case .stop: "mdi:timer-stop-outline"
    case .reset: "mdi:timer-refresh-outline"
    }
  }
}

extension ScaleEvent.Kind {
  /// All values of `type`; Home Assistant rejects an event with any other.
  static let names = [
    "tared", "tare_cleared", "zeroed", "rejected", "voided", "overload", "pad_lost", "pad_found", "calibrated",
    "reloaded", "relabelled", "recalled", "journal_loss", "journal_recovered", "pad_suspect",
    "scanned", "target_reached", "timer_started", "timer_stopped", "pairing_requested", "pairing_granted",
    "pairing_refused", "target_stop", "dose_started", "dosed",
  ]
}
