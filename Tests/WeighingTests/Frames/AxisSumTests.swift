import Testing
import Weighing

/// Several axes that share the load (`pad.axis` with a list).
@Suite struct AxisSumTests {
  private static let range = AxisRange(minimum: 0, maximum: 1000)
  private static let left = AxisRange(minimum: -500, maximum: 500)
  private static let pad = PadDescription(name: "cells", axes: [.x: range, .y: left, .pressure: range], keys: [.touch])

  @Test func everyAxisAddsWhatItHasAboveItsMinimum() throws {
    let feed = try EventFeed(Self.pad, axis: .sum([.x, .y]))
    #expect(feed.frame()?.contacts == [], "nothing is known before the first value")
    #expect(feed.frame(.axis(.x, 120))?.counts == [120], "the other axis has not changed yet")
    #expect(feed.frame(.axis(.y, -100))?.counts == [520])
    #expect(feed.frame(.axis(.x, 130))?.counts == [530], "evdev does not repeat the other value")
    #expect(feed.frame(.axis(.pressure, 900), .touch(1))?.counts == [530], "the rest of the device does not count")
    #expect(feed.frame(.axis(.x, 0), .axis(.y, -500))?.contacts == [])
  }

  @Test func theContactIsTheSameUntilAllAxesAreAtTheirMinimum() throws {
    let feed = try EventFeed(Self.pad, axis: .sum([.x, .pressure]))
    let first = feed.frame(.axis(.x, 5))
    #expect(feed.frame(.axis(.x, 0), .axis(.pressure, 7))?.serials == first?.serials)
    #expect(feed.frame(.axis(.pressure, 0))?.contacts == [])
    #expect(feed.frame(.axis(.pressure, 1))?.serials != first?.serials)
    #expect(first?.contacts.first?.position == nil)
  }

  @Test(arguments: [
    (x: Int32(999), y: Int32(499), isAtMaximum: false), (1000, -500, true), (0, 500, true), (1000, 500, true),
    (2000, 0, true),
  ])
  func anyAxisAtItsMaximumIsAnOverload(x: Int32, y: Int32, isAtMaximum: Bool) throws {
    let feed = try EventFeed(Self.pad, axis: .sum([.x, .y]))
    #expect(feed.frame(.axis(.x, x), .axis(.y, y))?.contacts.map(\.isAtMaximum) == [isAtMaximum])
  }

  /// The order in the configuration does not matter.
  @Test func theAxisMaximumIsThatOfOneAxis() throws {
    var pad = Self.pad
    pad.axes[.hat0X] = AxisRange(minimum: 100, maximum: 2100)
    for codes in [[AxisCode.x, .y, .hat0X], [.hat0X, .y, .x]] {
      let axis = try pad.loadAxis(.sum(codes))
      #expect(axis.fullScale == RawForce(2000), "the largest")
      #expect(axis.largestSum == RawForce(4000))
      #expect(axis.name == "ABS_X+ABS_Y+ABS_HAT0X")
      #expect(axis.kind == .sum && axis.countsPerGram == nil)
      #expect(CalibratedPad(pad, axis: axis).axes == [.x, .y, .hat0X])
    }
    #expect(try Self.pad.loadAxis(.sum([.x, .y])).code == .x)
  }

  /// Without a calibration, raw / axis maximum x capacity, with the maximum of one axis.
  @Test func theSumIsWeighed() throws {
    var settings = ScaleSettings()
    settings.axis = .sum([.x, .y])
    settings.scale.capacity = Grams(1000)
    var scale = HandFedScale(settings, pad: Self.pad)
    let feed = try EventFeed(Self.pad, axis: settings.axis)
    for items in [(Int32(300), Int32(-300))] {
      guard let frame = feed.frame(.axis(.x, items.0), .axis(.y, items.1)) else { continue }
      scale.frame(frame.contacts)
    }
    scale.wait(.seconds(1))
    #expect(scale.reading.printable == "500 g" && scale.reading.state == .stable)
    #expect(scale.reading.raw == RawForce(500))
    #expect(scale.reading.calibration == .nominal)
  }

  @Test func aDifferentSetOfAxesIsAnotherCalibration() throws {
    let pad = Self.pad
    let both = CalibratedPad(pad, axis: try pad.loadAxis(.sum([.x, .pressure])))
    #expect(both.match(CalibratedPad(pad, axis: try pad.loadAxis(.sum([.pressure, .x])))) == .same)
    #expect(
      both.match(CalibratedPad(pad, axis: try pad.loadAxis(.named(.x))))
        == .foreign(.range("ABS_X 0...1000", "ABS_X+ABS_PRESSURE 0...1000")))
  }
}
