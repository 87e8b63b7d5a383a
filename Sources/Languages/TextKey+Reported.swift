extension TextKey {
  /// The sentences that the service reports in English, over MQTT and HTTP: why the pad, the broker or the journal is not available,
  /// what to do about a rejection, and what happens to a calibration.
  ///
  /// Those that begin with a value are last, since they fit most texts.
  package static let reported: [TextKey] = [
    // The pad.
    .padUnpluggedInPage, .padReconfigured, .padOutranked, .padNone, .choiceNone, .deviceNotFound, .deviceForbidden,
    .deviceNotEvdev, .deviceCannotWeigh, .deviceGrabbed, .deviceLost, .padNoAxis, .padNoSuchAxisAtAll, .padNoSuchAxis,
    .padNoSlots, .padPen, .padFingerWidth, .iioRemoved, .iioForbidden, .iioBusy, .iioSilent, .iioMalformed, .iioChanged,
    .converterNoVoltage, .converterUnknown, .choiceNoneWeighs,
    // The broker.
    .linkUnknownHost, .linkUnreachable, .linkNoAnswer, .linkCredentials, .linkVersion, .linkRefused, .linkUntrusted,
    .linkOutOfDate, .linkWrongName, .linkUnusableFile, .linkTLS, .linkClosedEarly, .linkClosedRepeatedly, .linkClosed,
    .linkEnded, .linkTakenOver, .linkSilent, .linkUnacknowledged, .linkNotMQTT, .linkBroken, .linkUnusableSettings,
    // The journal.
    .journalNotFound, .journalForbidden, .journalNotCreated, .journalFull, .journalReadOnly, .journalCorruptKept,
    .journalCorrupt, .journalBusy, .journalReplaced, .journalForeign, .journalNewer, .journalInUse, .journalMark,
    .journalOther,
    // Rejections.
    .detailSampleTooSmall, .detailPieceTooLight, .detailSpreadTooLarge, .detailPadNotCalibrated,
    .detailContainerIsConfigured, .detailTooManyContainers,
    // A calibration in the page.
    .endClosed, .endAbandoned, .endPadLost, .endReloaded, .noteMeasured, .calibrationCheck, .noteAboveRange,
    .noteUnstable, .noteUnchanged, .noteNoChange, .noteNoRest, .noteTooHeavy, .noteGap, .noteStopped,
    .faultUnstable, .faultDriftEmpty, .faultDrift, .faultSame, .faultNotEmpty, .faultScattered, .faultNotRising,
    .faultNarrow, .curveInvalidPoint, .curvePolynomial, .curvePowerLaw,
    // Those that begin with a value.
    .faultPastRange, .faultMistyped,
    .padEmptyRange, .choiceNotFound, .deviceFailed,
  ]
}
