/// What a user can ask of the scale.
public enum Action: String, Hashable, Sendable, CaseIterable {
  /// Take the load as the tare, so that net starts from zero.
  case tare
  /// Drop the tare.
  case clearTare = "clear_tare"
  /// Take what presses now as nothing; drops the tare too.
  case zero
  /// Record the net.
  case commit
  /// Void a weighing by a reversing record.
  case void
  /// Change the label of a weighing by a later record.
  case relabel
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

/// Why an action was not done; nothing has changed.
public enum Rejection: String, Error, Hashable, Sendable, CaseIterable {
  /// The load did not come to rest in time.
  case unstable
  /// There is more on the pad than the scale can tell.
  case overload
  /// There is nothing on the pad.
  case empty
  /// The net is too little to be recorded.
  case belowMinimum = "below_minimum"
  /// There is no pad.
  case padMissing = "pad_missing"
  /// There is no tare to drop.
  case noTare = "no_tare"
  /// The weighing is voided already, or none exists.
  case nothingToVoid = "nothing_to_void"
  /// The journal has no weighing with that identifier.
  case unknownWeighing = "unknown_weighing"
  /// The journal cannot take a record.
  case journalUnavailable = "journal_unavailable"
  /// Nothing is known by that name.
  case unknownAction = "unknown_action"
  /// A parameter that the action needs is missing, such as the label of a relabel.
  case badPayload = "bad_payload"
  /// The time in which it was wanted is over.
  case expired
}
