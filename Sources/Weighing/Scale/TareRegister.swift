/// The tare and the pad it belongs to, the count of tare and zero changes, and which of this is stored already.
struct TareRegister: Sendable {
  /// The tare, unrounded.
  private(set) var tare = Grams.zero
  /// The container whose tare this is; `nil` for another tare.
  private(set) var container: ContainerName?
  /// The number of tare and zero changes.
  private(set) var epoch = 0
  /// The highest epoch that an earlier run may have published; the next change goes above it.
  private var highestEarlierEpoch = 0
  /// The identity of the pad to which tare and plate belong; `nil` before the first pad.
  private(set) var pad: String?
  /// See `ScaleMemory.calibratedZeroDate`.
  private var calibratedZeroDate: String? = ""
  /// Whether the tare is cleared if the pad turns out to be empty.
  private var clearsOnEmptyPad = false
  /// The state that was stored last.
  private var stored = ScaleMemory()

  // MARK: Changes

  /// Sets the tare; zero when the scale is zeroed.
  mutating func set(_ tare: Grams, container: ContainerName? = nil) {
    self.tare = tare
    self.container = container
    countChange()
  }

  /// Counts a change of tare or zero: no epoch is published twice with different meanings, not even after a crash.
  mutating func countChange() { epoch = max(epoch, highestEarlierEpoch) + 1 }

  /// Removes the tare before zero is set, without counting a change of its own.
  mutating func clearBeforeZero() {
    tare = .zero
    container = nil
  }

  // MARK: Pad

  /// Assigns tare and plate to a pad; returns whether they belonged to another one and have to be dropped.
  mutating func assign(to pad: String) -> Bool {
    let isOther = self.pad != nil && self.pad != pad
    self.pad = pad
    return isOther
  }

  /// Notes the calibrated zero of the pad; returns whether it was measured after the one that the plate may have followed.
  mutating func note(_ zero: CalibratedZero?) -> Bool {
    let (former, date) = (calibratedZeroDate, zero?.date ?? "")
    calibratedZeroDate = date
    return former.map { date > $0 } ?? false
  }

  /// Decides after the assignment to a pad whether an empty pad clears the tare.
  mutating func setClearsOnEmptyPad(_ clearsOnRelease: Bool) { clearsOnEmptyPad = tare != .zero && clearsOnRelease }

  /// Whether the tare has to be cleared: the first reading of a pad shows that it is empty.
  mutating func needsClearing(isEmpty: Bool, hasPad: Bool) -> Bool {
    guard clearsOnEmptyPad, hasPad else { return false }
    clearsOnEmptyPad = false
    return isEmpty && tare != .zero
  }

  // MARK: Storage

  /// Restores the state of an earlier run; the epoch never decreases. Returns `false` if this run has set tare or zero
  /// already, which then remain.
  mutating func restore(_ memory: ScaleMemory) -> Bool {
    highestEarlierEpoch = memory.highestEpoch
    guard epoch == 0 else {
      epoch += memory.highestEpoch
      return false
    }
    epoch = memory.tareEpoch
    stored = memory
    tare = memory.tare
    container = memory.container
    calibratedZeroDate = memory.calibratedZeroDate
    pad = memory.pad
    return true
  }

  /// The state to store, if it has changed; `nil` otherwise.
  ///
  /// Called for every frame: zero tracking moves the plate continuously, and only a move by more than a quarter of a
  /// division is stored.
  mutating func stateToStore(plateCounts counts: Double?, pad: ConnectedPad?, division: Division) -> ScaleMemory? {
    guard
      epoch != stored.tareEpoch || tare != stored.tare || calibratedZeroDate != stored.calibratedZeroDate && pad != nil
        || isFarFromStored(counts, pad, division)
    else { return nil }
    stored = ScaleMemory(
      tare: tare, tareEpoch: epoch, highestEpoch: highestEarlierEpoch, plateCounts: counts,
      calibratedZeroDate: calibratedZeroDate, pad: self.pad ?? "", container: container)
    return stored
  }

  private func isFarFromStored(_ counts: Double?, _ pad: ConnectedPad?, _ division: Division) -> Bool {
    guard let counts, let storedCounts = stored.plateCounts else { return counts != stored.plateCounts }
    guard counts != storedCounts, let pad else { return false }
    let slope = pad.calibration.slope(at: RawForce(Int(counts)))
    return (counts - storedCounts).magnitude > (slope > 0 ? division.step.value / 4 / slope : 0)
  }
}
