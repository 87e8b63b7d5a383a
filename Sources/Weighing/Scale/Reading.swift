/// The reading of the scale at a moment.
public struct Reading: Hashable, Sendable {
  /// The state of the scale.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Nothing is on the pad.
    case empty
    /// There is a load whose weight is not certain yet.
    case settling
    /// The load is at rest.
    case stable
    /// The load exceeds the capacity or the range of the axis.
    case overload
    /// A finger presses in a zone, without effect on the load, or adds force to the load, whose weight is unknown then.
    case pressing
    /// No pad is connected, or its counts cannot be weighed.
    case offline
  }

  /// The time of the reading.
  public var time: Instant
  /// The state of the scale.
  public var state: State
  /// The sum of net and tare; the capacity in overload.
  public var gross: DisplayedMass
  /// The tare, which is subtracted from the gross.
  public var tare: DisplayedMass
  /// The net; `nil` in overload and without a pad.
  public var net: DisplayedMass?
  /// The net, unrounded; `nil` with `net`.
  public var highResolution: Grams?
  /// One standard uncertainty of a settled net: noise, division and calibration; `nil` while nothing has settled.
  public var uncertainty: Grams?
  /// Whether the load is at rest.
  public var isStable: Bool
  /// Whether the gross is within half a division of zero.
  public var isInsideZero: Bool
  /// Whether the load exceeds the capacity or the range of the axis.
  public var isOverloaded: Bool
  /// Whether the gross is below zero by more than the minimum, as when a plate was removed.
  public var isUnderloaded: Bool
  /// The value of the axis, summed over the contacts that are loads.
  public var raw: RawForce
  /// `raw` as a fraction of one axis' range, 0...1.
  public var force: Double
  /// The origin of the calibration; `nil` without a pad.
  public var calibration: Calibration.Origin?
  /// The number of tare and zero changes.
  public var tareEpoch: Int
  /// The capacity, for `printable`.
  public var capacity: Grams
  /// The unit of `printable`.
  public var unit = MassUnit.gram
  /// How fast the load grows, in grams per second; `nil` while this is unknown.
  public var flow: Double?
  /// The time on the timer; `nil` while it is not in use.
  public var timer: Interval?
  /// The number of pours of the brew; `nil` while the timer has followed none.
  public var pours: Int?
  /// Target, pieces and container, while any of them is in use.
  public var instruments: InstrumentReading?

  /// The text of a display: `73 g`, `385+ g`, `0 g`, `2.55 oz`; without a pad `-- g`.
  public var printable: String {
    var bytes: [UInt8] = []
    bytes.append(upTo: Self.longestPrintable) { putPrintable(into: &$0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The most bytes that `putPrintable` writes.
  package static let longestPrintable = 40

  /// Writes `printable` in ASCII.
  package func putPrintable(into text: inout ASCIIWriter) {
    if unit != .gram { return putConverted(into: &text) }
    if isOverloaded {
      text.put(capacity.value, decimals: capacityDecimals)
      text.put("+ g")
    } else if let net {
      text.put(net.mass.value, decimals: net.division.decimals)
      text.put(" g")
    } else {
      text.put("-- g")
    }
  }

  /// Writes `printable` in another unit than grams. The net is converted after it was rounded to the division, so that
  /// its last digit does not flicker either.
  private func putConverted(into text: inout ASCIIWriter) {
    let display = DisplayUnit(unit, division: tare.division)
    if let mass = isOverloaded ? capacity : net?.mass {
      return display.put(mass, isExceeded: isOverloaded, into: &text)
    }
    text.put("-- ")
    text.put(text: unit.rawValue)
  }

  /// The number of decimals of the capacity, at most three.
  private var capacityDecimals: Int {
    var scaled = capacity.value
    for decimals in 0..<3 {
      if scaled.rounded() == scaled { return decimals }
      scaled = capacity.value * (decimals == 0 ? 10 : decimals == 1 ? 100 : 1000)
    }
    return 3
  }
}

extension Reading {
  /// Makes the reading of a scale without a pad, or with one whose counts cannot be weighed.
  init(
    offlineAt time: Instant, raw: RawForce = .zero, on pad: ConnectedPad? = nil, tare: DisplayedMass, tareEpoch: Int,
    capacity: Grams, unit: MassUnit = .gram
  ) {
    self.init(
      time: time, state: .offline, gross: DisplayedMass(steps: 0, division: tare.division), tare: tare, net: nil,
      highResolution: nil, uncertainty: nil, isStable: false, isInsideZero: false, isOverloaded: false,
      isUnderloaded: false, raw: raw, force: pad?.axis.force(of: raw) ?? 0, calibration: pad?.calibration.origin,
      tareEpoch: tareEpoch, capacity: capacity, unit: unit)
  }

  /// Makes the reading of an empty scale.
  init(
    emptyAt time: Instant, raw: RawForce, force: Double, calibration: Calibration.Origin, tare: DisplayedMass,
    tareEpoch: Int, capacity: Grams, unit: MassUnit = .gram
  ) {
    let zero = DisplayedMass(steps: 0, division: tare.division)
    self.init(
      time: time, state: .empty, gross: zero, tare: tare, net: zero, highResolution: .zero, uncertainty: nil,
      isStable: false, isInsideZero: true, isOverloaded: false, isUnderloaded: false, raw: raw, force: force,
      calibration: calibration, tareEpoch: tareEpoch, capacity: capacity, unit: unit, flow: 0)
  }

  /// Turns an empty reading into an overload.
  mutating func setOverload() {
    state = .overload
    isOverloaded = true
    isInsideZero = false
    gross = DisplayedMass(steps: gross.division.steps(nearest: capacity), division: gross.division)
    net = nil
    highResolution = nil
    flow = nil
  }
}

extension Reading: Invariants {
  var invariants: KeyValuePairs<String, Bool> {
    [
      "a stable reading is at rest": state != .stable || isStable,
      "only a load that is or was stable is at rest": !isStable || state == .stable || state == .pressing,
      "overload is a state": isOverloaded == (state == .overload),
      "a net is known unless in overload or offline": (net == nil) == (state == .overload || state == .offline),
      "each net is known in full": (net == nil) == (highResolution == nil),
      "gross is net and tare, unless nothing is there":
        net.map { $0.steps + tare.steps == gross.steps || $0.steps == 0 && gross.steps == 0 } ?? true,
      "no uncertainty without a load at rest": uncertainty == nil || isStable,
      "an uncertainty is above zero": uncertainty.map { $0 > .zero } ?? true,
      "the force is a fraction": (0...1).contains(force),
      "the timer does not run backwards": timer.map { $0 >= .zero } ?? true,
      "pours are counted on a timer in use": pours.map { $0 > 0 && timer != nil } ?? true,
    ]
  }
}
