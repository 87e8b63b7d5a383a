/// The limit that a rejected request has hit, and what a user can do about it.
public enum RejectionDetail: Hashable, Sendable {
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
  /// The weighing of a request, which names it, is voided.
  case alreadyVoided(WeighingReference)
  /// The journal has no weighing with this identifier or number.
  case unknownWeighing(WeighingReference)
  /// No container has this name; these are known.
  case unknownContainer(ContainerName, known: [ContainerName] = [])
  /// The container is one of the configuration.
  case containerIsConfigured
  /// As many containers are stored as can be.
  case tooManyContainers(maximum: Int)
  /// No output has this name; these are known.
  case unknownOutput(OutputName, known: [OutputName])
  /// The net has reached the target of the dose already.
  case atTarget
  /// There is no connection to the broker, which switches the output.
  case brokerUnavailable
  /// A dose is under way.
  case doseUnderWay
  /// The journal cannot write records.
  case journalUnavailable
  /// As many records wait for the disk as may.
  case recordsWaiting(maximum: Int)
  /// No action has this name; these are known.
  case unknownAction(String, known: [String])
  /// The name cannot be that of an action, which has at most this length.
  case invalidActionName(maximumBytes: Int)
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
  /// The request of a client that a press was begun for has ended.
  case pairingOver
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
}
