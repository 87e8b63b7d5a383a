import Weighing

/// Target, counting and containers. Their fields are in a reading only while they are in use; otherwise the entities are
/// unknown.
extension HomeAssistantDevice {
  var instruments: [HomeAssistantEntity] {
    [
      HomeAssistantEntity(
        .number, "target", "Target",
        entry("target", unlessZero(withOther("tolerance_g", "target_g")), field("target", "target_g"), "mdi:target")
          + attribute("tolerance_g") + grams),
      HomeAssistantEntity(
        .number, "target_tolerance", "Target tolerance",
        entry(
          "target", "{{ \(withOther("target_g", "tolerance_g")) | to_json }}", field("target", "tolerance_g"),
          "mdi:plus-minus-variant") + attribute("target_g") + grams + whileThereIsATarget),
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
        ] + whilePadIsThere + disabled),
      HomeAssistantEntity(
        .number, "sample_pieces", "Pieces on the scale",
        entry("count", unlessZero("{'pieces': value | int}"), "{{ none }}", "mdi:counter", step: 1)),
      HomeAssistantEntity(
        .number, "piece_mass", "Piece mass",
        entry(
          "count", unlessZero("{'piece_g': value}"), "{{ value_json.piece_g | default(none) }}", "mdi:weight-gram",
          step: 0.001) + grams),
      HomeAssistantEntity(
        .sensor, "pieces", "Pieces",
        [
          ("state_topic", .text(topics(.reading))),
          ("value_template", .text("{{ value_json.pieces | default(none) }}")),
          ("state_class", .text("measurement")), ("icon", .text("mdi:counter")),
        ] + whilePadIsThere),
      container,
      HomeAssistantEntity(
        .number, "preset_tare", "Preset tare",
        entry("tare", "{{ {'tare_g': value} | to_json }}", "{{ value_json.tare_g }}", "mdi:cup-outline") + grams),
      HomeAssistantEntity(.button, "end_target", "End target", press("target", "mdi:target-variant")),
      HomeAssistantEntity(.button, "end_count", "End counting", press("count", "mdi:counter")),
    ]
  }

  /// A field of an object that a reading has only while it is in use.
  private func field(_ object: String, _ name: String) -> String {
    "{{ (value_json.\(object) | default({})).\(name) | default(none) }}"
  }

  /// The container whose tare is set: choosing one tares with it. The options follow the topic `containers`.
  ///
  /// `this` is the entity itself: a container that is not among its options, such as one that was removed while its tare
  /// is set, would be logged as an error with each reading.
  private var container: HomeAssistantEntity {
    HomeAssistantEntity(
      .select, "tare_container", "Container",
      [
        ("command_topic", .text(topics.command(Action.tare.rawValue))),
        (
          "command_template",
          .text(
            "{{ ({'tare_g': 0} if value == '\(Self.noContainer)' else {'container': value}) | to_json }}")
        ),
        ("state_topic", .text(topics(.reading))),
        (
          "value_template",
          .text(
            "{% set name = value_json.container | default('') %}"
              + "{{ name if name in (this.attributes.options | default([])) else '\(Self.noContainer)' }}")
        ),
        ("options", .texts([Self.noContainer] + containers.filter { $0 != Self.noContainer })),
        ("icon", .text("mdi:cup-outline")),
      ] + whilePadIsThere)
  }

  /// The option for a tare that is not that of a known container; choosing it removes the tare. Home Assistant reserves
  /// the word `None`.
  static let noContainer = "No container"

  private var grams: Options { [("unit_of_measurement", .text("g")), ("device_class", .text("weight"))] }

  /// A template for a command whose parameters are an expression; a value of 0 ends the function.
  private func unlessZero(_ parameters: String) -> String { "{{ (\(parameters) if value > 0 else {}) | to_json }}" }

  /// The parameters of a target with a new value that keeps the other one: `this` is the entity itself, which has the
  /// other value as an attribute while there is a target.
  private func withOther(_ other: String, _ changed: String) -> String {
    "dict({'\(changed)': value}, **({'\(other)': this.attributes.\(other)} if this.attributes.\(other) is defined else {}))"
  }

  /// The other value of the target as an attribute, while there is a target.
  private func attribute(_ name: String) -> Options {
    [
      ("json_attributes_topic", .text(topics(.reading))),
      (
        "json_attributes_template",
        .text("{{ ({'\(name)': value_json.target.\(name)} if value_json.target is defined else {}) | to_json }}")
      ),
    ]
  }

  /// Available only while the appliance runs and has a target.
  private var whileThereIsATarget: Options {
    let target = "{{ 'online' if value_json.target is defined else 'offline' }}"
    return [
      ("availability", .availability([(topics(.availability), nil), (topics(.reading), target)])),
      ("availability_mode", .text("all")),
    ]
  }

  /// A number that is sent with a command.
  ///
  /// - Parameters:
  ///   - payload: The template of the command.
  ///   - value: The template of the state.
  ///   - step: `nil` for a tenth of a division: a target may be finer than the display.
  private func entry(
    _ command: String, _ payload: String, _ value: String, _ icon: String, step: Double? = nil
  ) -> Options {
    [
      ("command_topic", .text(topics.command(command))), ("command_template", .text(payload)),
      ("state_topic", .text(topics(.reading))), ("value_template", .text(value)), ("min", .integer(0)),
      ("max", .integer(100_000)), ("step", .number(step ?? (0...decimals).reduce(1) { step, _ in step / 10 })),
      ("mode", .text("box")), ("icon", .text(icon)),
    ]
  }
}
