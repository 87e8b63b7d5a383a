import Testing
import Weighing

/// Whose calibration it is.
@Suite struct CalibratedPadTests {
  static let own = PadDescription.slots()

  static func pad(_ change: (inout PadDescription) -> Void = { _ in }) -> PadDescription {
    var pad = own
    pad.id = PadIdentity(bus: 3, vendor: 0x6cb, product: 1, version: 1)
    pad.unique = "A1"
    change(&pad)
    return pad
  }

  private func identity(_ pad: PadDescription) throws -> CalibratedPad {
    CalibratedPad(pad, axis: try pad.loadAxis(.automatic))
  }

  @Test func padsAreToldApart() throws {
    let mine = try identity(Self.pad())
    #expect(try mine.match(identity(Self.pad())) == .same)
    #expect(try mine.match(identity(Self.pad { $0.id.version = 9 })) == .same, "another version of its driver")
    #expect(try mine.match(identity(Self.pad { $0.unique = "" })) == .same, "no serial number tells nothing")
    #expect(
      try mine.match(identity(Self.pad { $0.unique = "B2" })) == .alike(.unique("B2", "A1")))
    #expect(try mine.match(identity(Self.pad { $0.name = "other" })) == .alike(.name("other", "slots")))
    #expect(
      try mine.match(identity(Self.pad { $0.axes[.multitouchPressure]?.maximum = 255 }))
        == .foreign(.range("ABS_MT_PRESSURE 0...255", "ABS_MT_PRESSURE 0...1000")))
    #expect(
      try mine.match(identity(Self.pad { $0.id.product = 2 }))
        == .foreign(.title("slots (06cb:0002)", "slots (06cb:0001)")))
  }

  @Test func aForeignPadIsNotWeighedByIt() throws {
    var settings = ScaleSettings()
    settings.curve = try curve(.linear, [(0, 0), (500, 100), (1000, 300)])
    let start = Instant(nanoseconds: 0)
    for (maker, origin) in [(UInt16(0x6cb), Calibration.Origin.user), (0x6cc, .kernel)] {
      settings.curvePad = try identity(Self.pad())
      var machine = ScaleMachine(settings: settings, at: start)
      _ = machine.handle(.padFound(Self.pad { $0.id.vendor = maker }), at: start)
      #expect(machine.calibration == origin)
    }
  }
}
