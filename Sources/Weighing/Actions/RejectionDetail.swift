/// The limit that a rejected request has hit, and what a user can do about it.
public enum RejectionDetail: Hashable, Sendable, CustomStringConvertible {
  /// The load moved for the whole time that a request waits.
  case notAtRest(within: Interval)
  /// The load reaches the capacity or the end of the axis.
  case overload(capacity: Grams)
  /// Nothing is on the pad.
  case nothingOnPad
  /// The load weighs less than the empty pad.
  case grossNotPositive
  /// The net of a sample is not above zero.
  case netNotPositive
  /// The net is below the minimum for a record.
  case belowMinimum(Grams)
  /// The gross is below this limit, so zero is wrong.
  case belowZero(Grams)
  /// No pad is connected.
  case noPad
  /// No tare is set.
  case noTare
  /// Nothing is recorded, or the last weighing is voided.
  case nothingToVoid
  /// This weighing is voided.
  case alreadyVoided(WeighingID)
  /// The journal has no weighing with this identifier; `nil` for a text that is no identifier.
  case unknownWeighing(WeighingID?)
  /// No container has this name.
  case unknownContainer(ContainerName)
  /// The container is one of the configuration.
  case containerIsConfigured
  /// As many containers are stored as can be.
  case tooManyContainers(maximum: Int)
  /// The journal cannot write records.
  case journalUnavailable
  /// As many records wait for the disk as may.
  case recordsWaiting(maximum: Int)
  /// No action has this name.
  case unknownAction(String)
  /// The mass in this parameter is above the capacity.
  case aboveCapacity(parameter: String, Grams)
  /// The action does not accept a parameter, or one is missing.
  case parameter(ActionArgumentError)
  /// The message expiry has passed.
  case expired
  /// The broker had retained the command.
  case retained
  /// As many commands wait for an answer as may; one client gets at most half of the places.
  case commandsWaiting(maximum: Int)
  /// As many messages wait to be sent as may while commands are accepted.
  case messagesWaiting(maximum: Int)
  /// The client sends more commands a second than one may while others wait.
  case tooManyCommands(perSecond: Int)
  /// The sample of a count has too few pieces: the smallest number of the same pieces that is enough.
  case sampleTooSmall(pieces: Int)
  /// No sample of the pieces is enough: the least mass of a piece that can be counted.
  case pieceTooLight(minimum: Grams)
  /// The masses of the pieces differ too much for any sample: the largest spread that can be counted.
  case spreadTooLarge(maximum: Double)
  /// No sample is enough, because the pad is not calibrated.
  case padNotCalibrated
  /// The load cell is not calibrated, so that its counts are no mass.
  case loadCellNotCalibrated
  /// The samples of the pad do not come from its sensor.
  case noSignal
  /// The force of a press was constant for this time, like the weight of an object.
  case forceTooSteady(for: Interval)
  /// A press was not released within this time.
  case pressTooLong(Interval)
  /// A second finger or a key came during the press.
  case pressInterrupted
  /// A third press came right after two.
  case thirdPress
  /// The settings or the pad changed during the press.
  case pressReconfigured
  /// Only one of two presses was a full one.
  case unequalPresses
  /// The finger was lifted too soon after the slide, or while it moved.
  case pressNotHeldStill
  /// The finger left the zone sideways.
  case pressLeftZone
  /// Events were lost during the press.
  case eventsLost
  /// After the press, the load was not the one before it.
  case loadChanged

  /// A sentence without a full stop.
  public var description: String {
    switch self {
    case .notAtRest(let time):
      "the load did not come to rest within \(DecimalText.trimmed(time.seconds, decimals: 3)) s"
    case .overload(let capacity):
      "the load reaches the capacity of \(Self.text(capacity)), or the end of the range of the pad"
    case .nothingOnPad: "nothing is on the pad"
    case .grossNotPositive: "the gross weight must be above 0 g"
    case .netNotPositive: "the net weight must be above 0 g"
    case .belowMinimum(let minimum): "the net weight is below the minimum of \(Self.text(minimum))"
    case .belowZero(let limit): "the gross weight is below \(Self.text(limit)); zero the scale"
    case .noPad: "the pad is not connected"
    case .noTare: "no tare is set"
    case .nothingToVoid: "there is no weighing to void, or it is already voided"
    case .alreadyVoided(let id): "weighing \(id) is already voided"
    case .unknownWeighing(let id?): "there is no weighing \(id)"
    case .unknownWeighing(nil): "there is no weighing with this id"
    case .unknownContainer(let name): "no container is named \(name)"
    case .containerIsConfigured: "the container is in the configuration file; remove it there"
    case .tooManyContainers(let maximum): "\(maximum) containers are stored already; remove one first"
    case .journalUnavailable: "the journal cannot be written; see the health topic for the reason"
    case .recordsWaiting(let maximum): "\(maximum) records are waiting for the disk; try again"
    case .unknownAction(let name): "there is no action named \(name)"
    case .aboveCapacity(let parameter, let capacity): "\(parameter) is above the capacity of \(Self.text(capacity))"
    case .parameter(let error): error.description
    case .expired: "the message expiry has passed"
    case .retained: "retained commands are ignored"
    case .commandsWaiting(let maximum): "too many of the \(maximum) places for waiting commands are taken; try again"
    case .messagesWaiting(let maximum): "\(maximum) messages are waiting to be sent; try again"
    case .tooManyCommands(let maximum): "this client sends more than \(maximum) commands a second"
    case .sampleTooSmall(let pieces): "the sample is too small; use at least \(pieces) pieces"
    case .pieceTooLight(let minimum):
      "the pieces are too light for any sample on this scale; a piece must weigh about "
        + "\(DecimalText.significant(minimum.value, digits: 2)) g or more"
    case .spreadTooLarge(let maximum):
      "the pieces differ too much in mass; piece_spread must be at most \(DecimalText.trimmed(maximum, decimals: 2))"
    case .padNotCalibrated: "the pad is not calibrated; calibrate it to count pieces"
    case .loadCellNotCalibrated: "the load cell is not calibrated; calibrate it first"
    case .noSignal: "the pad repeats one value; check the wires of its sensor"
    case .forceTooSteady(let time):
      "the force stayed the same for \(DecimalText.trimmed(time.seconds, decimals: 1)) s, like that of an object; "
        + "press for a shorter time"
    case .pressTooLong(let time):
      "the press was not released within \(DecimalText.trimmed(time.seconds, decimals: 3)) s"
    case .pressInterrupted: "a second finger or a key interrupted the press"
    case .thirdPress: "a third press followed two at once; pause between presses"
    case .pressReconfigured: "the settings or the pad changed during the press"
    case .unequalPresses: "one of two presses was too short or too long"
    case .pressNotHeldStill:
      "the finger was lifted too soon or while it moved; hold it still before you lift it"
    case .pressLeftZone: "the finger left the zone sideways"
    case .eventsLost: "events were lost during the press"
    case .loadChanged: "the force did not return to that of the load before the press"
    }
  }

  private static func text(_ mass: Grams) -> String { "\(DecimalText.trimmed(mass.value, decimals: 3)) g" }
}
