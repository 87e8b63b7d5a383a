/// A request for an action.
public struct ActionRequest: Hashable, Sendable {
  /// The name of the action: the raw value of an `Action` or the type of a quick action.
  public var name: String
  /// The label of the weighing; if `nil`, that of the quick action. An empty text means no label: with `relabel` it
  /// removes the current one.
  public var label: String?
  /// The weighing to void or relabel.
  public var reference: WeighingReference
  /// What else the action needs.
  public var parameters: ActionArguments
  /// The source of the request.
  public var source: ActionSource
  /// Identifies the request in its result; chosen by the client.
  public var identifier: UInt64
  /// When the request expires; `nil` if it does not.
  public var expiry: Instant?

  /// Makes a request by the name of the action.
  public init(
    name: String, label: String? = nil, reference: WeighingReference = .last, parameters: ActionArguments = .none,
    source: ActionSource, identifier: UInt64 = 0, expiry: Instant? = nil
  ) {
    (self.name, self.label, self.reference, self.parameters) = (name, label, reference, parameters)
    (self.source, self.identifier, self.expiry) = (source, identifier, expiry)
  }

  /// Makes a request for a built-in action.
  public init(
    action: Action, label: String? = nil, reference: WeighingReference = .last, parameters: ActionArguments = .none,
    source: ActionSource, identifier: UInt64 = 0
  ) {
    self.init(
      name: action.rawValue, label: label, reference: reference, parameters: parameters, source: source,
      identifier: identifier)
  }
}

/// The weighing that a void or a relabel refers to.
public enum WeighingReference: Hashable, Sendable {
  /// The last weighing; voids and relabels are skipped.
  case last
  /// The weighing with this identifier.
  case id(WeighingID)
  /// The weighing with this number in the journal.
  case sequence(Int)
  /// A text that is the identifier of no weighing.
  case unknown

  /// Parses an identifier; `nil` refers to the last weighing.
  public init(id text: String?) { self = text.map { WeighingID($0).map(Self.id) ?? .unknown } ?? .last }
}

/// The answer to a request.
public struct ActionResult: Hashable, Sendable {
  /// The request.
  public var request: ActionRequest
  /// Why the request was rejected; `nil` if it was performed.
  public var rejection: Rejection?
  /// The limit that the request has hit; `nil` if it was performed.
  public var detail: RejectionDetail?
  /// The time of the decision.
  public var time: Instant
  /// The reading after the action.
  public var reading: Reading
  /// The record written by a commit, a void or a relabel.
  public var weighing: RecordedWeighing?
}
