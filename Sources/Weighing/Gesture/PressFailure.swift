/// Why a press that was shown as `confirmed` does not fire: the reason for programs and the sentence for people.
///
/// The reasons are those of any other rejection: `expired` for a press that was held for too long, those of the load and
/// the pad, and `unstable` for a press without a clear end.
struct PressFailure: Hashable, Sendable {
  /// The reason.
  let reason: Rejection
  /// What happened.
  let detail: RejectionDetail

  private init(_ reason: Rejection, _ detail: RejectionDetail) {
    self.reason = reason
    self.detail = detail
  }

  /// The force was as constant for this time as the weight of an object.
  static func tooSteady(for time: Interval) -> PressFailure { PressFailure(.expired, .forceTooSteady(for: time)) }
  /// The press was not released within this time.
  static func tooLong(_ time: Interval) -> PressFailure { PressFailure(.expired, .pressTooLong(time)) }
  /// A second finger, a key or another press.
  static let interrupted = PressFailure(.unstable, .pressInterrupted)
  /// A third press right after two.
  static let thirdPress = PressFailure(.unstable, .thirdPress)
  /// The settings or the pad have changed.
  static let reconfigured = PressFailure(.unstable, .pressReconfigured)
  /// The request of a client that the press was begun for has ended.
  static let requestOver = PressFailure(.expired, .pairingOver)
  /// Only one of two presses was a full one.
  static let unequalPresses = PressFailure(.unstable, .unequalPresses)
  /// The finger was lifted too soon, or while it moved.
  static let notHeldStill = PressFailure(.unstable, .pressNotHeldStill)
  /// The finger left the zone sideways.
  static let leftZone = PressFailure(.unstable, .pressLeftZone)
  /// Events were lost.
  static let eventsLost = PressFailure(.unstable, .eventsLost)
  /// The force did not return to that of the load before the press.
  static let loadChanged = PressFailure(.unstable, .loadChanged)
  /// The load was lifted with the finger.
  static let empty = PressFailure(.empty, .nothingOnPad)
  /// A load cell at the end of its range.
  static func overload(capacity: Grams) -> PressFailure { PressFailure(.overload, .overload(capacity: capacity)) }
  /// The pad was disconnected.
  static let noPad = PressFailure(.padMissing, .noPad)
  /// The samples of the pad no longer come from its sensor.
  static let noSignal = PressFailure(.padMissing, .noSignal)
}
