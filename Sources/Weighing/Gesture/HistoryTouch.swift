/// A finger in the zone `history`, from touch-down to lift: it scrubs through the recorded weighings.
///
/// ```
///   ┌──────────┐  pressed for 0.2 s, and 0.25 or more  ┌──────────┐  slid up   ┌───────────┐
///   │ updating │ ────────────────────────────────────► │ selected │ ─────────► │ confirmed │
///   └──────────┘ ◄──────────────────────────────────── └──────────┘            └───────────┘
///        │                 under 0.25                        │                        │
///        │ lifts, cancelled                 lifts, cancelled │                        │
///        └──────────────► idle: nothing happens ◄────────────┴────────────────────────┘
/// ```
///
/// In `selected` a weighing is previewed. The slide pops it, once for each touch, and `confirmed` remains until the
/// finger is lifted. A shorter or softer touch is a tap.
///
/// The weighings are those of touch-down: a record that is made meanwhile does not move the others. There is no timeout,
/// because a preview does nothing; a person may read it for as long as the finger rests.
struct HistoryTouch: Sendable {
  /// The contact.
  let serial: UInt64
  /// The time of touch-down.
  let since: Instant
  /// The weighings at touch-down, newest first.
  private let weighings: [RecordedWeighing]
  /// The number of weighings between an intention of 0.25 and one of 0.75.
  private let depth: Int
  private var slide: UpwardSlide
  /// Whether it is too short to be more than a tap.
  private var isTap = true
  /// The force as a fraction of the full one, 0...1.
  private(set) var intention = 0.0
  /// The index of the previewed weighing; `nil` without a preview.
  private(set) var index: Int?
  /// Whether the weighing at `index` was popped.
  private(set) var isPopped = false

  /// Starts with a contact.
  init(serial: UInt64, height: Double?, weighings: [RecordedWeighing], depth: Int, at time: Instant) {
    self.serial = serial
    since = time
    self.weighings = weighings
    self.depth = depth
    slide = UpwardSlide(from: height)
  }

  /// The previewed weighing.
  var preview: RecordedWeighing? { index.map { weighings[$0] } }

  /// The state for the report.
  var state: GestureReport.State { isPopped ? .confirmed : index == nil ? .updating : .selected }

  /// When the touch is no tap any more; `nil` once this was evaluated.
  var nextDeadline: Instant? { isTap ? since + Self.shortest : nil }

  /// Evaluates the force and the height in a frame; returns whether the previewed weighing has just been popped.
  mutating func move(intention: Double, height: Double?, slide distance: Double, at time: Instant) -> Bool {
    self.intention = min(max(intention, 0), 1)
    slide.move(to: height)
    return evaluate(slide: distance, at: time)
  }

  /// Evaluates the time that has passed; returns whether the previewed weighing has just been popped.
  mutating func evaluate(slide distance: Double, at time: Instant) -> Bool {
    if time - since >= Self.shortest { isTap = false }
    guard !isTap, !isPopped else { return false }
    index = previewedIndex
    isPopped = index != nil && slide.hasReached(distance)
    return isPopped
  }

  /// The index for the present force. Falling force returns to a newer weighing a quarter of a step late, so that the
  /// preview does not flicker between two.
  private var previewedIndex: Int? {
    guard intention >= Press.minimumPreviewed, !weighings.isEmpty else { return nil }
    let steps = (intention - Press.minimumPreviewed) / Self.range * Double(depth - 1) + UpwardSlide.rounding
    let last = min(weighings.count, depth) - 1
    let rising = min(Int(steps), last)
    guard let index, rising < index else { return rising }
    return max(rising, min(Int(steps + Self.hysteresis), last, index))
  }

  /// A shorter touch is a tap. Source: the requirements.
  private static let shortest = Interval.milliseconds(200)
  /// The intention from the newest weighing to the oldest. Source: the requirements.
  private static let range = 0.5
  /// How late falling force returns to a newer weighing, in steps from one weighing to the next. Chosen.
  private static let hysteresis = 0.25
}
