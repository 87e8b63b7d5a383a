import Languages
import Weighing

/// A command received on a topic `command/NAME`: the order or the error, and where to send the answer.
public struct Command: Hashable, Sendable {
  /// The name from the topic, truncated to 64 characters.
  public var name: String
  /// The order, or why the command is rejected before it reaches the scale.
  public var order: Result<Order, CommandError>
  /// Why the command is rejected; `nil` for one that the scale decides on.
  public var detail: Sentence?
  /// The source that the payload states.
  public var source: ActionSource
  /// How long after its arrival the command remains valid; `nil` if it does not expire.
  public var expiry: Interval?
  /// The caller to answer.
  public var caller: Caller

  /// What the scale is asked to do.
  public enum Order: Hashable, Sendable {
    /// An action: its name, which may be unknown to the scale; the label of the weighing; the weighing it refers to;
    /// what else it needs; and its source.
    case request(
      name: String, label: String?, reference: WeighingReference, parameters: ActionArguments = .none,
      source: ActionSource)
    /// Replace the quick actions; `nil` restores those of the configuration.
    case replaceActions([QuickAction]?, source: ActionSource)
    /// Publish the records with these sequence numbers again; the scale has no part in it.
    case resend(ClosedRange<Int>, source: ActionSource)
  }

  /// The name of the command that replaces the quick actions.
  public static let replaceActionsName = "actions"
  /// The name of the command that publishes records again.
  public static let resendName = "resend"
  /// The maximum number of records that one command publishes again.
  public static let maximumResendCount = 10_000
  /// The maximum size of an action's payload. Larger ones are rejected without being parsed.
  public static let maximumPayloadBytes = 16 * 1024
  /// The maximum size of a list of quick actions: twice the longest valid list with all its quotes escaped. Larger ones
  /// are rejected without being parsed.
  public static let maximumListBytes = 128 * 1024
  /// The maximum size of `correlation`.
  public static let maximumCorrelationBytes = 256

  /// Parses a message; `nil` if its topic is not a command topic of this appliance.
  public init?(_ message: IncomingMessage, topics: Topics) {
    // Compared byte by byte: comparing as text is slow for a name with many combining characters.
    guard message.topic.utf8.starts(with: topics.commands.utf8) else { return nil }
    let scalars = message.topic.unicodeScalars.dropFirst(topics.commands.unicodeScalars.count)
    name = String(String.UnicodeScalarView(scalars.prefix(64)))
    let isWhole = scalars.dropFirst(64).isEmpty
    let purpose: CommandPayload.Purpose =
      switch isWhole ? name : "" {
      case Self.replaceActionsName: .list
      case Self.resendName: .range
      default: .action(Action(rawValue: name))
      }
    let payload = CommandPayload(message.payload, for: purpose)
    source = payload.source
    expiry = message.expiry
    caller = Caller(message, correlation: payload.correlation, topics: topics)
    order =
      if message.isRetained {
        .failure(.retained)
      } else if !isWhole || (purpose == .action(nil) && !QuickAction.isType(name)) {
        .failure(.unknownAction)
      } else if payload.error != nil {
        .failure(.badPayload)
      } else {
        switch purpose {
        case .list: .success(.replaceActions(payload.actions, source: payload.source))
        case .range: .success(.resend(payload.range, source: payload.source))
        case .action:
          .success(
            .request(
              name: name, label: payload.label, reference: payload.reference, parameters: payload.parameters,
              source: payload.source))
        }
      }
    if case .failure(let error) = order { reject(error, payload.error) }
  }

  private mutating func reject(_ error: CommandError, _ payload: PayloadError?) {
    detail =
      switch error {
      case .retained: RejectionDetail.retained.sentence
      case .unknownAction: RejectionDetail.invalidActionName(maximumBytes: QuickAction.maximumNameBytes).sentence
      case .badPayload: payload?.sentence
      case .busy: nil
      }
  }

  /// The command with the limit because of which it is rejected as `busy`.
  public func rejected(by limit: RejectionDetail) -> Command {
    var command = self
    command.detail = limit.sentence
    return command
  }

  /// Makes the payload of a command for an action.
  ///
  /// - Parameters:
  ///   - correlation: Identifies the answer, at most `maximumCorrelationBytes` long.
  ///   - label: The label of the weighing, 1 to 256 bytes; an empty label removes the current one.
  ///   - reference: The weighing to void or relabel.
  ///   - parameters: What else the action needs, see `Action.parameterNames`.
  ///   - source: The source of the command: `mqtt`, `command_line` or `dashboard`.
  public static func payload(
    correlation: String?, label: String? = nil, reference: WeighingReference = .last,
    parameters: [QuickAction.Parameter] = [], source: ActionSource
  ) -> [UInt8] {
    JSONWriter.object { json in
      for (name, text) in [("correlation", correlation), ("label", label)] {
        if let text { json.fields((name, text)) }
      }
      switch reference {
      case .last: break
      case .id(let id): json.fields(("id", id.description))
      case .sequence(let number): json.field("sequence", number)
      case .unknown: json.fields(("id", ""))
      }
      json.fields(("source", source.rawValue))
      for parameter in parameters { json.parameter(parameter) }
    }
  }
}

extension Command {
  /// Makes the payload of the command that publishes records again.
  public static func resendPayload(_ range: ClosedRange<Int>) -> [UInt8] {
    JSONWriter.object { json in
      json.fields(("from", range.lowerBound), ("to", range.upperBound))
    }
  }
}

/// Why a command is rejected before it reaches the scale; the raw values are published as `reason`.
public enum CommandError: String, Error, Hashable, Sendable, CaseIterable {
  /// The name cannot be that of an action.
  case unknownAction = "unknown_action"
  /// The payload is neither empty nor a JSON object with the fields of the command.
  case badPayload = "bad_payload"
  /// The broker had retained the command, so its age is unknown.
  case retained
  /// Too many commands are waiting for their answers.
  case busy
}
