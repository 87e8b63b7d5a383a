/// The keys of the texts that programs print; those of the page are only in its files.
package enum TextKey: String, Hashable, Sendable, CaseIterable {
  // Results of commands.
  case tared, taredContainer, tareCleared, zeroed, timerAt, timerReset, targetSet, targetEnded
  case counting, countingPieces, countingEnded, containerStored, containerRemoved
  case recorded, voided, relabelled, actionDone, rejected

  // Reasons of rejections.
  case reasonUnstable, reasonOverload, reasonEmpty, reasonBelowMinimum, reasonPadMissing, reasonNoTare
  case reasonNothingToVoid, reasonUnknownContainer, reasonUnknownWeighing, reasonJournalUnavailable
  case reasonUnknownAction, reasonBadPayload, reasonRetained, reasonExpired, reasonBusy

  // What to do about a rejection.
  case detailSampleTooSmall, detailPieceTooLight, detailSpreadTooLarge, detailPadNotCalibrated
  case detailContainerIsConfigured, detailTooManyContainers

  // Connections.
  case portUnknown, noBroker, connectionLost, brokerRefused, noSubscriber, noRetainedMessage, noResponse, noConnection
}
