import Messages
import Weighing

/// The tools with which a model uses a running appliance.
package struct ScaleTools: Sendable {
  /// Performs an action on the appliance; blocks until it has answered.
  package typealias Action =
    @Sendable (_ name: String, _ label: String?, _ weighing: WeighingReference, _ parameters: [QuickAction.Parameter])
    throws(ClientError) -> CommandCall.Answer

  /// What a server with these tools says of itself.
  package static let description = ModelContextServer.Description(
    name: "grampad", title: "Grampad weighing scale", version: Version.text,
    instructions: """
      Grampad is a weighing scale. Masses are in grams, times in UTC. net = gross - tare. Call read_scale to see the weight, \
      and rely on it only if stable is true. commit records the net weight on the scale as a weighing. Records are permanent: \
      void and relabel add a record about an earlier one. An action that the scale rejects changes nothing, and the error \
      names the reason.
      """)

  let observer: ScaleObserver
  private let weighings: WeighingSource
  private let act: Action

  /// Makes the tools of an appliance.
  package init(_ observer: ScaleObserver, weighings: WeighingSource, act: @escaping Action) {
    (self.observer, self.weighings, self.act) = (observer, weighings, act)
  }

  /// All tools, the most common first.
  package var all: [Tool] { [read, tare, commit, list, clearTare, zero, relabel, void] + instruments }

  /// The longest time that a call may wait for a stable reading.
  private static let longestWait = 60.0

  private var read: Tool {
    Tool(
      "read_scale", title: "Read the scale",
      description: """
        Returns the current reading of the scale: net, gross and tare in grams, and whether the load is at rest. Use \
        wait_stable_s after something was put on the scale, so that the weight has settled. Without a stable reading in that \
        time it returns the current one with stable false. In overload net_g is null.
        """,
      effect: .none,
      arguments: [
        ToolField(
          "wait_stable_s", .number(0...Self.longestWait),
          "Seconds to wait for a stable reading. Default: 0, do not wait.")
      ],
      result: Self.readingFields
    ) { [observer] arguments, call in
      do throws(ObservationError) {
        let limit = Interval.seconds(arguments.number("wait_stable_s") ?? 0)
        return .success(try observer.reading(stableWithin: limit) { !call.isCancelled }.payload)
      } catch {
        return .failure(error.description)
      }
    }
  }

  private var list: Tool {
    Tool(
      "list_weighings", title: "List weighings",
      description: """
        Returns recorded weighings, newest first, with their current labels, and the number and the sum of all that match. \
        Voided weighings are left out unless include_voided is true, and never counted.
        """,
      effect: .none,
      arguments: [
        ToolField("limit", .integer(1...WeighingList.limit), "Maximum number of weighings in the list. Default: 10."),
        ToolField(
          "label", .bytes(maximum: Self.labelBytes),
          "Only weighings with this label; empty for those without a label."),
        ToolField(
          "since", .text(maximumLength: 64),
          "Only weighings at or after this time: 2026-11-01, 2026-11-01T08:30:00Z, or an age such as 45m, 24h or 7d."),
        ToolField("include_voided", .boolean, "Whether to list voided weighings, too. Default: false."),
      ],
      result: WeighingList.fields
    ) { [weighings] arguments, _ in
      do throws(ToolFailure) {
        return .success(try WeighingList(weighings, arguments).payload)
      } catch {
        return .failure(error.description)
      }
    }
  }

  // MARK: Actions

  /// The maximum length of a label. `Messages` refuses longer ones.
  private static let labelBytes = QuickAction.maximumValueBytes

  private var tare: Tool {
    action(
      .tare, title: "Tare",
      description: """
        Takes the load on the scale as the tare, for example an empty bowl: the net weight becomes 0. Waits briefly for the \
        load to come to rest. With tare_g or container it sets a known tare instead, also while the scale is empty. Replaces \
        the tare that was set before.
        """,
      effect: .replacement(isIdempotent: true),
      arguments: [
        ToolField(
          "tare_g", .number(0...Grams.maximum.value), "The tare to set, in grams. Not together with container."),
        ToolField(
          "container", .bytes(maximum: ContainerName.maximumBytes),
          "The name of a known container, from list_containers, whose tare to set."),
      ])
  }

  private var clearTare: Tool {
    action(
      .clearTare, title: "Clear the tare",
      description: "Removes the tare, so that net equals gross. Rejected with no_tare if no tare is set.",
      effect: .replacement(isIdempotent: true))
  }

  private var zero: Tool {
    action(
      .zero, title: "Zero the scale",
      description: """
        Sets the zero point of the scale to its current load and clears the tare. Only for an empty scale that does not \
        show 0; for a container use tare.
        """,
      effect: .replacement(isIdempotent: true))
  }

  private var commit: Tool {
    action(
      .commit, title: "Record a weighing",
      description: """
        Records the net weight on the scale as a weighing, permanently, and returns the record. Waits briefly for the load \
        to come to rest. Call it once for each weighing: each call adds a record.
        """,
      effect: .addition,
      arguments: [
        ToolField(
          "label", .bytes(maximum: Self.labelBytes), "What was weighed, for example rye flour. Default: no label.")
      ])
  }

  private var relabel: Tool {
    action(
      .relabel, title: "Relabel a weighing",
      description: "Replaces the label of a recorded weighing by adding a record about it.",
      effect: .replacement(isIdempotent: false),
      arguments: Self.weighingFields + [
        ToolField(
          "label", .bytes(maximum: Self.labelBytes), "The new label; an empty one removes the label.",
          isRequired: true)
      ])
  }

  private var void: Tool {
    action(
      .void, title: "Void a weighing",
      description: """
        Revokes a recorded weighing by adding a reversing record. This cannot be undone: ask the user first unless they have \
        requested it.
        """,
      effect: .replacement(isIdempotent: false), arguments: Self.weighingFields)
  }

  private static let weighingFields = [
    ToolField(
      "id", .text(maximumLength: 64),
      "The id of the weighing, from list_weighings or commit. Either this or sequence is required."),
    ToolField(
      "sequence", .integer(1...(1 << 53)), "The number of the weighing, as users see it. Not together with id."),
  ]

  /// The weighing that the arguments name: a model must not hit another weighing than it intends, so one is required.
  private static func weighing(in arguments: ToolArguments) throws(ToolArgumentError) -> WeighingReference {
    switch (arguments.text("id"), arguments.number("sequence").flatMap { Int(exactly: $0) }) {
    case (let id?, nil): return WeighingReference(id: id)
    case (nil, let number?): return .sequence(number)
    case (nil, nil), (_?, _?): throw ToolArgumentError(description: "give either id or sequence, not both")
    }
  }

  /// A tool that performs an action, whose parameters are arguments with the same names.
  ///
  /// - Parameters:
  ///   - name: The name of the tool; `nil` for that of the action.
  ///   - constants: Parameters that the tool always sends.
  ///   - onDone: Called with the arguments after the action was performed.
  func action(
    _ action: Weighing.Action, name: String? = nil, title: String, description: String, effect: Tool.Effect,
    arguments: [ToolField] = [], constants: [QuickAction.Parameter] = [],
    onDone: @escaping @Sendable (ToolArguments) -> Void = { _ in }
  ) -> Tool {
    Tool(
      name ?? action.rawValue, title: title, description: description, effect: effect, arguments: arguments,
      result: Self.resultFields
    ) { [observer, act] arguments, _ in
      // An empty label means no label; a command has no field for that except when it relabels.
      let label = arguments.text("label").flatMap { $0.isEmpty && action != .relabel ? nil : $0 }
      let parameters = arguments.parameters(action.parameterNames) + constants
      do throws(ActionArgumentError) {
        _ = try ActionArguments(of: action, from: parameters)
      } catch {
        return .failure("invalid argument \(error)")
      }
      let weighing: WeighingReference
      do throws(ToolArgumentError) {
        weighing = [.void, .relabel].contains(action) ? try Self.weighing(in: arguments) : .last
      } catch {
        return .failure(error.description)
      }
      do throws(ClientError) {
        let answer = try act(action.rawValue, label, weighing, parameters)
        if let rejection = answer.rejection {
          return .failure(ResultSentence().rejected(action.rawValue, rejection, detail: answer.detail))
        }
        observer.add(answer)
        onDone(arguments)
        return .success(answer.payload)
      } catch {
        return .failure(error.description)
      }
    }
  }

  // MARK: Results

  private static let readingFields =
    [
      ToolField("time", .text(maximumLength: nil), "When it was measured, RFC 3339 in UTC.", isRequired: true),
      ToolField(
        "state", .word(Reading.State.allCases.map(\.rawValue)), "What the scale is doing.", isRequired: true),
      ToolField("gross_g", .number(nil), "The load on the scale in grams.", isRequired: true, isNullable: true),
      ToolField("tare_g", .number(nil), "The tare in grams.", isRequired: true, isNullable: true),
      ToolField(
        "net_g", .number(nil), "Gross minus tare in grams, rounded to the division; null in overload.",
        isRequired: true,
        isNullable: true),
      ToolField(
        "high_resolution_g", .number(nil), "The net in grams, not rounded; null in overload.", isNullable: true),
      ToolField(
        "uncertainty_g", .number(nil), "One standard uncertainty of the net in grams.", isNullable: true),
      ToolField("stable", .boolean, "Whether the load is at rest.", isRequired: true),
      ToolField("overload", .boolean, "Whether the load exceeds the capacity of the scale."),
      ToolField("printable", .text(maximumLength: nil), "The text on the display of the scale.", isRequired: true),
    ] + instrumentFields

  private static let resultFields = [
    ToolField("action", .text(maximumLength: nil), "The action that was performed.", isRequired: true),
    ToolField("ok", .boolean, "True; a rejected action is an error.", isRequired: true),
    ToolField("reading", .object(readingFields), "The reading after the action.", isNullable: true),
    ToolField(
      "weighing",
      .object([
        ToolField("id", .text(maximumLength: nil), "Identifies the record.", isRequired: true),
        ToolField("sequence", .integer(nil), "The number of the record.", isRequired: true),
        ToolField(
          "kind", .word(RecordedWeighing.Kind.allCases.map(\.rawValue)), "What was recorded.", isRequired: true),
        ToolField(
          "net_g", .number(nil), "The net weight in grams; of a void, the negative of what it voids.", isRequired: true),
        ToolField("label", .text(maximumLength: nil), "The label.", isNullable: true),
      ]), "The record that the action has added, if any.", isNullable: true),
  ]
}
