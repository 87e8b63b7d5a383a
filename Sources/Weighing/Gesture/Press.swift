/// A press in progress.
struct Press: Sendable {
  /// How a press is made.
  enum Method: Sendable {
    /// A finger in the zone of an action.
    case zone(ZonePress)
    /// A finger in the zone `history`.
    case history(HistoryTouch)
    /// A finger on a control.
    case control(ControlTouch)
    /// Force added to a load at rest.
    case added(AddedForce)
    /// A key or button that is held since a moment, and when this was last evaluated.
    case held(button: Int, since: Instant, at: Instant)
  }

  /// How a press is made.
  var method: Method
  /// When the press began.
  let since: Instant
  /// The name of the action that the press fires.
  var action: String
  /// The request to act that the press was begun for; it grants that and does nothing else.
  let pairing: UInt64?
  /// The state of the press.
  var gesture = ForceConfirmation()
  /// The load at rest before the press; `nil` while no load has come to rest.
  var latch: Latch?
  /// Whether it is shown; added force is not while it may be a single wrong sample.
  var isShown = true

  /// The source of the request if the press fires.
  var source: ActionSource {
    switch method {
    case .zone, .added, .history, .control: .pad
    case .held: .button
    }
  }

  /// The contact of a finger in a zone.
  var serial: UInt64? {
    switch method {
    case .zone(let press): press.serial
    case .history(let touch): touch.serial
    case .control(let touch): touch.serial
    case .added, .held: nil
    }
  }

  /// The state for the report; a control has a report of its own.
  var state: GestureReport.State {
    switch method {
    case .history(let touch): return touch.state
    case .control: return .idle
    case .added where !isShown: return .idle
    case .zone, .added, .held: break
    }
    return switch gesture.state {
    case .idle: .idle
    case .updating: .updating
    case .selected: .selected
    case .confirmed: .confirmed
    }
  }

  /// How far the ring is filled, 0...1.
  var intention: Double {
    switch method {
    case .history(let touch): touch.intention
    case .control: 0
    case .added where !isShown: 0
    case .zone, .added, .held: gesture.intention
    }
  }

  /// What the press refers to, from an intention of 0.25: the reading that would be committed, or the weighing that the
  /// slide recalls.
  var preview: GestureReport.Preview? {
    switch method {
    case .history(let touch): touch.preview.map(GestureReport.Preview.weighing)
    case .control: nil
    case .zone, .added, .held:
      pairing == nil && intention >= Self.minimumPreviewed ? (latch?.reading).map(GestureReport.Preview.reading) : nil
    }
  }

  /// The index of the previewed weighing.
  var previewedIndex: Int? { if case .history(let touch) = method { touch.index } else { nil } }

  /// What the pad signals.
  var feedback: Feedback {
    if case .control(let touch) = method { return touch.isFull ? .selected : .ended }
    return switch state {
    case .idle, .updating, .unavailable: .ended
    case .selected: .selected
    case .confirmed: .confirmed
    }
  }

  /// The least intention at which a report contains the reading that would be committed.
  static let minimumPreviewed = 0.25
}

/// A load at rest, kept during a press: the action applies to the load as it was before the press.
struct Latch: Sendable {
  /// The reading.
  var reading: Reading
  /// Its gross, unrounded.
  var gross: Grams

  /// One standard uncertainty of the gross without that of the calibration, which is the same for every load at this
  /// mass.
  var deviation: Grams

  /// How far the load may be from the latch when the action fires: the larger of two divisions and three standard
  /// uncertainties.
  var tolerance: Grams { Grams(max(2 * reading.gross.division.step.value, 3 * deviation.value)) }

  /// Whether a load is the one that was latched.
  func holds(for gross: Grams) -> Bool { (gross - self.gross).magnitude <= tolerance }
}
