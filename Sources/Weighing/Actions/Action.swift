/// A built-in action of the scale.
public enum Action: String, Hashable, Sendable, CaseIterable {
  /// Set the tare to the current gross, so that the net is zero.
  case tare
  /// Clear the tare.
  case clearTare = "clear_tare"
  /// Zero the scale at its current load; this also clears the tare.
  case zero
  /// Record the net.
  case commit
  /// Void a weighing with a reversing record.
  case void
  /// Change the label of a weighing with a later record.
  case relabel
  /// Start, stop or reset the timer.
  case timer
  /// Set a target for the net, or end it.
  case target
  /// Count pieces by their mass, or end counting.
  case count
  /// Store the load as the tare of a container, or remove a container.
  case container
  /// Switch an output on until the target is reached, or stop a dose.
  case dose

  /// All names, separated by commas, for texts that list them.
  package static let list = allCases.map(\.rawValue).joined(separator: ", ")
}

/// The source of a request.
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
  /// The configuration, at the start of the appliance.
  case start
  /// The scale itself: `scale.auto_commit`.
  case auto
  /// A program that speaks MT-SICS.
  case sics
}

/// Why an action was rejected; nothing has changed.
public enum Rejection: String, Error, Hashable, Sendable, CaseIterable {
  /// The load did not come to rest in time.
  case unstable
  /// The load exceeds the capacity or the range of the axis.
  case overload
  /// There is nothing on the pad.
  case empty
  /// The net is below the minimum for a record.
  case belowMinimum = "below_minimum"
  /// No pad is connected.
  case padMissing = "pad_missing"
  /// There is no tare to clear.
  case noTare = "no_tare"
  /// The weighing is voided already, or none exists.
  case nothingToVoid = "nothing_to_void"
  /// The journal has no weighing with that identifier.
  case unknownWeighing = "unknown_weighing"
  /// There is no container with that name.
  case unknownContainer = "unknown_container"
  /// The journal cannot write records.
  case journalUnavailable = "journal_unavailable"
  /// There is no output with that name.
  case unknownOutput = "unknown_output"
  /// The net is at the target of a dose already.
  case atTarget = "at_target"
  /// There is no connection to the broker that switches the output.
  case brokerUnavailable = "broker_unavailable"
  /// A dose is under way.
  case busy
  /// There is no action with that name.
  case unknownAction = "unknown_action"
  /// A parameter that the action needs is missing or cannot be used, such as the label of a relabel or a target above the
  /// capacity.
  case badPayload = "bad_payload"
  /// The request has expired.
  case expired
}
