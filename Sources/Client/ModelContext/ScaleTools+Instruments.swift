import Weighing

/// The tools for timer, target, counting and containers.
extension ScaleTools {
  /// All of them.
  var instruments: [Tool] { [timer, target, dose, stopDose, count, listContainers, storeContainer, removeContainer] }

  private var timer: Tool {
    action(
      .timer, title: "Run the timer",
      description: """
        Starts, stops or resets the timer of the scale. start lets a stopped timer run on; reset stops it and removes its time. \
        The scale can also start and stop it by itself when something is poured.
        """,
      effect: .setting,
      arguments: [
        ToolField("do", .word(TimerCommand.allCases.map(\.rawValue)), "What to do with the timer.", isRequired: true)
      ])
  }

  private var target: Tool {
    action(
      .target, title: "Set a target",
      description: """
        Sets a target for the net weight, for example 18 g of coffee. Readings then state what remains and whether the net is \
        under, ok or over. Without arguments it ends the target.
        """,
      effect: .setting,
      arguments: [
        ToolField("target_g", .number(0...Grams.maximum.value), "The net weight to reach, in grams, above 0."),
        ToolField(
          "tolerance_g", .number(0...Grams.maximum.value),
          "How far the net may be off, in grams. Default: one division of the scale."),
        ToolField(
          "stop_ahead", .boolean,
          "Report the event target_stop as soon as the load will have reached the target, so that the filling can be stopped."
        ),
        Self.learningLabel,
      ])
  }

  private static let learningLabel = ToolField(
    "label", .text(maximumLength: QuickAction.maximumValueBytes),
    "What is filled, for example beans: the scale learns for each label how much arrives after a stop.")

  private var dose: Tool {
    action(
      .dose, title: "Start a dose",
      description: """
        Switches an output of the scale on, such as the plug of a grinder, and off again so that the net weight at rest is the \
        target. It sets a machine in motion: use it only if the user has asked for it. Returns when the output is on; the reading \
        states the dose in target.dose. Rejected if the net has reached the target, or without a connection to the broker.
        """,
      effect: .replacement(isIdempotent: false),
      arguments: [
        ToolField("output", .bytes(maximum: OutputName.maximumBytes), "The name of the output.", isRequired: true),
        ToolField(
          "target_g", .number(0...Grams.maximum.value), "The net weight to reach, in grams, above 0.", isRequired: true),
        ToolField(
          "tolerance_g", .number(0...Grams.maximum.value),
          "How far the net may be off, in grams. Default: one division of the scale."),
        Self.learningLabel,
      ])
  }

  private var stopDose: Tool {
    action(
      .dose, name: "stop_dose", title: "Stop a dose",
      description: "Switches the output of the dose under way off at once.",
      effect: .setting, arguments: [])
  }

  private var count: Tool {
    action(
      .count, title: "Count pieces",
      description: """
        Counts equal pieces by their mass. With pieces, the load on the scale is a sample of that many pieces, which gives the \
        mass of one; with piece_g that mass is given. Readings then state the number of pieces, or null if it is not certain. \
        Without arguments it ends counting.
        """,
      effect: .setting,
      arguments: [
        ToolField(
          "pieces", .integer(1...PieceReference.maximumPieces),
          "The number of pieces on the scale. Not together with piece_g."),
        ToolField("piece_g", .number(0...Grams.maximum.value), "The mass of one piece, in grams, above 0."),
        ToolField(
          "piece_spread", .number(0...0.5),
          "One standard deviation of the mass of a piece as a fraction of it. Default: 0.02."),
      ])
  }

  // MARK: Containers

  private var listContainers: Tool {
    Tool(
      "list_containers", title: "List containers",
      description: "Returns the containers that the scale knows, with their tare in grams, for the tool tare.",
      effect: .none, arguments: [],
      result: [
        ToolField(
          "containers",
          .list([
            ToolField("name", .text(maximumLength: nil), "The name.", isRequired: true),
            ToolField("tare_g", .number(nil), "The mass of the empty container in grams.", isRequired: true),
          ]), "The containers.", isRequired: true)
      ]
    ) { [observer] _, call in
      do throws(ObservationError) {
        return .success(try observer.containers { !call.isCancelled })
      } catch {
        return .failure(error.description)
      }
    }
  }

  private static let nameField = ToolField(
    "name", .bytes(maximum: ContainerName.maximumBytes), "The name of the container.", isRequired: true)

  private var storeContainer: Tool {
    action(
      .container, name: "store_container", title: "Store a container",
      description: """
        Stores the load on the scale, an empty container, under a name, so that its tare can be set later without weighing it \
        again. Waits briefly for the load to come to rest. Replaces a container with the same name.
        """,
      effect: .replacement(isIdempotent: true), arguments: [Self.nameField],
      onDone: { [observer] in observer.expectContainer($0.text("name") ?? "", isListed: true) })
  }

  private var removeContainer: Tool {
    action(
      .container, name: "remove_container", title: "Remove a container",
      description: """
        Removes a stored container. Weighings keep their tare. Rejected with unknown_container for a name that is not stored; \
        containers of the configuration cannot be removed.
        """,
      effect: .replacement(isIdempotent: false), arguments: [Self.nameField],
      constants: [.init(name: "remove", value: .flag(true))],
      onDone: { [observer] in observer.expectContainer($0.text("name") ?? "", isListed: false) })
  }

  // MARK: Results

  /// The fields that a reading has only while they are in use, and the flow.
  static let instrumentFields = [
    ToolField(
      "flow_g_s", .number(nil), "How fast the load grows, in grams per second; null while unknown.", isNullable: true),
    ToolField("timer_s", .number(nil), "The time on the timer in seconds; absent while the timer is not in use."),
    ToolField("pours", .integer(nil), "The number of pours of the brew; absent unless the timer follows pours."),
    ToolField(
      "target",
      .object([
        ToolField("target_g", .number(nil), "The net to reach in grams."),
        ToolField("tolerance_g", .number(nil), "How far the net may be off, in grams."),
        ToolField(
          "remaining_g", .number(nil), "What is missing in grams; negative if there is too much.", isNullable: true),
        ToolField("check", .text(maximumLength: nil), "under, ok or over; null without a net.", isNullable: true),
        ToolField("stop_ahead", .boolean, "A stop is reported ahead of the target; absent if not."),
        ToolField("dose", .text(maximumLength: nil), "running or settling; absent without a dose."),
      ]), "The target; absent without one."),
    ToolField("pieces", .integer(nil), "The number of pieces; null if it is not certain.", isNullable: true),
    ToolField("piece_g", .number(nil), "The mass of one piece in grams; absent while nothing is counted."),
    ToolField(
      "pieces_max", .integer(nil), "The number up to which the count is certain.", isNullable: true),
    ToolField("container", .text(maximumLength: nil), "The container whose tare is set; absent for another tare."),
    ToolField(
      "label", .text(maximumLength: nil), "The scanned label of the next weighing; absent while none waits."),
  ]
}
