extension TextKey {
  /// The sentences that the service reports in English, over MQTT and HTTP: why the pad, the broker, the journal or the configuration is
  /// not available, what to do about a rejection, what happens to a calibration, and why its curve was chosen.
  ///
  /// Of two that fit a text, the first one is used.
  package static let reported: [TextKey] = [
    // The pad.
    .padUnpluggedInPage, .padReconfigured, .padOutranked, .padNone, .choiceNone, .deviceNotFound, .deviceForbidden,
    .deviceNotEvdev, .deviceCannotWeigh, .deviceGrabbed, .deviceLost, .padNoAxis, .padNoSuchAxisAtAll, .padNoSuchAxis,
    .padNoSlots, .padPen, .padFingerWidth, .iioRemoved, .iioForbidden, .iioBusy, .iioSilent, .iioMalformed, .iioChanged,
    .converterNoVoltage, .converterUnknown, .choiceNoneWeighs, .padEmptyRange, .choiceNotFound, .deviceFailed,
    // The broker.
    .linkUnknownHost, .linkUnreachable, .linkNoAnswer, .linkCredentials, .linkVersion, .linkRefused, .linkUntrusted,
    .linkOutOfDate, .linkWrongName, .linkUnusableFile, .linkTLS, .linkClosedEarly, .linkClosedRepeatedly, .linkClosed,
    .linkEnded, .linkTakenOver, .linkSilent, .linkUnacknowledged, .linkNotMQTT, .linkBroken, .linkUnusableSettings,
    // The journal.
    .journalNotFound, .journalForbidden, .journalNotCreated, .journalFull, .journalReadOnly, .journalCorruptKept,
    .journalCorrupt, .journalBusy, .journalReplaced, .journalForeign, .journalNewer, .journalInUse, .journalMark,
    .journalOtherDevice, .journalOther,
    // Rejections.
    .reasonEmpty, .reasonPadMissing, .reasonNoTare, .reasonNothingToVoid, .reasonUnknownWeighing,
    .reasonJournalUnavailable, .reasonExpired, .reasonRetained,
    .detailNotAtRest, .detailOverload, .detailGrossNotPositive, .detailNetNotPositive, .detailBelowMinimum,
    .detailBelowZero, .detailAlreadyVoided, .detailUnknownWeighing, .detailUnknownContainer, .detailRecordsWaiting,
    .detailUnknownAction, .detailAboveCapacity, .detailCommandsWaiting, .detailMessagesWaiting, .detailTooManyCommands,
    .detailSampleTooSmall, .detailPieceTooLight, .detailSpreadTooLarge, .detailPadNotCalibrated,
    .detailLoadCellNotCalibrated, .detailNoSignal,
    .detailContainerIsConfigured, .detailTooManyContainers,
    .detailForceTooSteady, .detailPressTooLong, .detailPressInterrupted, .detailThirdPress, .detailPressReconfigured,
    .detailUnequalPresses, .detailPressNotHeldStill, .detailPressLeftZone, .detailEventsLost, .detailLoadChanged,
    // A calibration in the page.
    .endClosed, .endAbandoned, .endPadLost, .endReloaded, .noteMeasured, .calibrationCheck, .noteAboveRange,
    .noteUnstable, .noteUnchanged, .noteNoChange, .noteNoRest, .noteTooHeavy, .noteGap, .noteStopped,
    .faultUnstable, .faultDriftEmpty, .faultDrift, .faultSame, .faultNotEmpty, .faultScattered, .faultNotRising,
    .faultNarrow, .faultPastRange, .faultMistyped, .curveAsked, .curveFewMasses, .curveBest, .curveAsGood,
    // A configuration and the settings.
    .settingsChanged, .settingsNoUndo, .settingsInvalid, .settingsNotWritten, .settingsNeedRestart,
    .fileMissing, .fileForbidden, .fileNotAFile, .fileUnreadable, .fileOfSettings, .passwordUnreadable,
    .passwordEncoding, .passwordEmpty, .passwordTooLong, .tokenUnreadable, .tokenUnusable,
    .yamlTooLarge, .yamlEncoding, .yamlControlCharacters, .yamlAliases, .yamlAnchors, .yamlTags, .yamlManyDuplicates,
    .yamlUnreadable, .yamlTabs, .yamlDocuments, .yamlDepth, .yamlInvalid, .yamlKey,
    .configUnknownSectionElsewhere, .configUnknownSection, .configUnknownKeyElsewhere, .configUnknownKey,
    .configDuplicate, .configMissing, .configRequires, .configNotSettable, .configEmpty, .configTooLong,
    .configControlCharacters, .configSlash, .configLevels, .configDollar, .configWildcard, .configNUL, .configFolder,
    .configNoFile, .configForbidden, .configNotAFile, .configUnreadable, .configManyEntries, .configManyParameters,
    .configParameterName, .configExceedsCapacity, .configFullPress, .configBelowCapacity, .configAboveCapacity,
    .configNotBelowCapacity, .configIsConfiguration, .configIsFileOf, .configIsPortOf, .configUnknownAction,
    .configBuiltInAction, .configActionTaken, .configContainerTaken, .configButtonTaken, .configDefaultZoneOverlaps,
    .configZoneOverlaps, .configWholePad, .configControlName, .configManyControls, .configNoDevice, .configNoAxis,
    .configAxisRepeated, .configContactAxis, .configPlateFixed, .configNoAxes, .configNoBrokers, .configBrokerTaken,
    .configURLPassword, .configURLWebSocket, .configURLScheme, .configURLStart, .configURLPath, .configURLHost,
    .configURLPort, .configNoKeyForNewline, .configNoKeyFor, .configManyFields, .configFieldUnclosed,
    .configFieldUnopened, .configUnknownField, .configFieldComma, .configHostName, .configURLExpected,
    .pointsExpected, .configFound, .configExpected, .parameterExcludes, .parameterMissing,
    .pointsTooFew, .pointsNone, .pointsTooMany, .pointsRepeated, .pointsNotRising, .curveInvalidPoint, .curveRepeated,
    .curveNotRising, .curvePolynomial, .curvePowerLaw,
  ]

  /// The texts that surround a whole sentence of `reported` with its subject.
  package static let reportedAround: [TextKey] = [.configSuggestion, .curveFormula]

  /// The texts that are only values of `reported`, those that fit most texts last.
  package static let reportedValues: [TextKey] = [
    .shapeLinear, .shapeMonotone, .shapePolynomial, .shapePower, .curveErrors,
    .foundList, .foundMapping, .foundNothing, .foundNumber, .foundString,
    .acceptsAction, .acceptsActionType, .acceptsAddress, .acceptsAxis, .acceptsAxisChoice, .acceptsBrokers,
    .acceptsChannel, .acceptsControls, .acceptsDivision, .acceptsEndpoint, .acceptsGramsAboveZero,
    .acceptsGramsFromZero, .acceptsGrams, .acceptsHostName, .acceptsIdentity, .acceptsInteger, .acceptsKey,
    .acceptsKeys, .acceptsLine, .acceptsList, .acceptsZones, .acceptsParameters, .acceptsMapping, .acceptsMassOfNone,
    .acceptsMassName, .acceptsMass, .acceptsNumber, .acceptsNumberAbove, .acceptsPath, .acceptsString, .acceptsArea,
    .acceptsButton, .acceptsContainer, .acceptsPlacement, .acceptsPoint, .acceptsQuickAction, .acceptsSample,
    .acceptsSeries, .acceptsStep, .acceptsDeviceOrConverter, .acceptsDevice, .acceptsExtent, .acceptsOneOf,
  ]
}
