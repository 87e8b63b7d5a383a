/// What a user can ask of the scale.
public enum Action: String, Hashable, Sendable, CaseIterable {
  /// Take the load as the tare, so that net starts from zero.
  case tare
  /// Drop the tare.
  case clearTare = "clear_tare"
  /// Take what presses now as nothing; drops the tare too.
  case zero
}

/// Who asks.
public enum ActionSource: String, Hashable, Sendable, CaseIterable {
  /// A press on the pad.
  case pad
  /// A key or a button.
  case button
  /// A command over MQTT.
  case mqtt
  /// A command at a terminal.
  case commandLine = "command_line"
  /// A button of the web page.
  case dashboard
  /// The start of the appliance.
  case start
}

/// An action that is asked for.
public struct ActionRequest: Hashable, Sendable {
  /// What is to be done.
  public var action: Action
  /// Who asks.
  public var source: ActionSource
  /// Tells this request from others in the answer; given by the one who asks.
  public var identifier: UInt64

  /// Makes a request.
  public init(action: Action, source: ActionSource, identifier: UInt64 = 0) {
    self.action = action
    self.source = source
    self.identifier = identifier
  }
}

/// Why an action was not done; nothing has changed.
public enum Rejection: String, Hashable, Sendable, CaseIterable {
  /// The load did not come to rest in time.
  case unstable
  /// There is more on the pad than the scale can tell.
  case overload
  /// There is nothing on the pad.
  case empty
  /// There is no pad.
  case padMissing = "pad_missing"
  /// There is no tare to drop.
  case noTare = "no_tare"
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
}
