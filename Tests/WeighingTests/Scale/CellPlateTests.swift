import Testing
import Weighing

/// The plate of a load cell: learned soon on any axis, and followed while it wanders.
@Suite struct CellPlateTests {
  /// Ten samples a second, with repeated values and without, on axes of any range.
  @Test(arguments: [10, 12, 16, 20, 23, 24, 28, 31], [true, false])
  func thePlateIsLearnedWithinASecond(_ bits: Int, _ isConverter: Bool) throws {
    let line = try CalibrationCurve(
      shape: .linear,
      points: [
        CalibrationPoint(counts: 0, mass: .zero), CalibrationPoint(counts: Double(1 << bits - 1), mass: Grams(1000)),
      ])
    for seed in 1...5 as ClosedRange<UInt64> {
      var scale = try CellScale(
        division: 0.1, isConverter: isConverter, bits: bits, countsPerGram: Double(1 << bits - 1) / 1000, offset: 0,
        seed: seed
      ) {
        $0.curve = line
        $0.scale.capacity = Grams(1000)
      }
      scale.hold(50, for: 3)
      let zeroed = try #require(scale.zeroed.first)
      #expect(zeroed.time <= 1)
      #expect((zeroed.mass - 50).magnitude <= (bits == 10 ? 0.5 : 0.2))
      scale.hold(80, for: 3)
      #expect((scale.level - 30).magnitude < (bits == 10 ? 1 : 0.2))
      #expect(scale.zeroed.count == 1, "a later load is not the plate")
    }
  }

  /// A cell that warms up: its zero wanders by 0.35 g in ten minutes, and an empty plate still shows 0.
  @Test(arguments: [-0.35, 0.35], [true, false])
  func aWanderingCellStaysAtZero(_ wander: Double, _ isConverter: Bool) throws {
    var scale = try CellScale(rate: 11, division: 0.5, isConverter: isConverter)
    scale.noise = 0.027
    scale.hold(20, for: 5)
    _ = scale.take()
    for second in 0..<600 {
      let phase = Double(second) / 300
      scale.hold(20 + wander * (phase < 1 ? phase : 2 - phase), for: 1) { #expect($0.reading.printable == "0.0 g") }
    }
  }

  /// What drips onto an empty plate is a load, however slowly it arrives.
  @Test(arguments: [0.02, 0.05, 0.2, 0.5], [(5.0, 0.1), (10, 0.1), (10, 0.5), (80, 0.5)])
  func aDripIsNotLost(_ flow: Double, _ pad: (rate: Double, division: Double)) throws {
    var scale = try CellScale(rate: pad.rate, division: pad.division, isConverter: false)
    scale.hold(5, for: 10)
    let begin = scale.time
    while scale.time < begin + 10 / flow { scale.sample(5 + flow * (scale.time - begin)) }
    scale.hold(15, for: 10)
    #expect((scale.level - 10).magnitude <= max(pad.division, 0.5))
  }
}
