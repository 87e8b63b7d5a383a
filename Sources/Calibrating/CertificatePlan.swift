import Languages
import Weighing

/// Which loads a certificate measures with the masses of the user.
struct CertificatePlan {
  /// A position of the eccentricity test.
  struct Place: Sendable {
    let name: String
    let instruction: TextKey
    private let area: (x: ClosedRange<Double>, y: ClosedRange<Double>)

    private init(_ name: String, _ instruction: TextKey, x: ClosedRange<Double>, y: ClosedRange<Double>) {
      (self.name, self.instruction, area) = (name, instruction, (x, y))
    }

    /// The centre, then the corners in turn; each halfway between the centre and the corner (EURAMET cg-18, 5.3).
    static let all = [
      Place("centre", .certificatePutCentre, x: 0.35...0.65, y: 0.35...0.65),
      Place("front left", .certificatePutFrontLeft, x: 0...0.45, y: 0.55...1),
      Place("back left", .certificatePutBackLeft, x: 0...0.45, y: 0...0.45),
      Place("back right", .certificatePutBackRight, x: 0.55...1, y: 0...0.45),
      Place("front right", .certificatePutFrontRight, x: 0.55...1, y: 0.55...1),
    ]

    /// Whether a reported position is at this place; y increases towards the front.
    func contains(_ position: Position) -> Bool { area.x.contains(position.x) && area.y.contains(position.y) }
  }

  /// Two loads: the heaviest mass, and the one nearest to half of it.
  let repeatability: [TestLoad]
  /// The mass nearest to a third of the capacity.
  let eccentricity: TestLoad
  /// The lightest mass, then one more at a time, up to the capacity.
  let steps: [TestLoad]
  /// The heaviest mass.
  let creep: TestLoad

  /// Makes a plan.
  ///
  /// - Throws: `.tooFewMasses` if fewer than two masses can be used.
  init(_ masses: [ReferenceMass], capacity: Grams) throws(MeasurementError) {
    let usable = masses.filter { $0.nominal < capacity }.sorted { $0.nominal < $1.nominal }
    guard usable.count >= 2 else { throw .tooFewMasses(usable.count, capacity: capacity) }
    func nearest(_ mass: Double, in masses: some Collection<ReferenceMass>) -> TestLoad {
      TestLoad(
        masses.min { ($0.nominal.value - mass).magnitude < ($1.nominal.value - mass).magnitude }.map { [$0] } ?? [])
    }
    let heaviest = TestLoad(Array(usable.suffix(1)))
    repeatability = [nearest(heaviest.nominal.value / 2, in: usable.dropLast()), heaviest]
    eccentricity = nearest(capacity.value / 3, in: usable)
    creep = heaviest
    var steps: [TestLoad] = []
    for mass in usable {
      let next = TestLoad((steps.last?.masses ?? []) + [mass])
      if next.nominal < capacity { steps.append(next) }
    }
    self.steps = steps
  }
}
