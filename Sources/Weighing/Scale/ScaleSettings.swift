/// The settings of the scale, checked. The sections of the configuration that only the scale uses are values in it.
public struct ScaleSettings: Hashable, Sendable {
  /// The properties of the scale.
  public var scale = Scale()
  /// When a reading is stable.
  public var stability = Stability()
  /// Confirming by force.
  public var confirm = Confirm()
  /// What is published of the readings.
  public var publish = Publish()
  /// The timer.
  public var timer = Timer()
  /// Stopping ahead of targets.
  public var target = Stopping()
  /// The outputs that doses switch.
  public var outputs: [Output] = []
  /// Scrubbing through the recorded weighings.
  public var history = History()
  /// Barcodes and RFID tags.
  public var scanning = Scanning()
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
  /// The list of known pads.
  public var knownPads: [KnownPad] = []
  /// Whether to warn of a pad that measures the area of a contact: not if the user has selected this very pad.
  public var warnsOfContactArea = false
  /// The quick actions of the configuration.
  public var quickActions: [QuickAction] = []
  /// The containers of the configuration.
  public var containers: [Container] = []
  /// Whether a known container that is put on the empty pad is tared.
  public var recognisesContainers = false

  /// Whether something is to be done with each load that is put on the empty pad.
  var handlesLoads: Bool { recognisesContainers || scale.commitsAutomatically }

  /// Whether a press means something else than with earlier settings.
  func changesPresses(since old: ScaleSettings) -> Bool {
    var confirm = confirm
    confirm.settle = old.confirm.settle
    return confirm != old.confirm || zones != old.zones || curve != old.curve || scale.capacity != old.scale.capacity
      || stability.motion != old.stability.motion
  }

  /// Makes the default settings.
  public init() {}
}

extension ScaleSettings {
  /// The properties of the scale (`scale`).
  public struct Scale: Hashable, Sendable {
    /// The scale is in overload at or above this gross.
    public var capacity = Grams(385)
    /// The displayed division, at most the capacity.
    public var division = Division.gram
    /// The least magnitude of a net that can be committed, and of a gross that settles in the normal time; 0 or more, below the
    /// capacity.
    public var minimum = Grams(2)
    /// What happens to the tare when the load is lifted.
    public var tareOnRelease = TareOnRelease.keep
    /// Whether the zero of an empty plate follows slow drift (zero tracking).
    public var tracksZero = true
    /// Whether each load is recorded once when it comes to rest.
    public var commitsAutomatically = false
    /// The unit of the display.
    public var unit = MassUnit.gram

    /// The display.
    package var display: DisplayUnit { DisplayUnit(unit, division: division) }

    /// Makes the default settings.
    public init() {}
  }

  /// What happens to the tare when the load is lifted (`scale.tare_on_release`).
  public enum TareOnRelease: String, Hashable, Sendable, CaseIterable {
    /// The tare remains for the next load.
    case keep
    /// The tare is cleared.
    case clear
  }

  /// The surface on which loads are placed (`pad.surface`).
  public enum Surface: String, Hashable, Sendable, CaseIterable {
    /// Loads are placed on the pad itself.
    case contacts
    /// A plate always touches the pad; its load is learned and subtracted.
    case platter
  }

  /// When a reading is stable (`stability`).
  public struct Stability: Hashable, Sendable {
    /// How far a load at rest may move ...
    public var motion = Grams(1)
    /// ... within this time.
    public var time = Interval.milliseconds(300)

    /// Makes the default settings.
    public init() {}
  }

  /// Confirming by force (`confirm`).
  public struct Confirm: Hashable, Sendable {
    /// The force that fills the ring.
    public var full = Grams(173)
    /// The intention above which a press is `selected`, 0...1.
    public var threshold = 0.97
    /// How far a finger slides upwards to confirm, as a fraction of the pad's height.
    public var slide = 0.25
    /// How long force is added to confirm on a pad without positions.
    public var dwell = Interval.milliseconds(400)
    /// The time within which a second press of added force turns both into a tare.
    public var double = Interval.milliseconds(800)
    /// How long a key without force is held to fill the ring.
    public var hold = Interval.milliseconds(2000)
    /// The maximum duration of a press in a zone; a longer one is cancelled.
    public var timeout = Interval.milliseconds(10_000)
    /// How long a request waits for the load to come to rest before it is rejected.
    public var settle = Interval.milliseconds(2000)

    /// Makes the default settings.
    public init() {}
  }

  /// What is published of the readings (`publish`).
  public struct Publish: Hashable, Sendable {
    /// The maximum rate of live readings.
    public var liveMaximum = SampleRate(10)
    /// The maximum time between two live readings.
    public var heartbeat = Interval.milliseconds(5000)
    /// Whether the contacts of every frame are published.
    public var contacts = false

    /// The minimum time between two live readings.
    public var liveInterval: Interval { liveMaximum.period }

    /// Makes the default settings.
    public init() {}
  }

  /// The timer (`timer`).
  public struct Timer: Hashable, Sendable {
    /// Whether the first pour after a tare starts it, and the end of the last pour of the brew stops it.
    public var timesPours = false
    /// How long after a pour another one continues the brew; zero for a brew of one pour.
    public var pause = Interval.milliseconds(60_000)

    /// Makes the default settings.
    public init() {}
  }

  /// Stopping ahead of targets (`target`).
  public struct Stopping: Hashable, Sendable {
    /// Whether a target is stopped ahead unless its request says otherwise.
    public var stopsAhead = false
    /// The time from a stop to the last mass that arrives, until it is learned.
    public var deadTime = Interval.milliseconds(300)

    /// Makes the default settings.
    public init() {}
  }

  /// Scrubbing through the recorded weighings (`history`).
  public struct History: Hashable, Sendable {
    /// The number of weighings that the zone `history` reaches.
    public var depth = 10

    /// Makes the default settings.
    public init() {}
  }

  /// Barcodes and RFID tags (`codes`, `scan_hold_s`, `scan_commit`).
  public struct Scanning: Hashable, Sendable {
    /// What codes stand for; another code is a label.
    public var codes: [CodeMeaning] = []
    /// How long a label waits for a weighing.
    public var hold = Interval.milliseconds(60_000)
    /// Whether a code records a load at rest at once.
    public var commits = false

    /// Makes the default settings.
    public init() {}
  }
}
