/// An action that is asked for.
public struct ActionRequest: Hashable, Sendable {
  /// What is to be done, as the one who asks calls it: the raw value of an `Action` or the type of a quick action.
  public var name: String
  /// What a weighing is to be labelled with; a quick action's own label where `nil`. An empty text is no label: with
  /// `relabel` it removes the one there is.
  public var label: String?
  /// Which weighing `void` and `relabel` are about.
  public var reference: WeighingReference
  /// Who asks.
  public var source: ActionSource
  /// Tells this request from others in the answer; given by the one who asks.
  public var identifier: UInt64
  /// After when it is of no use any more; `nil` for never.
  public var expiry: Instant?

  /// Makes a request by name.
  public init(
    name: String, label: String? = nil, reference: WeighingReference = .last, source: ActionSource,
    identifier: UInt64 = 0, expiry: Instant? = nil
  ) {
    self.name = name
    self.label = label
    self.reference = reference
    self.source = source
    self.identifier = identifier
    self.expiry = expiry
  }

  /// Makes a request for an action that every scale has.
  public init(
    action: Action, label: String? = nil, reference: WeighingReference = .last, source: ActionSource,
    identifier: UInt64 = 0
  ) {
    self.init(name: action.rawValue, label: label, reference: reference, source: source, identifier: identifier)
  }
}

/// The weighing that a void or a relabel is about.
public enum WeighingReference: Hashable, Sendable {
  /// The last weighing; voids and relabels are skipped.
  case last
  /// The weighing with this identifier.
  case id(WeighingID)
  /// A text that is the identifier of no weighing.
  case unknown

  /// Reads an identifier; `last` if none exists.
  public init(id text: String?) {
    self = text.map { WeighingID($0).map(Self.id) ?? .unknown } ?? .last
  }
}

/// The answer to a request.
public struct ActionResult: Hashable, Sendable {
  /// What was asked.
  public var request: ActionRequest
  /// Why it was not done; `nil` when it was.
  public var rejection: Rejection?
  /// When it was decided.
  public var time: Instant
  /// The reading after it.
  public var reading: Reading
  /// The record that a commit, a void or a relabel has made.
  public var weighing: RecordedWeighing?

  /// Makes an answer.
  public init(
    request: ActionRequest, rejection: Rejection?, time: Instant, reading: Reading, weighing: RecordedWeighing? = nil
  ) {
    self.request = request
    self.rejection = rejection
    self.time = time
    self.reading = reading
    self.weighing = weighing
  }
}
