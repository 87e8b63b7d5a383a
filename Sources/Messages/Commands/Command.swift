import Weighing

/// What somebody asks for on a topic `command/NAME`: the order, or why it is refused, and where the answer goes.
public struct Command: Hashable, Sendable {
  /// What is asked for, as the topic names it, cut at 64 characters.
  public var name: String
  /// What is to be done, or why it is not even tried.
  public var verdict: Result<Order, Refusal>
  /// What exactly is wrong with the payload, in a few words for people; `nil` when nothing is.
  public var detail: String?
  /// Who asks, as far as the payload says so.
  public var source: ActionSource
  /// How long the command is of use from its arrival on; `nil` for ever.
  public var expiry: Interval?
  /// Who wants the answer.
  public var caller: Caller

  /// What is to be done.
  public enum Order: Hashable, Sendable {
    /// An action: its name, which the scale may not know; what a weighing is to be labelled with; which weighing it is
    /// about; and who asks.
    case request(name: String, label: String?, reference: WeighingReference, source: ActionSource)
    /// Other quick actions instead of those in force; `nil` for those of the configuration.
    case replaceActions([QuickAction]?, source: ActionSource)
  }

  /// Why a command does not get as far as the scale.
  public enum Refusal: String, Error, Hashable, Sendable, CaseIterable {
    /// No action can be called that.
    case unknownAction = "unknown_action"
    /// The payload is neither empty nor an object of the fields that a command has.
    case badPayload = "bad_payload"
    /// The broker had kept it: nobody knows for how long.
    case retained
    /// Too many commands wait for their answers.
    case busy
  }

  /// The name of the command that replaces the quick actions.
  public static let replacement = "actions"
  /// Longer payloads of actions are refused unread.
  public static let mostPayloadBytes = 16 * 1024
  /// Longer lists of quick actions are refused unread; twice what the longest takes with all its quotes escaped.
  public static let mostListBytes = 128 * 1024
  /// The most that `correlation` holds.
  public static let mostCorrelationBytes = 256

  /// Reads what came on a topic; `nil` when that is not a command of this appliance.
  public init?(_ message: IncomingMessage, topics: Topics) {
    // Byte by byte: comparing as text takes long where a name has many accents.
    guard message.topic.utf8.starts(with: topics.commands.utf8) else { return nil }
    let scalars = message.topic.unicodeScalars.dropFirst(topics.commands.unicodeScalars.count)
    name = String(String.UnicodeScalarView(scalars.prefix(64)))
    let isWhole = scalars.dropFirst(64).isEmpty
    let isReplacement = isWhole && name == Self.replacement
    let payload = CommandPayload(message.payload, for: isReplacement ? .list : .action(Action(rawValue: name)))
    detail = payload.fault?.detail
    source = payload.source
    expiry = message.expiry
    caller = Caller(message, correlation: payload.correlation, topics: topics)
    verdict =
      if message.isRetained {
        .failure(.retained)
      } else if !isWhole || !(isReplacement || Action(rawValue: name) != nil || QuickAction.isType(name)) {
        .failure(.unknownAction)
      } else if payload.fault != nil {
        .failure(.badPayload)
      } else if isReplacement {
        .success(.replaceActions(payload.actions, source: payload.source))
      } else {
        .success(
          .request(name: name, label: payload.label, reference: payload.reference, source: payload.source))
      }
  }

  /// The payload of a command for an action.
  ///
  /// - Parameters:
  ///   - correlation: What the answer is to be told apart by, of at most `mostCorrelationBytes`.
  ///   - label: What a weighing is to be labelled with, of 1...256 bytes; empty to remove a label.
  ///   - id: The identifier of the weighing that a void or a relabel is about.
  ///   - source: Who asks; only `mqtt`, `command_line` and `dashboard` are taken.
  public static func payload(
    correlation: String?, label: String? = nil, id: String? = nil, source: ActionSource
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      for (name, text) in [("correlation", correlation), ("label", label), ("id", id), ("source", source.rawValue)] {
        if let text { json.fields((name, text)) }
      }
    }
    return json.bytes
  }
}
