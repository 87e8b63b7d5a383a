/// The validated settings of the scale from the configuration.
public struct ScaleSettings: Hashable, Sendable {
  /// The surface on which loads are placed.
  public enum Surface: String, Hashable, Sendable, CaseIterable {
    /// Loads are placed on the pad itself.
    case contacts
    /// A plate always touches the pad; its load is learned and subtracted.
    case platter
  }

  /// What happens to the tare when the load is lifted.
  public enum TareOnRelease: String, Hashable, Sendable, CaseIterable {
    /// The tare remains for the next load.
    case keep
    /// The tare is cleared.
    case clear
  }

  /// The scale is in overload at or above this gross.
  public var capacity = Grams(385)
  /// The displayed division.
  public var division = Division.gram
  /// The unit of the display.
  public var unit = MassUnit.gram
  /// The least magnitude of a net that can be committed, and of a gross that settles in the normal time.
  public var minimum = Grams(2)
  /// What happens to the tare when the load is lifted.
  public var tareOnRelease = TareOnRelease.keep
  /// Whether the zero of an empty plate follows slow drift (zero tracking).
  public var tracksZero = true
  /// The surface on which loads are placed.
  public var surface = Surface.contacts
  /// The zones for presses; without effect on a pad without positions and under a plate.
  public var zones = Zones.standard
  /// The axis that measures the load.
  public var axis = AxisChoice.automatic
  /// The calibration by the user; if `nil`, the resolution reported by the driver or the nominal response applies.
  public var curve: CalibrationCurve?
  /// The pad that was calibrated, if known; the calibration is not used on a pad with a different unit.
  public var curvePad: CalibratedPad?
  /// The empty platter as the calibration has measured it; `nil` for points that say nothing about it.
  public var curveZero: CalibratedZero?
  /// How far a load at rest may move ...
  public var motion = Grams(1)
  /// ... within this time.
  public var stableTime = Interval.milliseconds(300)
  /// How long a request waits for the load to come to rest.
  public var settleTime = Interval.milliseconds(2000)
  /// The settings for presses.
  public var confirm = ConfirmSettings()
  /// The quick actions of the configuration.
  public var quickActions: [QuickAction] = []
  /// The number of weighings that the zone `history` reaches.
  public var historyDepth = 10
  /// The containers of the configuration.
  public var containers: [Container] = []
  /// Whether a known container that is put on the empty pad is tared.
  public var recognisesContainers = false
  /// Whether each load is recorded once when it comes to rest.
  public var commitsAutomatically = false
  /// Whether the first pour after a tare starts the timer, and its end stops it.
  public var timesPours = false
  /// The minimum time between two live readings.
  public var liveInterval = Interval.milliseconds(100)
  /// The maximum time between two live readings.
  public var heartbeat = Interval.milliseconds(5000)
  /// Whether the contacts of every frame are published.
  public var publishesContacts = false

  /// Whether something is to be done with each load that is put on the empty pad.
  var handlesLoads: Bool { recognisesContainers || commitsAutomatically }

  /// Whether a press means something else than with earlier settings.
  func changesPresses(since old: ScaleSettings) -> Bool {
    confirm != old.confirm || zones != old.zones || curve != old.curve || capacity != old.capacity
      || motion != old.motion
  }

  /// Makes the default settings.
  public init() {}
}

/// The validated settings for confirming by force from the configuration.
public struct ConfirmSettings: Hashable, Sendable {
  /// The force that fills the ring.
  public var full = Grams(173)
  /// The intention above which a press is `selected`, 0...1.
  public var threshold = 0.97
  /// How far a finger slides upwards to confirm, as a fraction of the pad's height.
  public var slide = 0.25
  /// How long force is added to confirm.
  public var dwell = Interval.milliseconds(400)
  /// The time within which a second press of added force turns both into a tare.
  public var double = Interval.milliseconds(800)
  /// How long a key is held to fill the ring.
  public var hold = Interval.milliseconds(2000)
  /// The maximum duration of a press in a zone; a longer one is cancelled.
  public var timeout = Interval.milliseconds(10_000)

  /// Makes the default settings.
  public init() {}
}
