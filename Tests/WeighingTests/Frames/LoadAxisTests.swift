import Languages
import Testing
import Weighing

/// Which axis of a device weighs, or why none does.
@Suite struct LoadAxisTests {
  @Test(arguments: [
    ("slots", PadDescription.slots(), LoadAxis.Kind.slots, AxisCode.multitouchPressure),
    ("listed", .listed(), .listed, .multitouchPressure),
    ("single", .single(), .touch(hasTouchKey: true), .pressure),
    ("single without a key", .single(hasTouchKey: false), .touch(hasTouchKey: false), .pressure),
  ])
  func theAxisIsFoundByItself(name: String, pad: PadDescription, kind: LoadAxis.Kind, code: AxisCode) throws {
    let axis = try pad.loadAxis(.automatic)
    #expect(axis.kind == kind)
    #expect(axis.code == code)
    #expect(axis.offset == 0)
    #expect(axis.fullScale == RawForce(1000))
    #expect(axis.countsPerGram == 2)
    #expect(pad.hasPositions(for: axis))
  }

  @Test func multitouchPressureGoesFirst() throws {
    var pad = PadDescription.slots()
    pad.axes[.pressure] = AxisRange(minimum: 0, maximum: 255)
    #expect(try pad.loadAxis(.automatic).code == .multitouchPressure)
    #expect(try pad.loadAxis(.named(.pressure)).kind == .plain)
  }

  @Test(arguments: [(Int32(0), Double?.none), (-3, nil), (1, 1), (7, 7)])
  func theDriverMayStateCountsPerGram(_ resolution: Int32, _ expected: Double?) throws {
    #expect(try PadDescription.slots(countsPerGram: resolution).loadAxis(.automatic).countsPerGram == expected)
  }

  /// The resolution of a lever or a knob is in counts per millimetre or radian.
  @Test func onlyAPressureAxisIsInGrams() throws {
    let lever = AxisCode(rawValue: 2)
    let pad = PadDescription(name: "lever", axes: [lever: AxisRange(minimum: 0, maximum: 99, resolution: 5)])
    #expect(try pad.loadAxis(.named(lever)).countsPerGram == nil)
  }

  struct Unsuitable: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var pad: PadDescription
    var choice = AxisChoice.automatic
    var reason: UnsuitablePadError
  }

  static func withSlots(_ range: AxisRange) -> PadDescription {
    var pad = PadDescription.slots()
    pad.axes[.slot] = range
    return pad
  }

  static let empty = AxisRange(minimum: 0, maximum: 0)
  static let negative = AxisRange(minimum: -100, maximum: 0)
  @Test(arguments: [
    Unsuitable(testDescription: "a mouse", pad: PadDescription(name: "mouse"), reason: .noPressureAxis),
    Unsuitable(
      testDescription: "a name that is not there", pad: .slots(), choice: .named(.pressure),
      reason: .noSuchAxis(.pressure, among: PadDescription.slots().axes.keys.sorted())),
    Unsuitable(
      testDescription: "one of two that is not there", pad: .single(), choice: .sum([.x, .hat0X]),
      reason: .noSuchAxis(.hat0X, among: [.x, .y, .pressure])),
    Unsuitable(
      testDescription: "one of two without a range",
      pad: PadDescription(name: "", axes: [.x: AxisRange(minimum: 0, maximum: 9), .y: empty]), choice: .sum([.x, .y]),
      reason: .emptyRange(.y, empty)),
    Unsuitable(
      testDescription: "an empty range", pad: PadDescription(name: "", axes: [.pressure: empty]),
      reason: .emptyRange(.pressure, empty)),
    Unsuitable(
      testDescription: "a range below zero", pad: PadDescription(name: "", axes: [.pressure: negative]),
      reason: .emptyRange(.pressure, negative)),
    Unsuitable(
      testDescription: "a named empty range", pad: PadDescription(name: "", axes: [.x: empty]), choice: .named(.x),
      reason: .emptyRange(.x, empty)),
    Unsuitable(
      testDescription: "no slot 0", pad: withSlots(AxisRange(minimum: -5, maximum: -1)),
      reason: .noSlots(AxisRange(minimum: -5, maximum: -1))),
  ])
  func anUnsuitableDeviceIsRefused(_ device: Unsuitable) {
    #expect(throws: device.reason) { try device.pad.loadAxis(device.choice) }
    #expect(throws: device.reason) { try FrameAssembler(pad: device.pad, axis: device.choice) }
    #expect(!device.reason.sentence.description.isEmpty)
  }

  /// Every contact would lie at the left edge, in the tare strip, and never be weighed.
  @Test(arguments: [
    (PadDescription.slots(), AxisCode.multitouchX), (.slots(), .multitouchY), (.single(), .x), (.single(), .y),
  ])
  func anEmptyPositionAxisGivesNoPositions(pad: PadDescription, code: AxisCode) throws {
    var pad = pad
    pad.axes[code] = Self.empty
    #expect(try !pad.hasPositions(for: pad.loadAxis(.automatic)))
    var scale = HandFedScale(pad: pad)
    let leftEdge = Position(x: 0, y: 0.5)
    scale.frame([Contact(serial: 1, position: leftEdge, origin: leftEdge, raw: RawForce(200), isAtMaximum: false)])
    scale.wait(.milliseconds(1000))
    #expect(scale.reading.state == .stable)
    #expect(scale.reading.net?.mass == Grams(100))
  }

  @Test func penAndFingerWidthAreNotLoads() {
    var tablet = PadDescription.single()
    #expect(tablet.misgiving == nil)
    tablet.keys = [.touch, .toolPen]
    #expect(tablet.misgiving == .pen)
    tablet.keys.insert(.toolFinger)
    #expect(tablet.misgiving == nil)
    var apple = PadDescription.slots()
    apple.name = "bcm5974"
    #expect(apple.misgiving == .fingerWidth)
    #expect(PadDescription.slots().misgiving == nil)
  }
}
