/// A weighing that was recalled in the zone `history`.
///
/// For some time a void or a relabel without an id refers to it if it comes from where the weighing was recalled: the
/// pad or a button. Other sources do not see what was recalled and always mean the last weighing.
struct RecalledWeighing: Sendable {
  private let id: WeighingID
  private let end: Instant

  /// Starts the time.
  init(id: WeighingID, at time: Instant) {
    self.id = id
    end = time + Self.duration
  }

  /// The weighing that a void or a relabel refers to.
  ///
  /// - Parameter time: When the press began: what the user wants to void is decided then, as with a latched load.
  func reference(of request: ActionRequest, at time: Instant) -> WeighingReference {
    guard request.reference == .last, time <= end else { return request.reference }
    return switch request.source {
    case .pad, .button: .id(id)
    case .mqtt, .commandLine, .dashboard, .start, .auto, .sics: .last
    }
  }

  /// Source: the requirements.
  private static let duration = Interval.seconds(10)
}
