import Weighing

/// Target, counting and containers. Their fields are in a reading only while they are in use; otherwise the entities are
/// unknown.
extension HomeAssistantDevice {
  var instruments: [HomeAssistantEntity] {
    [
      HomeAssistantEntity(
        .number, "target", "Target",
        entry("target", "target_g", field("target", "target_g"), "mdi:target") + [
          ("unit_of_measurement", .text("g")), ("device_class", .text("weight")),
        ]),
      HomeAssistantEntity(
        .sensor, "target_check", "Target check",
        [
          ("state_topic", .text(topics(.reading))), ("value_template", .text(field("target", "check"))),
          ("device_class", .text("enum")), ("options", .texts(TargetProgress.Check.allCases.map(\.rawValue))),
          ("icon", .text("mdi:target")),
        ] + whilePadIsThere),
      HomeAssistantEntity(
        .sensor, "target_remaining", "Target remaining",
        [
          ("state_topic", .text(topics(.reading))), ("value_template", .text(field("target", "remaining_g"))),
          ("device_class", .text("weight")), ("unit_of_measurement", .text("g")),
          ("suggested_display_precision", .integer(decimals)), ("icon", .text("mdi:arrow-collapse-down")),
        ] + whilePadIsThere),
      HomeAssistantEntity(
        .number, "sample_pieces", "Pieces on the scale",
        entry("count", "pieces", "{{ none }}", "mdi:counter", step: 1)),
      HomeAssistantEntity(
        .sensor, "pieces", "Pieces",
        [
          ("state_topic", .text(topics(.reading))),
          ("value_template", .text("{{ value_json.pieces | default(none) }}")),
          ("state_class", .text("measurement")), ("icon", .text("mdi:counter")),
        ] + whilePadIsThere),
      HomeAssistantEntity(
        .sensor, "container", "Container",
        [
          ("state_topic", .text(topics(.reading))),
          ("value_template", .text("{{ value_json.container | default(none) }}")),
          ("icon", .text("mdi:cup-outline")),
        ] + whilePadIsThere),
      HomeAssistantEntity(.button, "end_target", "End target", press("target", "mdi:target-variant")),
      HomeAssistantEntity(.button, "end_count", "End counting", press("count", "mdi:counter")),
    ]
  }

  /// A field of an object that a reading has only while it is in use.
  private func field(_ object: String, _ name: String) -> String {
    "{{ (value_json.\(object) | default({})).\(name) | default(none) }}"
  }

  /// A number that is sent as a parameter of a command.
  private func entry(
    _ command: String, _ parameter: String, _ value: String, _ icon: String, step: Double? = nil
  ) -> Options {
    var finest = 1.0
    for _ in 0..<decimals { finest /= 10 }
    let step = step ?? finest
    return [
      ("command_topic", .text(topics.command(command))),
      ("command_template", .text(#"{"\#(parameter)": {{ value }}}"#)), ("state_topic", .text(topics(.reading))),
      ("value_template", .text(value)), ("min", .number(step)), ("max", .integer(100_000)), ("step", .number(step)),
      ("mode", .text("box")), ("icon", .text(icon)),
    ]
  }
}
