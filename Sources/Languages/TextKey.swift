/// The keys of the texts that programs print; those of the page are only in its files.
package enum TextKey: String, Hashable, Sendable, CaseIterable {
  // Results of commands.
  case tared, taredContainer, tareCleared, zeroed, timerAt, timerReset, targetSet, targetEnded, doseStarted,
    doseStopped, doseForgotten, counting, countingPieces
  case countingEnded, containerStored, containerRemoved, recorded, voided, relabelled, actionDone, rejected

  // Reasons of rejections.
  case reasonUnstable, reasonOverload, reasonEmpty, reasonBelowMinimum, reasonPadMissing, reasonNoTare
  case reasonNothingToVoid, reasonUnknownContainer, reasonUnknownOutput, reasonAtTarget, reasonBrokerUnavailable,
    reasonUnknownWeighing, reasonJournalUnavailable, reasonUnknownAction
  case reasonBadPayload, reasonRetained, reasonExpired, reasonBusy

  // The limits of rejections, and what to do.
  case detailNotAtRest, detailOverload, detailGrossNotPositive, detailNetNotPositive, detailBelowMinimum
  case detailBelowZero, detailAlreadyVoided, detailUnknownWeighing, detailNoSuchContainer, detailNoContainers,
    detailRecordsWaiting
  case detailNoSuchOutput, detailNoOutputs, detailDoseUnderWay
  case detailNoSuchAction, detailActionName, detailAboveCapacity, detailCommandsWaiting, detailMessagesWaiting,
    detailTooManyCommands
  case detailSampleTooSmall, detailPieceTooLight, detailSpreadTooLarge, detailPadNotCalibrated
  case detailLoadCellNotCalibrated, detailNoSignal, detailContainerIsConfigured, detailTooManyContainers
  case detailForceTooSteady, detailPressTooLong, detailPressInterrupted, detailThirdPress, detailPressReconfigured
  case detailUnequalPresses, detailPressNotHeldStill, detailPressLeftZone, detailEventsLost, detailLoadChanged

  // Connections.
  case portUnknown, noBroker, connectionLost, brokerRefused, noSubscriber, noRetainedMessage, noResponse, noConnection

  // The words of `watch`.
  case actionTare, actionClearTare, actionZero, actionCommit, actionVoid, actionRelabel, actionTimer, actionTarget
  case actionCount, actionContainer, actionDose, actionPair, keyClear, keyStop, keyQuit, stateEmpty, stateSettling,
    stateStable,
    stateOverload
  case statePressing, stateNoPad, stateNotCalibrated, markNoBroker, markStale, markUnderload,
    waitingForReading
  case connecting, online, offline, connectedTo, disconnected, notConnected, noAppliance, noReason, done, labelTarget
  case labelTimer, labelFlow, labelCount, labelPress, labelMinute, labelWeighed, labelLast, labelTare, labelGross
  case labelContainer, labelNext, labelVoided, noneYet, targetOf, targetUnder, targetOKLess, targetOKMore, targetOver
  case targetNoWeight, pour, pieces, piecesTooLight, piecesMoreThan, piecesSettling, piecesNoCount, pieceMass,
    pressSelected
  case pressConfirmed, pressUnavailable, pressRecalled, pressSlideUp, weighing, lastWeighing, lastWeighingNone
  case earlierWeighing, weighingOf, recordVoided, recordRelabelled, recordUnlabelled, askVoid, askVoidNumber,
    askVoidLast, askVoidAgain,
    alreadyVoided, healthPad
  case healthJournal, healthOutbox, healthCalibration, healthConfiguration, healthRefused, healthOK, healthUnknown
  case healthNone, originUser, originKernel, originKnown, originNominal, originSimulated, warningNoSignal, eventTared,
    eventTareCleared, eventZeroed
  case eventRejected, eventTimerStarted, eventTimerStopped, eventTargetReached, eventTargetStop, eventDoseStarted
  case eventDosed, eventOverload, eventPadLost
  case eventPadFound, eventPadSuspect, eventCalibrated, eventReloaded, eventRecalled, eventScanned
  case eventJournalLoss, eventJournalRecovered, pairingRequested, pairingGranted, pairingRefused, atSeconds

  // The web app manifest.
  case pageAppDescription

  // Tables of the journal.
  case listNone, listTime, listNet, listGross, listTare, listVoidedBy, listRelabelledBy, listTotal, listVoided
  case listNoLabel, listDay, listCount, listSum, listState, outboxWaiting, outboxParked, outboxDue, outboxEmpty
  case outboxMore, outboxSummary, outboxRetryHint, outboxNoneParked, outboxRetried, listWeighings, listSource, listLabel

  // Calibrating.
  case calibrating, calibrationStep, calibrationMeasure, calibrationMeasureHint, calibrationAgain, calibrationAgainHint
  case calibrationRepeat, calibrationCorrect, calibrationGrams, calibrationWrite, answerYes, answerNo, answerWords
  case calibrationMasses, calibrationMassesAsk, calibrationMassesHint, calibrationOther, calibrationOtherAsk
  case calibrationOtherTest, calibrationOtherEnd, calibrationWaiting, calibrationPad, calibrationEmptyPad
  case calibrationReading, calibrationPadEmpty, calibrationCounts, calibrationCheck, calibrationAboveRange
  case calibrationUnstable, calibrationKeepStill, calibrationUnchanged, calibrationChangeLoad, calibrationProgress
  case calibrationSeconds, stepEmpty, stepEmptyLast, stepMass, stepMassAgain, stepLoad, stepObserve, refusedNoPad
  case refusedUnchanged, refusedUnstable, refusedAboveRange, refusedCancelled, refused, refusedFewMasses, faultPastRange
  case faultUnstable, faultDriftEmpty, faultDrift,
    faultSame
  case faultMistyped, faultNotEmpty, faultScattered, faultNotRising, faultNarrow, calibrationWritten
  case calibrationNotWritten, calibrationReloads, calibrationOverridden, calibrationNotInEffect, calibrationFile,
    calibrationCurve
  case calibrationUncertainty, calibrationBeyondPower, calibrationBeyondLinear, calibrationVerified, calibrationExceeds

  // Why a curve was chosen, and the words in it.
  case curveFormula, curveAsked, curveFewMasses, curveBest, curveAsGood, curveErrors, shapeLinear, shapeMonotone
  case shapePolynomial, shapePower

  // What the scale says during a calibration.
  case endClosed, endAbandoned, endPadLost, endReloaded, noteMeasured, noteAboveRange, noteUnstable, noteUnchanged
  case noteNoChange, noteNoRest, noteTooHeavy, noteGap, noteStopped

  // Values in the configuration: what is accepted.
  case acceptsAction, acceptsActionType, acceptsAddress, acceptsArea, acceptsAxis, acceptsAxisChoice, acceptsBrokers
  case acceptsButton, acceptsChannel, acceptsContainer, acceptsControls, acceptsDevice, acceptsDeviceOrConverter
  case acceptsDivision, acceptsEndpoint, acceptsExtent, acceptsGrams, acceptsGramsAboveZero, acceptsGramsFromZero
  case acceptsHostName, acceptsIdentity, acceptsInteger, acceptsKey, acceptsKeys, acceptsLine, acceptsList
  case acceptsMapping, acceptsMass, acceptsMassName, acceptsMassOfNone, acceptsNumber, acceptsNumberAbove,
    acceptsOneDevice
  case acceptsOneOf, acceptsOutput, acceptsParameters, acceptsPath, acceptsPlacement, acceptsPoint, acceptsQuickAction,
    acceptsSample
  case acceptsScanner, acceptsSeries, acceptsStep, acceptsString, acceptsZones, foundList, foundMapping, foundNothing,
    foundNumber, foundString

  // Faults of a configuration. Most follow a key: "scale.capacity_g: must not be empty".
  case configFound, configSuggestion, configUnknownSection, configUnknownSectionElsewhere, configUnknownKey
  case configUnknownKeyElsewhere, configDuplicate, configMissing, configRequires, configNotSettable, configEmpty
  case configTooLong, configControlCharacters, configSlash, configLevels, configDollar, configSpace, configWildcard
  case configNUL, configFolder, configNoFile, configForbidden, configNotAFile, configUnreadable, configManyEntries
  case configManyParameters, configParameterName, configExceedsCapacity, configFullPress, configBelowCapacity
  case configAboveCapacity, configNotBelowCapacity, configIsConfiguration, configIsFileOf, configIsPortOf
  case configUnknownAction, configBuiltInAction, configActionTaken, configContainerTaken, configButtonTaken
  case configScannerTaken, configOutputTaken, configTopicTaken, configSamePayload, configTopicInside, configCode
  case configCodeEmpty
  case configZoneOverlaps, configDefaultZoneOverlaps, configWholePad, configControlName, configManyControls
  case configNoDevice, configNoAxis, configAxisRepeated, configContactAxis, configPlateFixed, configNoAxes
  case configHostName, configExpected, parameterExcludes, parameterMissing, configTLSUnused, configNoBrokers
  case configBrokerTaken, configURLPassword, configURLExpected, configURLWebSocket, configURLScheme, configURLStart
  case configURLPath, configURLHost, configURLPort, configWebURL, configNoKeyFor, configNoKeyForNewline
  case configManyFields, configFieldUnclosed, configFieldUnopened, configUnknownField, configFieldComma

  // Faults of the YAML in a file.
  case yamlTooLarge, yamlEncoding, yamlControlCharacters, yamlAliases, yamlAnchors, yamlTags, yamlManyDuplicates
  case yamlUnreadable, yamlTabs, yamlDocuments, yamlDepth, yamlInvalid, yamlKey

  // Faults of calibration points and of a file of series.
  case pointsTooFew, pointsNone, pointsTooMany, pointsRepeated, pointsNotRising, pointsExpected, pointsPair,
    curveTooFewPoints
  case curveInvalidPoint, curveRepeated, curveNotRising, curvePolynomial, seriesMassMissing, seriesNeedsCertificate
  case seriesNeedsEvidence, seriesNeedsClass, seriesNoSuchWeight, seriesWaterTemperature

  // Files of the configuration.
  case fileMissing, fileForbidden, fileNotAFile, fileUnreadable, fileOfSettings, fileNotWritable, passwordUnreadable
  case passwordEncoding, passwordEmpty, passwordTooLong, tokenUnreadable, tokenUnusable, tlsMismatch, tlsUnreadable
  case tlsNoCertificate, tlsEncryptedKey, tlsNoKey

  // Settings that cannot be changed.
  case settingsChanged, settingsNoUndo, settingsNotWritten, settingsInvalid, settingsNeedRestart, settingsUnknown

  // Fields of the settings in the page, and their groups.
  case settingsName, settingsUnit, settingsCapacity, settingsMinimum, settingsMotion, settingsRest, settingsRotation,
    settingsAutoTare, settingsZones, settingsScale
  case settingsStability, pageControls, pageContainers, pageQuickActions, pageBroker, pagePad

  // Warnings about a configuration, and check.
  case warningText, warningJournalNotAFile, warningJournalFolder, warningDashboardAddress, warningDashboardHosts
  case warningHistoryZone, warningControls, warningSICS, warningExposed, warningUncertainty, warningNoCalibrationFile
  case warningOtherPad, warningForeignPad, checkSettingsLeftOut, checkSettings, checkValid, checkDefaults, curvePowerLaw

  // Connections that failed or ended, after the name of the broker or in a sentence.
  case linkUnknownHost, linkUnreachable, linkNoAnswer, linkCredentials, linkVersion, linkRefused, linkUntrusted
  case linkOutOfDate, linkWrongName, linkUnusableFile, linkTLS, linkClosedEarly, linkClosed, linkClosedRepeatedly
  case linkEnded, linkTakenOver, linkSilent, linkUnacknowledged, linkNotMQTT, linkBroken, linkUnusableSettings
  case linkStopped, tlsNotPEM

  // Output of commands.
  case fileIsDatabase, padGrabbedCalibrate, padGrabbedDiagnose

  // Devices: errors, choice and table of devices.
  case deviceNotFound, deviceForbidden, deviceNotEvdev, deviceCannotWeigh, deviceGrabbed, deviceLost, deviceFailed
  case scannerLayoutUnknown, scannerNoLayouts, scannerNoDigits, scannerNoEnter, scannerTypesWeighings
  case deviceDoubt, padNoAxis, padNoSuchAxis, padNoSuchAxisAtAll, padEmptyRange, padNoSlots, padPen, padFingerWidth
  case padOutranked, padRangesChanged, padReconfigured, padUnpluggedInPage, iioRemoved, iioForbidden, iioBusy,
    iioSilent, iioMalformed
  case iioChanged, converterNoVoltage, converterNoChannel, converterUnknown, converterNoRate, converterNoGain
  case converterSelected, converterSelectedFirst, converterFirst, converterNoneKnown, converterAbsent
  case converterAbsentAmong, choiceOnly, choiceOnlyMatch, choiceRule, choiceDoubtful, choiceBalanceBoard
  case choiceResolution, choiceContacts, choiceForce, choiceNotArea, choiceRange, choiceLowest, choiceNotFound,
    choiceNotFoundUnreadable, choiceNone
  case choiceNoneWeighs, choiceNoneWeighsUnreadable, twoReasons, devicesAuto, devicesNoFolder, devicesNotYet
  case measureForce, measureArea, measureResolution, measureBoard, measurePressurePad, measureKnown, measureSeveral
  case measureTouchpad, devicesMeasures, devicesArea
  case devicesDevice, devicesName, devicesWeighs, devicesAxis, devicesWhyNot, devicesYes, devicesNo, devicesLinks
  case devicesRecommended, devicesScanner, devicesChannels, devicesNoRate, devicesGain, devicesNoGain

  // Pads and recordings.
  case padNone, padCannotWeigh, padNamedCannotWeigh, recordingMalformed, recordingNoDevice, recordingNoDeviceOption
  case recordingNoEvents, recordStarted, recordDone, recordProgress

  // Output of diagnose.
  case diagnoseProgress, diagnoseLost, diagnoseUnnamed, diagnoseSamples, diagnoseGaps, diagnoseNoise, diagnoseUnique
  case diagnoseSaturated, diagnoseRange, diagnoseDrift, diagnoseCalibration, diagnoseNoProblem, diagnoseRate
  case diagnoseRateUnknown, diagnoseNone, diagnoseSilence, diagnoseSilenceRepeated, diagnoseLosses, diagnoseNotAtRest
  case diagnoseNoiseText, diagnoseSpikes, diagnoseSteps, diagnoseNever, diagnoseSaturatedCount, diagnoseRangeText
  case diagnoseDriftText, diagnoseCalibrationText, adviceNoSample, adviceFewSamples, adviceNoLoad, adviceStuck
  case adviceNoForce, adviceSilent, adviceSlow, adviceSlowForPresses, adviceGaps, adviceLostEvents, adviceSaturated
  case adviceRangeTooSmall, adviceRangeHardlyUsed, adviceCapacitySmall, adviceCoarse, adviceSteps, adviceMoving
  case adviceNoisy, adviceSpikes, adviceDrifting, padDisconnected, diagnoseAdvice

  // The journal: errors, after its path, and history verify.
  case journalNotFound, journalForbidden, journalNotCreated, journalFull, journalReadOnly, journalCorruptKept
  case journalCorrupt, journalBusy, journalReplaced, journalForeign, journalNewer, journalNoVersion, journalInUse
  case journalMark, journalNothingToVoid, journalUnknownWeighing, journalOther, journalOtherDevice, verifyChecked,
    verifyIntact
  case verifyUnaltered, verifyFaults, verifyReported, verifyMark, verifyFault, verifyFaultOfWeighing
  case verifyFaultOfRecord, verifyFailed, verifyDamaged, verifySchema, verifyAltered, verifyMissing, verifyInconsistent
  case verifyHead, verifyRest, verifyReference, verifySchemaMissing, verifySchemaUnexpected, verifySchemaVersions
  case verifyAstray, verifyMasses, verifyNoHead, verifyHeads, verifyHeadDiffers, verifyHeadHash, verifyRecordMissing
  case verifyRecordsMissing, verifyPosition, verifyHash, verifyInvalidWeighing, verifyInvalidAudit, verifySequence
  case verifyCalibration, verifyIdentifier, verifyLossAfter, verifyLastWeighing, verifyCounter, lossOne, lossSeveral
  case lossKept

  // Backups, restoring and reports.
  case fileNotOpened, fileNotCreated, fileNotRead, fileNotWritten, fileNotRenamed, fileNotReplaced, fileNoSpace
  case fileNeedsPermission, fileExistsAlready, fileSystemReadOnly, archiveCompressed, archiveForeign, archiveTruncated
  case archiveTrailing, archiveMissing, archiveUnexpected, archiveEnd, archiveTooLarge, archiveAltered, archiveNewer
  case archiveUnusable, archiveNoJournal, archiveVerification, archiveManifest, archiveSameFile
  case archiveControlCharacters, archiveNoCalibration, backupAltered, backupInUse, backupAnotherProcess
  case backupAnotherProgram, processName, backupWouldLose, backupMightLose, backupOccupied, backupRegularFile
  case backupCalibrationFile, backupJournalFile, backupIsJournal, backupNoFolder, backupNoConfiguration, backupSaved
  case backupOutput, backupPart, backupWeighings, backupNoWeighings, restoreRefused, restoreFrom, restoreMissing
  case restoreUnreadable, restoreAbsent, restoreDone, restoreTrial, restoreFile, restoreFileTrial, restoreRemoved
  case restoreRemovedTrial, restoreKept, partConfiguration, partSettings, partPreviousSettings, partCalibration
  case partJournal, reportOutput, reportDiagnosing, reportRecording

  // Errors of the service and of collect.
  case brokerNotInstalled, brokerPortOfMosquitto, brokerPortInUse, brokerPortOfOther, brokerPortRefused
  case brokerNotStarted, brokerNotReady, collectDatabase, collectNewerSchema, verifyUnreadable, verifyUnreadableKept
  case collectConnectionString, collectDenied, collectMayNotCreate, collectMayNotGrant, collectMayNotSetRetention
  case fleetNoSchema, fleetNotInstalled

  // The table of `fleet`.
  case fleetNone, fleetDevice, fleetSeen, fleetWeighings, fleetMissing, fleetLost, fleetCalibrated, fleetVersion
  case fleetConflicts, fleetIDConflicts, fleetClock, fleetScales, fleetSummary

  // Enrolment.
  case enrollMalformedCode, enrollNotAccepted, enrollUnreachable, enrollNoAnswer, enrollRefused, enrollInvalidAnswer
  case enrollNoKey, enrollUnreadable, enrollNotWritable, enrollNewRefused, enrollAsRoot, enrollNoConfiguration
  case enrollOneFile, enrollRenewed, enrollAsk, enrollCertificateNotAccepted, enrollUntrusted, enrollTLS
  case enrollRenewalNoAnswer, enrollRenewalNewRefused

  // The chart of a calibration.
  case chartGrams, chartCounts, chartSpread, chartDrift, chartResidual, chartLeftOut, chartErrors, chartErrorsInGrams
  case chartTitle, chartTitleOf, chartPoint, chartCountsUnit

  // Calibrating a running appliance.
  case remoteNoFit, remoteApply, remoteNothing, remoteSaved, selfTestFailed

  // The certificate of a self-test.
  case testTitle, testDate, testDevice, testPad, testSerial, testAxis, testCalibration, testConfiguration, testProgram
  case testNotConnected, testNotStated, testUserCurve, testUserCurveMade, testLoad, testLoadApplied, testCreep
  case testCreepObserved, testVerification, testVerified, testConditions, testResults, testDeviation, testFound
  case testLimit, testRepeatability, testZeroReturn, testPass, testFail, testOverallPass, testOverallFail, testNote
  case testOwner

  // The dialog of calibrate certificate.
  case certificateMasses, certificateMassesAsk, certificateMassesHint, certificateTemperature
  case certificateTemperatureHint, certificateRepeatability, certificateEccentricity, certificateAt, certificateErrors
  case certificateCreep, certificatePutCentre, certificatePutFrontLeft, certificatePutBackLeft, certificatePutBackRight
  case certificatePutFrontRight, certificateAdd, certificateTakeOff, certificateRefused, certificateAltered
  case certificateIntact, secretUnreadable, calibrationThrough, calibrationNeedsYes, simulateStarted

  // The output of `demo`.
  case demoGreeting, demoPage, demoRecord, demoStop, demoSettled, demoZeroed, demoRelabelled

  // The state before the first search, connection and file; and in a replay.
  case padNotSearched, linkNotYet, linkReplay, journalNotYet, replayNoTopic, replayResend

  // What differs in another pad, and how a converter is set up.
  case padReplaced, padHasRange, padIsModel, padHasSerial, padIsCalled, converterNoSamples, converterOtherRate
  case converterOtherGain, converterGainUnknown, converterRangeAssumed, converterMeasuredRate, keyboardNoDevice
  case keyboardForbidden

  // More faults of a calibration.
  case faultTooFew, faultInvalid

  // Records that a command could not publish again.
  case detailNotInJournal, detailRefusedByBroker

  // Faults of the payload of a command.
  case payloadTooLarge, payloadEncoding, payloadDepth, payloadFieldTooLong, payloadDuplicate, payloadMalformed
  case payloadUnknownField, payloadNoLabel, payloadRange, payloadManyRecords, payloadSameMass, acceptsScalar
  case acceptsPositiveInteger, acceptsObject, acceptsObjectOf, acceptsCommandType, acceptsMasses, acceptsMassFrom,
    acceptsRevision
  case acceptsPadState

  // Answers about a calibration of a running appliance.
  case remoteNoPad, remoteOther, remoteNotNow, remoteNotApplied, remoteOver, remoteNoFile, remoteSteps, remoteNotStarted
  case remoteUnused, remoteNoTest, remoteUnexpected, remoteStatus, dashboardUnknown, remoteNoResult, remoteSilent
  case remoteUnknownHost, remoteNoPage, remoteOwnMachine, remoteElsewhere, settingsInvalidValues

  // Answers of the web server.
  case httpInvalidBody, httpBadHost, httpUnknownHost, httpCrossOrigin, httpNotJSON, httpClosed, httpNoToken
  case httpWrongToken, httpOwnerOnly, httpPairingOff, httpPairingRefused, httpPairingTimedOut, httpPairingBusy
  case httpPairingLimit, httpPairingRequired, pairingOver, clientsDamaged, clientsNotSaved, clientsFull, clientsUnknown
  case clientsNone, clientsRevoked, clientsHeadName, clientsHeadAddress, clientsHeadKind, clientsHeadSince
  case clientsHeadUntil, learnedNothing, learnedLabel, learnedDeadTime, learnedFlow, learnedArrived, learnedDoses
  case httpBadHandshake, httpUpgrade, httpNotFound, httpBadMethod, httpBusy, httpMalformed, httpVersion
  case httpHeadTooLarge, httpBodyTooLarge, httpLengthRequired, httpExpectation, httpQueryEncoding, httpQueryParameter
  case httpQueryTwice, httpQueryNumber, httpQueryOrder, httpQueryFlag, httpQueryTime, httpQueryRange
  case machineSilent, machineNoBackup, machineMisplaced, machineNoRoom

  // What to check when the readings of a pad are unreliable.
  case adviceNoSamples, adviceNoSignal, advicePadSuspect, advicePlateTooHeavy, adviceNotCalibrated, adviceTooNoisy
  case adviceRangeExceeded, adviceContactArea
}
