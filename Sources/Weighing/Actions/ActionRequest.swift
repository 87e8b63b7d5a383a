/// An action that is asked for.
public struct ActionRequest: Hashable, Sendable {
  /// What is to be done, as the one who asks calls it: the raw value of an `Action` or the type of a quick action.
  public var name: String
  /// What a weighing is to be labelled with; a quick action's own label where `nil`.
  public var label: String?
  /// Who asks.
  public var source: ActionSource
  /// Tells this request from others in the answer; given by the one who asks.
  public var identifier: UInt64
  /// After when it is of no use any more; `nil` for never.
  public var expiry: Instant?

  /// Makes a request by name.
  public init(
    name: String, label: String? = nil, source: ActionSource, identifier: UInt64 = 0, expiry: Instant? = nil
  ) {
    self.name = name
    self.label = label
    self.source = source
    self.identifier = identifier
    self.expiry = expiry
  }

  /// Makes a request for an action that every scale has.
  public init(action: Action, label: String? = nil, source: ActionSource, identifier: UInt64 = 0) {
    self.init(name: action.rawValue, label: label, source: source, identifier: identifier)
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
  /// The record that a commit or a void has made.
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
