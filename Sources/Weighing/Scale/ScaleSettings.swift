/// What the scale is told by the configuration; all of it valid.
public struct ScaleSettings: Hashable, Sendable {
  /// What lies on the pad.
  public enum Surface: String, Hashable, Sendable, CaseIterable {
    /// Loads lie on the pad itself.
    case contacts
    /// A plate always touches the pad; its load is learned and taken off.
    case platter
  }

  /// What becomes of the tare when the load is lifted.
  public enum TareOnRelease: String, Hashable, Sendable, CaseIterable {
    /// It stands for the next load.
    case keep
    /// It is dropped.
    case clear
  }

  /// At or past this gross the scale is in overload.
  public var capacity = Grams(385)
  /// The step that is displayed.
  public var division = Division.gram
  /// The least magnitude of a net that can be committed; also the zero band around a learned plate.
  public var minimum = Grams(2)
  /// What becomes of the tare when the load is lifted.
  public var tareOnRelease = TareOnRelease.keep
  /// Whether the zero of an empty plate follows slow drift.
  public var tracksZero = true
  /// What lies on the pad.
  public var surface = Surface.contacts
  /// Where touches are presses; without effect on a pad without positions and under a plate.
  public var zones = Zones.standard
  /// Which axis carries the load.
  public var axis = AxisChoice.automatic
  /// The user's calibration, `nil` to take what the driver states or the nominal response.
  public var curve: CalibrationCurve?
  /// The pad that it was made on, where that is known; a pad that counts in another unit is not weighed by it.
  public var curvePad: CalibratedPad?
  /// The most that a load at rest may move ...
  public var motion = Grams(1)
  /// ... in this time.
  public var stableTime = Interval.milliseconds(300)
  /// How long an action waits for the load to come to rest.
  public var settleTime = Interval.milliseconds(2000)
  /// How a press confirms.
  public var confirm = ConfirmSettings()
  /// The quick actions of the configuration.
  public var quickActions: [QuickAction] = []
  /// The least time between two live readings.
  public var liveInterval = Interval.milliseconds(100)
  /// The longest time between two live readings.
  public var heartbeat = Interval.milliseconds(5000)
  /// Whether every frame's contacts are published.
  public var publishesContacts = false

  /// The defaults of the configuration.
  public init() {}
}

/// What confirming by force is told by the configuration; all of it valid.
public struct ConfirmSettings: Hashable, Sendable {
  /// The force that fills the ring.
  public var full = Grams(173)
  /// The intention above which a press is `selected`, 0...1.
  public var threshold = 0.97
  /// How far up a finger slides to confirm, as a fraction of the pad's height.
  public var slide = 0.25
  /// How long added force lasts to confirm.
  public var dwell = Interval.milliseconds(400)
  /// The time in which a second press of added force makes the two a tare.
  public var double = Interval.milliseconds(800)
  /// How long a key is held to fill the ring.
  public var hold = Interval.milliseconds(2000)
  /// A press in a zone that lasts longer is cancelled.
  public var timeout = Interval.milliseconds(10_000)

  /// The defaults of the configuration.
  public init() {}
}
