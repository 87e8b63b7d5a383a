import Weighing

extension RejectionDetail {
  /// The limit and what to do, without a full stop.
  package var sentence: Sentence {
    func seconds(_ time: Interval, decimals: Int = 3) -> String {
      DecimalText.trimmed(time.seconds, decimals: decimals)
    }
    func text(_ mass: Grams) -> String { "\(DecimalText.trimmed(mass.value, decimals: 3)) g" }
    return switch self {
    case .notAtRest(let time): Sentence(.detailNotAtRest, ["seconds": seconds(time)])
    case .overload(let capacity): Sentence(.detailOverload, ["capacity": text(capacity)])
    case .nothingOnPad: Sentence(.reasonEmpty)
    case .grossNotPositive: Sentence(.detailGrossNotPositive)
    case .netNotPositive: Sentence(.detailNetNotPositive)
    case .belowMinimum(let minimum): Sentence(.detailBelowMinimum, ["minimum": text(minimum)])
    case .belowZero(let limit): Sentence(.detailBelowZero, ["limit": text(limit)])
    case .noPad: Sentence(.reasonPadMissing)
    case .noTare: Sentence(.reasonNoTare)
    case .nothingToVoid: Sentence(.reasonNothingToVoid)
    case .alreadyVoided(let weighing): Self.sentence(.detailAlreadyVoided, weighing, otherwise: .reasonNothingToVoid)
    case .unknownWeighing(let weighing):
      Self.sentence(.detailUnknownWeighing, weighing, otherwise: .reasonUnknownWeighing)
    case .unknownOutput(let name, let known) where known.isEmpty: Sentence(.detailNoOutputs, ["name": name.description])
    case .unknownOutput(let name, let known):
      Sentence(.detailNoSuchOutput, ["name": name.description, "outputs": Self.list(known.map(\.description))])
    case .atTarget: Sentence(.reasonAtTarget)
    case .brokerUnavailable: Sentence(.reasonBrokerUnavailable)
    case .doseUnderWay: Sentence(.detailDoseUnderWay)
    case .unknownContainer(let name, let known) where known.isEmpty: Sentence(.detailNoContainers, ["name": name])
    case .unknownContainer(let name, let known):
      Sentence(.detailNoSuchContainer, ["name": name, "containers": Self.list(known.map(\.description))])
    case .containerIsConfigured: Sentence(.detailContainerIsConfigured)
    case .tooManyContainers(let maximum): Sentence(.detailTooManyContainers, ["maximum": maximum])
    case .journalUnavailable: Sentence(.reasonJournalUnavailable)
    case .recordsWaiting(let maximum): Sentence(.detailRecordsWaiting, ["maximum": maximum])
    case .unknownAction(let name, let known):
      Sentence(.detailNoSuchAction, ["name": name, "actions": known.joined(separator: ", ")])
    case .invalidActionName(let maximum): Sentence(.detailActionName, ["maximum": maximum])
    case .aboveCapacity(let parameter, let capacity):
      Sentence(.detailAboveCapacity, ["parameter": parameter, "capacity": text(capacity)])
    case .parameter(let error): error.sentence
    case .expired: Sentence(.reasonExpired)
    case .retained: Sentence(.reasonRetained)
    case .commandsWaiting(let maximum): Sentence(.detailCommandsWaiting, ["maximum": maximum])
    case .messagesWaiting(let maximum): Sentence(.detailMessagesWaiting, ["maximum": maximum])
    case .tooManyCommands(let maximum): Sentence(.detailTooManyCommands, ["maximum": maximum])
    case .sampleTooSmall(let pieces): Sentence(.detailSampleTooSmall, ["pieces": pieces])
    case .pieceTooLight(let minimum):
      Sentence(.detailPieceTooLight, ["mass": "\(DecimalText.significant(minimum.value, digits: 2)) g"])
    case .spreadTooLarge(let maximum):
      Sentence(.detailSpreadTooLarge, ["spread": DecimalText.trimmed(maximum, decimals: 2)])
    case .padNotCalibrated: Sentence(.detailPadNotCalibrated)
    case .loadCellNotCalibrated: Sentence(.detailLoadCellNotCalibrated)
    case .noSignal: Sentence(.detailNoSignal)
    case .forceTooSteady(let time): Sentence(.detailForceTooSteady, ["seconds": seconds(time, decimals: 1)])
    case .pressTooLong(let time): Sentence(.detailPressTooLong, ["seconds": seconds(time)])
    case .pressInterrupted: Sentence(.detailPressInterrupted)
    case .thirdPress: Sentence(.detailThirdPress)
    case .pressReconfigured: Sentence(.detailPressReconfigured)
    case .pairingOver: Sentence(.pairingOver)
    case .unequalPresses: Sentence(.detailUnequalPresses)
    case .pressNotHeldStill: Sentence(.detailPressNotHeldStill)
    case .pressLeftZone: Sentence(.detailPressLeftZone)
    case .eventsLost: Sentence(.detailEventsLost)
    case .loadChanged: Sentence(.detailLoadChanged)
    }
  }

  /// A sentence about a weighing that the request names by its identifier or its number.
  private static func sentence(
    _ key: TextKey, _ weighing: WeighingReference, otherwise general: TextKey
  ) -> Sentence {
    switch weighing {
    case .id(let id): Sentence(key, ["id": id])
    case .sequence(let number): Sentence(key, ["id": "#\(number)"])
    case .last, .unknown: Sentence(general)
    }
  }

  /// Maximum number of containers that a sentence lists.
  private static let listLimit = 10

  private static func list(_ names: [String]) -> String {
    (names.prefix(listLimit) + (names.count > listLimit ? ["..."] : [])).joined(separator: ", ")
  }
}
