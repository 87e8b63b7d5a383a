/// An effect that the core decides on and the edges perform.
///
/// Large and rare values are boxed, so that a list of readings remains small.
public enum Effect: Hashable, Sendable {
  /// Publish as the live reading.
  case live(Reading)
  /// Publish as the reading for databases and home automation.
  case reading(Reading)
  /// Publish as the reading of a load that has settled.
  case settled(Reading)
  /// Publish readings with this label from now on, which waits for the next weighing; `nil` for none.
  case pendingLabel(String?, at: Instant)
  /// Publish the contacts of one frame.
  case contacts(ContactsReport)
  /// Publish an event.
  case event(ScaleEvent)
  /// Answer a request.
  indirect case result(ActionResult)
  /// Publish the state of a press.
  case gesture(GestureReport)
  /// Publish the state of a control.
  indirect case control(ControlReport)
  /// Signal with the lights, sounds and motors of the pad.
  case feedback(Feedback, at: Instant)
  /// Write a record to the journal, which returns the outcome as an input.
  indirect case record(WeighingDraft)
  /// Show a record that is on disk, in the page and by the keyboard; a broker gets it from the outbox.
  indirect case weighing(RecordedWeighing, at: Instant)
  /// Publish the newest weighing that is not voided, with its current label, or that there are no weighings. It is
  /// historical if a void or a relabel was the cause.
  indirect case lastWeighing(RecordedWeighing?, isHistorical: Bool, at: Instant)
  /// Publish the quick actions.
  case actions([QuickAction], at: Instant)
  /// Publish the containers.
  case containers([Container], at: Instant)

  /// Store a container, or remove a stored one: `nil` for its tare.
  indirect case containerChange(ContainerName, Grams?, at: Instant)
  /// Switch an output.
  case output(OutputChange, at: Instant)
  /// Publish what was learned about stops, for each label.
  case learnedStops([LearnedStop], at: Instant)
  /// Store what was learned for a label, or forget it if there are no samples.
  indirect case learnedStopChange(LearnedStop, at: Instant)
  /// Store the state that survives a restart.
  indirect case memory(ScaleMemory, at: Instant)
  /// Report in `health` what is wrong with the pad, or that nothing is.
  case padWarning(PadWarning?, at: Instant)
  /// Report in `health` how the pad samples the load.
  indirect case sampling(SamplingReport, at: Instant)

  /// The time of the effect.
  public var time: Instant {
    switch self {
    case .live(let reading), .reading(let reading), .settled(let reading): reading.time
    case .contacts(let report): report.time
    case .event(let event): event.time
    case .result(let result): result.time
    case .gesture(let report): report.time
    case .control(let report): report.time
    case .record(let draft): draft.time
    case .memory(_, let time), .padWarning(_, let time), .sampling(_, let time), .containerChange(_, _, let time),
      .output(_, let time), .learnedStops(_, let time), .learnedStopChange(_, let time):
      time
    case .feedback(_, let time), .weighing(_, let time), .lastWeighing(_, _, let time), .actions(_, let time),
      .containers(_, let time), .pendingLabel(_, let time):
      time
    }
  }
}

/// The contacts of one frame.
public struct ContactsReport: Hashable, Sendable {
  /// One contact.
  public struct Entry: Hashable, Sendable {
    /// The contact.
    public var contact: Contact
    /// The force as a fraction of the range of the axis, 0...1.
    public var force: Double
    /// Whether the contact is a load; otherwise it is a press in a zone.
    public var weighs: Bool
  }

  /// The time of the frame.
  public var time: Instant
  /// The contacts.
  public var entries: [Entry]
}

/// An event of the scale, for the topic `event`.
public struct ScaleEvent: Hashable, Sendable {
  /// The kind of event.
  public enum Kind: Hashable, Sendable {
    /// The tare was set; to that of a container, if one is named.
    case tared(DisplayedMass, container: ContainerName? = nil)
    /// The tare was cleared.
    case tareCleared
    /// Zero was set, by an action or by learning a plate: the mass by which the gross was reduced.
    case zeroed(DisplayedMass)
    /// A request was rejected: the name of its action, why, and the limit that it has hit.
    case rejected(String, Rejection, RejectionDetail)
    /// A weighing was voided: its identifier and its number.
    case voided(WeighingID, sequence: Int? = nil)
    /// A weighing was relabelled: its identifier, the label, which is `nil` for none, and its number.
    case relabelled(WeighingID, String?, sequence: Int? = nil)
    /// A weighing was recalled from the history, by a slide in the zone `history`.
    indirect case recalled(RecordedWeighing)
    /// The load exceeds the capacity or the range of the axis.
    case overload
    /// The pad was disconnected, with the reason.
    case padLost(PadLoss)
    /// A pad was connected, with its name.
    case padFound(String)
    /// The calibration points have changed.
    case calibrated
    /// A changed configuration is in force.
    case reloaded
    /// The journal has lost these weighings; their numbers are not used again.
    case journalLoss(from: Int, to: Int)
    /// A record whose request was rejected was found in the journal after a disk failure: another record has reversed it.
    case journalRecovered(WeighingID, sequence: Int)
    /// The readings of the pad are unreliable, and why.
    case padSuspect(PadSuspicion)
    /// The timer was started: the time on it; by a pour, the number of pours, and the pause before a pour that continues a brew.
    case timerStarted(Interval, pours: Int? = nil, pause: Interval? = nil)
    /// The timer was stopped: the time on it, the number of pours if it has followed any, and whether this replaces the stop after
    /// an earlier pour of the brew.
    case timerStopped(Interval, pours: Int? = nil, isAmended: Bool = false)
    /// A client asks for the right to act, or its request has ended.
    indirect case pairing(PairingRequest, PairingProgress)
    /// A barcode or RFID reader has read a code: its meaning. What it asks for can still be rejected.
    indirect case scanned(CodeMeaning)
    /// The net has reached the target: the progress at that moment.
    case targetReached(TargetProgress)
    /// The load will have reached the target: whatever fills it has to stop now.
    indirect case targetStop(TargetStop)
    /// An output was switched on for a dose.
    indirect case doseStarted(RunningDose)
    /// A dose has ended, and its result is known as far as it can be.
    indirect case dosed(FinishedDose)
  }

  /// The kind of event.
  public var kind: Kind
  /// The time of the event.
  public var time: Instant
  /// The number of tare and zero changes, including this one.
  public var tareEpoch: Int
}

/// Why a pad is lost.
public enum PadLoss: Hashable, Sendable {
  /// What the source of its frames reports.
  case reported(Sentence)
  /// It cannot weigh with the settings.
  case unsuitable(UnsuitablePadError)
}
