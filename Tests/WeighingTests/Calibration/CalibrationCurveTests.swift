import Recordings
import Testing
import Weighing

/// What holds for curves through any rising points.
@Suite struct CalibrationCurveTests {
  /// Points that rise by steps of very different sizes: cliffs, plateaus, clusters.
  static func points(_ random: inout SplitMix64) -> [(Int, Double)] {
    var raw = Int(random.next() % 50)
    var grams = random.unit() * 20 - 10
    return (0..<Int(2 + random.next() % 8)).map { _ in
      defer {
        raw += 1 + Int(random.next() % (random.next() % 3 == 0 ? 200 : 12))
        grams += random.unit() * (random.next() % 3 == 0 ? 150 : 2) + 1e-6
      }
      return (raw, grams)
    }
  }

  @Test(arguments: [CurveShape.linear, .monotone])
  func itPassesThroughItsPointsAndRises(_ shape: CurveShape) throws {
    var random = SplitMix64(seed: 7)
    var problems: [String] = []
    for _ in 0..<1500 {
      let points = Self.points(&random)
      let curve = try curve(shape, points)
      for (raw, grams) in points where (curve.mass(at: RawForce(raw)).value - grams).magnitude > 1e-9 {
        problems.append("misses \(raw) of \(points)")
      }
      // Every count, and beyond both ends.
      let rise = minimumStep(of: curve, from: (points.first?.0 ?? 0) - 20, to: (points.last?.0 ?? 0) + 20)
      if rise < -1e-9 { problems.append("falls by \(rise): \(points)") }
      for (raw, _) in points where curve.slope(at: RawForce(raw)) < 0 { problems.append("slope at \(raw)") }
    }
    #expect(problems.isEmpty, "\(problems.count): \(problems.prefix(3))")
  }

  @Test func aPolynomialRisesOrIsRefused() throws {
    var random = SplitMix64(seed: 8)
    var problems: [String] = []
    for _ in 0..<1500 {
      let points = Self.points(&random)
      do {
        let curve = try curve(.polynomial, points)
        let rise = minimumStep(of: curve, from: (points.first?.0 ?? 0) - 20, to: (points.last?.0 ?? 0) + 20)
        if rise <= 0 { problems.append("falls by \(rise): \(points)") }
      } catch .polynomialNotMonotone {}
    }
    #expect(problems.isEmpty, "\(problems.count): \(problems.prefix(3))")
  }

  @Test(arguments: CurveShape.allCases)
  func theOrderOfThePointsDoesNotMatter(_ shape: CurveShape) throws {
    let points: [(Int, Double)] = [(0, 0), (150, 40), (320, 100), (600, 230), (980, 400)]
    var random = SplitMix64(seed: 3)
    let ordered = try curve(shape, points)
    for _ in 0..<10 { #expect(try curve(shape, points.shuffled(using: &random)) == ordered) }
    #expect(ordered.points.map(\.counts) == [0, 150, 320, 600, 980])
  }

  /// A power law is known beyond its points; see `PowerLawTests`.
  @Test(arguments: CurveShape.allCases.filter { $0 != .power })
  func beyondItsEndsItIsStraight(_ shape: CurveShape) throws {
    let curve = try curve(shape, [(100, 10), (150, 40), (320, 100), (600, 230), (980, 400)])
    for (end, step) in [(100, -1), (980, 1)] {
      let slope = curve.slope(at: RawForce(end))
      #expect(slope > 0)
      for distance in [1, 10, 100] {
        let mass = curve.mass(at: RawForce(end + step * distance)).value
        let expected = curve.mass(at: RawForce(end)).value + slope * Double(step * distance)
        #expect((mass - expected).magnitude < 1e-9)
        #expect((curve.slope(at: RawForce(end + step * distance)) - slope).magnitude < 1e-12)
      }
    }
  }

  /// Polynomials without noise are reproduced exactly.
  @Test(arguments: [
    ("a line", [5, 0.4, 0, 0]), ("a parabola", [0, 0.2, 0.0002, 0]), ("a cubic", [1, 0.3, -0.0003, 3e-7]),
  ])
  func aPolynomialFindsExactOnes(name: String, c: [Double]) throws {
    func exact(_ raw: Int) -> Double { c[0] + Double(raw) * (c[1] + Double(raw) * (c[2] + Double(raw) * c[3])) }
    let curve = try curve(.polynomial, [0, 90, 300, 420, 700, 1023].map { ($0, exact($0)) })
    let worst = (-50...1023).map { raw in
      raw < 0 ? 0 : (curve.mass(at: RawForce(raw)).value - exact(raw)).magnitude
    }.max()
    #expect(worst ?? 1 < 1e-6)
    #expect(curve.residual.value < 1e-6)
  }

  /// Least squares with noise on the points: between them, and no worse than the noise.
  @Test func aPolynomialAveragesNoise() throws {
    var random = SplitMix64(seed: 5)
    let points = (0...20).map { ($0 * 50, Double($0) * 20 + random.gaussian() * 0.5) }
    let curve = try curve(.polynomial, points)
    let worst = (0...1000).map { (curve.mass(at: RawForce($0)).value - Double($0) * 0.4).magnitude }.max() ?? 9
    #expect(worst < 0.6)
    #expect((0.1...1).contains(curve.residual.value))
  }

  @Test func theResidualIsHowWellPointsForetellEachOther() throws {
    #expect(try curve(.monotone, [(0, 0), (100, 50), (200, 110)]).residual == .zero, "nothing to leave out")
    #expect(try curve(.linear, [(0, 0), (100, 50), (200, 100), (400, 200)]).residual.value < 1e-9)
    // Each inner point of this zigzag is 10 g off the line through its neighbours or 5 g: half of the mean square.
    let zigzag = try curve(.linear, [(0, 0), (100, 60), (200, 100), (300, 160)])
    #expect((zigzag.residual.value - 5).magnitude < 1e-9)
  }
}
