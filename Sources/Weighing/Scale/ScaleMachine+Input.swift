extension ScaleMachine {
  /// What can happen to the scale.
  ///
  /// Large and rare values are boxed, so that passing a frame moves few bytes.
  public enum Input: Hashable, Sendable {
    /// A pad was connected.
    indirect case padFound(PadDescription)
    /// The pad was disconnected, or none was found at the start, with the reason as text.
    case padLost(Sentence)
    /// The pad has sent a frame.
    case frame(Frame)
    /// A client requests an action.
    indirect case request(ActionRequest)
    /// A key or button that is bound to an action has changed.
    case button(ButtonChange)
    /// A barcode or RFID reader has read a code.
    case scanned(ScannedCode)
    /// A client replaces the quick actions; without a list it restores those of the configuration.
    indirect case replaceActions([QuickAction]?, ActionRequest)
    /// The journal has processed a draft.
    indirect case recorded(RecordOutcome)
    /// The state of an earlier run; must precede all other inputs.
    indirect case restore(ScaleMemory)
    /// The containers stored by earlier runs.
    case restoreContainers([Container])
    /// What earlier runs have learned about stops.
    case restoreStops([LearnedStop])
    /// The connection to the broker, which switches the outputs, was established or has ended.
    case connection(isConnected: Bool)
    /// The broker has refused to switch an output.
    case outputRefused(OutputName)
    /// The newest weighings that are not voided, newest first, with their current labels: at the start and after each
    /// record. Only the zone `history` needs them.
    case history([RecordedWeighing])
    /// The configuration has changed.
    indirect case settings(ScaleSettings)
    /// The journal has lost these weighings.
    case journalLost(from: Int, to: Int)
    /// The journal has reversed a record whose request was rejected.
    case journalRecovered(WeighingID, sequence: Int)
    /// A client asks for the right to act, or such a request ends.
    indirect case pairing(PairingInput)
    /// A new subscriber needs the reading: it is published again as soon as the rate allows.
    case refresh
    /// The service stops: a control in use ends.
    case shutdown
  }

  /// Processes an input at a moment; returns the effects to perform.
  ///
  /// A time before that of an earlier input counts as the time of that input.
  public mutating func handle(_ input: Input, at time: Instant) -> [Effect] {
    var effects: [Effect] = []
    handle(input, at: time, into: &effects)
    return effects
  }

  /// Advances the time; returns the effects that are due.
  public mutating func advance(to time: Instant) -> [Effect] {
    var effects: [Effect] = []
    advance(to: time, into: &effects)
    return effects
  }
}
