import Recordings
import Testing

@testable import Weighing

/// The smooth curve: exact where possible, and never much worse than the method that it improves.
@Suite struct MonotoneCurveTests {
  @Test func aLineStaysALine() throws {
    let curve = try curve(.monotone, [0, 30, 500, 510, 1000].map { ($0, 3 + 0.375 * Double($0)) })
    for raw in stride(from: -100, through: 1200, by: 7) {
      #expect((curve.mass(at: RawForce(raw)).value - 3 - 0.375 * Double(raw)).magnitude < 1e-9)
    }
  }

  @Test func twoPointsAreALine() throws {
    let curve = try curve(.monotone, [(100, 50), (300, 100)])
    #expect(curve.mass(at: RawForce(200)).value == 75)
    #expect(curve.mass(at: RawForce(500)).value == 150)
  }

  /// The spline underneath reproduces parabolas and cubics where they rise gently.
  @Test(arguments: [
    ("parabola", [3, 0.2, 2e-4, 0]), ("three points", [0, 0.3, 1e-4, 0]), ("cubic", [0, 0.3, 1e-4, 1e-7]),
  ])
  func lowPolynomialsAreExact(name: String, c: [Double]) throws {
    func exact(_ raw: Int) -> Double { c[0] + Double(raw) * (c[1] + Double(raw) * (c[2] + Double(raw) * c[3])) }
    let at = name == "three points" ? [0, 400, 1000] : [0, 250, 450, 720, 1000]
    let curve = try curve(.monotone, at.map { ($0, exact($0)) })
    let worst = (0...1000).map { (curve.mass(at: RawForce($0)).value - exact($0)).magnitude }.max() ?? 1
    #expect(worst < 1e-6, "off by \(worst) g")
  }

  /// A plateau between cliffs, where every plain spline overshoots.
  @Test func aPlateauIsNotOvershot() throws {
    let points: [(Int, Double)] = [(0, 0), (100, 1), (110, 200), (120, 399), (220, 400)]
    let curve = try curve(.monotone, points)
    #expect(minimumStep(of: curve, to: 220) >= 0)
    #expect(curve.mass(at: RawForce(50)).value < 1)
    #expect(curve.mass(at: RawForce(170)).value > 399)
  }

  /// Against harmonic means alone (Fritsch and Butland) on the curves of force-sensing resistors, unevenly measured.
  @Test func itMissesLessThanHarmonicMeans() throws {
    var random = SplitMix64(seed: 11)
    var ratios: [Double] = []
    for _ in 0..<60 {
      var physics = PadPhysics.ideal
      physics.axisMaximum = 100_000
      physics.curve = random.next() % 2 == 0 ? .divider(0.3 + 2 * random.unit()) : .power(0.6 + 0.3 * random.unit())
      let masses = [20, 60, 130, 240, 400].map { $0 * (0.9 + 0.2 * random.unit()) }
      let points = masses.map { mass in
        let raw = physics.counts(at: Grams(mass)).rounded()
        return (Int(raw), physics.force(at: raw).value)
      }
      let ours = try curve(.monotone, points)
      let x = points.map { Double($0.0) }
      let theirs = Self.harmonic(x: x, y: points.map(\.1))
      var worst = (ours: 0.0, theirs: 0.0)
      for raw in stride(from: points[0].0, through: points[4].0, by: 97) {
        let truth = physics.force(at: Double(raw)).value
        worst.ours = max(worst.ours, (ours.mass(at: RawForce(raw)).value - truth).magnitude)
        let segment = theirs.last { $0.start <= Double(raw) } ?? theirs[0]
        worst.theirs = max(worst.theirs, (segment.value(at: Double(raw) - segment.start) - truth).magnitude)
      }
      ratios.append(worst.ours / worst.theirs)
    }
    #expect(ratios.median < 0.8, "\(ratios.median)")
    #expect(ratios.max() ?? 9 < 1.25, "\(ratios.sorted().suffix(3))")
  }

  private static func harmonic(x: [Double], y: [Double]) -> [CubicSegment] {
    let h = zip(x.dropFirst(), x).map { $0 - $1 }
    let d = zip(zip(y.dropFirst(), y).map { $0 - $1 }, h).map { $0 / $1 }
    var slopes = (1..<d.count).map { i in
      let (w1, w2) = (2 * h[i] + h[i - 1], h[i] + 2 * h[i - 1])
      return (w1 + w2) / (w1 / d[i - 1] + w2 / d[i])
    }
    func end(_ h0: Double, _ h1: Double, _ d0: Double, _ d1: Double) -> Double {
      min(max(((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1), 0), 3 * d0)
    }
    let n = d.count
    slopes.insert(end(h[0], h[1], d[0], d[1]), at: 0)
    slopes.append(end(h[n - 1], h[n - 2], d[n - 1], d[n - 2]))
    return (0..<n).map { i in
      CubicSegment(start: x[i], end: x[i + 1], from: y[i], to: y[i + 1], slopes: (slopes[i], slopes[i + 1]))
    }
  }
}
