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

  // The words of `watch`.
  case actionTare, actionClearTare, actionZero, actionCommit, actionVoid, actionRelabel, actionTimer
  case actionTarget, actionCount, actionContainer, keyClear, keyQuit, stateEmpty, stateSettling, stateStable
  case stateOverload, statePressing, stateNoPad, markNoBroker, markStale, markUnderload, waitingForReading
  case connecting, online, offline, connectedTo, disconnected, notConnected, noAppliance, noReason, done
  case labelTarget, labelTimer, labelFlow, labelCount, labelPress, labelMinute, labelWeighed, labelLast
  case labelTare, labelGross, labelContainer, labelVoided, noneYet, targetOf, targetUnder, targetOKLess
  case targetOKMore, targetOver, targetNoWeight, pieces, piecesTooLight, piecesMoreThan, piecesSettling
  case piecesNoCount, pieceMass, pressSelected, pressConfirmed, pressUnavailable, pressRecalled, pressSlideUp
  case weighing, lastWeighing, lastWeighingNone, earlierWeighing, recordVoided, recordRelabelled
  case recordUnlabelled, askVoid, askVoidLast, alreadyVoided, healthPad, healthJournal, healthOutbox
  case healthCalibration, healthConfiguration, healthRefused, healthOK, healthUnknown, healthNone, originUser
  case originKernel, originNominal, warningNoSamples, warningPadSuspect, warningPlateTooHeavy, eventTared
  case eventTareCleared, eventZeroed, eventRejected, eventTimerStarted, eventTimerStopped, eventTargetReached
  case eventOverload, eventPadLost, eventPadFound, eventPadSuspect, eventCalibrated, eventReloaded, eventRecalled
  case eventJournalLoss, atSeconds

  // The web app manifest.
  case pageAppDescription

  // Tables of the journal.
  case listNone, listTime, listNet, listGross, listTare, listVoidedBy, listRelabelledBy, listTotal, listVoided
  case listNoLabel, listDay, listCount, listSum, listState, outboxWaiting, outboxParked, outboxDue, outboxEmpty
  case outboxMore, outboxSummary, outboxRetryHint, outboxNoneParked, outboxRetried, listWeighings, listSource
  case listLabel

  // Calibrating.
  case calibrating, calibrationStep, calibrationMeasure, calibrationMeasureHint, calibrationAgain
  case calibrationAgainHint, calibrationRepeat, calibrationCorrect, calibrationGrams, calibrationWrite
  case answerYes, answerNo, answerWords, calibrationMasses, calibrationMassesAsk, calibrationMassesHint
  case calibrationPad, calibrationEmptyPad, calibrationReading, calibrationPadEmpty, calibrationCounts
  case calibrationCheck, calibrationAboveRange, calibrationUnstable, calibrationKeepStill, calibrationUnchanged
  case calibrationChangeLoad, calibrationProgress, calibrationSeconds, stepEmpty, stepEmptyLast, stepMass
  case stepMassAgain, stepLoad, stepObserve, refusedNoPad, refusedUnchanged, refusedUnstable, refusedAboveRange
  case refusedCancelled, refused, refusedFewMasses, faultPastRange, faultUnstable, faultDriftEmpty, faultDrift,
    faultSame
  case faultMistyped, faultNotEmpty, faultScattered, faultNotRising, faultNarrow, calibrationWritten
  case calibrationNotWritten, calibrationReloads, calibrationOverridden, calibrationNotInEffect, calibrationFile,
    calibrationCurve
  case calibrationUncertainty, calibrationBeyondPower, calibrationBeyondLinear, calibrationVerified
  case calibrationExceeds

  // The output of `demo`.
  case demoGreeting, demoPage, demoRecord, demoStop, demoSettled, demoZeroed, demoRelabelled
}
