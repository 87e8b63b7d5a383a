/// What the scale says at a moment.
public struct Reading: Hashable, Sendable {
  /// What the scale is doing.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Nothing presses.
    case empty
    /// Something does, and its weight is not certain yet.
    case settling
    /// The load is at rest.
    case stable
    /// More than the scale can tell.
    case overload
    /// A finger presses in a zone and the load is as it was, or force is added to the load and its weight is not known.
    case pressing
    /// There is no pad.
    case offline
  }

  /// The moment.
  public var time: Instant
  /// What the scale is doing.
  public var state: State
  /// Net and tare together; the capacity in overload.
  public var gross: DisplayedMass
  /// What is taken off the gross.
  public var tare: DisplayedMass
  /// What is left; `nil` in overload and without a pad.
  public var net: DisplayedMass?
  /// The net, unrounded; `nil` with `net`.
  public var highResolution: Grams?
  /// One standard uncertainty of a settled net: noise, division and calibration; `nil` while nothing has settled.
  public var uncertainty: Grams?
  /// Whether the load is at rest.
  public var isStable: Bool
  /// Whether the gross is within half a division of zero.
  public var isInsideZero: Bool
  /// Whether there is more on the pad than the scale can tell.
  public var isOverloaded: Bool
  /// Whether the gross is under zero by more than the zero band, as when a plate was taken away.
  public var isUnderloaded: Bool
  /// The axis' value, summed over the contacts that weigh.
  public var raw: RawForce
  /// `raw` as a fraction of one axis' range, 0...1.
  public var force: Double
  /// Where grams come from; `nil` without a pad.
  public var calibration: Calibration.Origin?
  /// Counts the changes of tare and zero.
  public var tareEpoch: Int
  /// The capacity, for `printable`.
  public var capacity: Grams

  /// What a display shows: `73 g`, `385+ g`, `0 g`; without a pad `-- g`.
  public var printable: String {
    var bytes: [UInt8] = []
    appendPrintable(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends `printable` in ASCII.
  package func appendPrintable(to bytes: inout [UInt8]) {
    if isOverloaded {
      DecimalText.append(capacity.value, decimals: capacityDecimals, to: &bytes)
      bytes.append(UInt8(ascii: "+"))
    } else if let net {
      DecimalText.append(net.mass.value, decimals: net.division.decimals, to: &bytes)
    } else {
      bytes.append(contentsOf: "--".utf8)
    }
    bytes.append(contentsOf: " g".utf8)
  }

  /// As many as the capacity has, up to three.
  private var capacityDecimals: Int {
    var scaled = capacity.value
    for decimals in 0..<3 {
      if scaled.rounded() == scaled { return decimals }
      scaled = capacity.value * (decimals == 0 ? 10 : decimals == 1 ? 100 : 1000)
    }
    return 3
  }
}
