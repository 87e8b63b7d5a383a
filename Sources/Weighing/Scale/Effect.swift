/// What the core wants done; the edges do it.
///
/// What is large and rare lies in a box of its own, so that a list of readings stays small.
public enum Effect: Hashable, Sendable {
  /// Publish as the live reading.
  case live(Reading)
  /// Publish as the reading for databases and home automation.
  case reading(Reading)
  /// Publish as the reading of a load that has settled.
  case settled(Reading)
  /// Publish what touches the pad in one frame.
  case contacts(ContactsReport)
  /// Publish that something happened.
  case event(ScaleEvent)
  /// Answer a request.
  indirect case result(ActionResult)
  /// Publish how far a press is.
  case gesture(GestureReport)
  /// Let the pad show, sound or shake.
  case feedback(Feedback, at: Instant)
  /// Write to the journal; the outcome comes back as an input, once.
  indirect case record(WeighingDraft)
  /// Publish a record that is on disk.
  indirect case weighing(RecordedWeighing, at: Instant)
  /// Publish the newest weighing that is not voided, its label as amended, or that none exists. It is historical
  /// where a void or a relabel has brought it up.
  indirect case lastWeighing(RecordedWeighing?, isHistorical: Bool, at: Instant)
  /// Publish the quick actions.
  case actions([QuickAction], at: Instant)

  /// Store the state that survives a restart.
  indirect case memory(ScaleMemory, at: Instant)
  /// Say in `health` what is wrong with the pad, or that nothing is.
  case padWarning(PadWarning?, at: Instant)

  /// The moment to which it belongs.
  public var time: Instant {
    switch self {
    case .live(let reading), .reading(let reading), .settled(let reading): reading.time
    case .contacts(let report): report.time
    case .event(let event): event.time
    case .result(let result): result.time
    case .gesture(let report): report.time
    case .record(let draft): draft.time
    case .memory(_, let time), .padWarning(_, let time): time
    case .feedback(_, let time), .weighing(_, let time), .lastWeighing(_, _, let time), .actions(_, let time): time
    }
  }
}

/// What touches the pad in one frame.
public struct ContactsReport: Hashable, Sendable {
  /// One contact.
  public struct Entry: Hashable, Sendable {
    /// The contact.
    public var contact: Contact
    /// Its force as a fraction of the axis' range, 0...1.
    public var force: Double
    /// Whether it is a load; otherwise it is a press in a zone.
    public var weighs: Bool
  }

  /// The time of the frame.
  public var time: Instant
  /// Everything that touches.
  public var entries: [Entry]
}

/// Something that happened to the scale, for the `event` topic.
public struct ScaleEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// A tare was taken.
    case tared(DisplayedMass)
    /// The tare was dropped.
    case tareCleared
    /// Zero was set, by an action or to a plate: the mass that counts as nothing from now on and did not before.
    case zeroed(DisplayedMass)
    /// An action was refused: its name as it was asked for, and why.
    case rejected(String, Rejection)
    /// The weighing was voided.
    case voided(WeighingID)
    /// The weighing has another label; `nil` for none.
    case relabelled(WeighingID, String?)
    /// More was put on the pad than it can tell.
    case overload
    /// The pad went away, with the reason.
    case padLost(String)
    /// A pad came, with its name.
    case padFound(String)
    /// Calibration points came into force.
    case calibrated
    /// A changed configuration came into force.
    case reloaded
    /// The journal has lost these weighings; their numbers are not given out again.
    case journalLoss(from: Int, to: Int)
    /// The pad's firmware takes resting loads for its own zero.
    case padSuspect
  }

  /// What happened.
  public var kind: Kind
  /// When.
  public var time: Instant
  /// The count of tare and zero changes after it.
  public var tareEpoch: Int
}
