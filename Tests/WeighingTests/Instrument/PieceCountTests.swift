import Recordings
import Testing

@testable import Weighing

/// Counting: the limits of a count, its refusal, and how often it is wrong.
@Suite struct PieceCountTests {
  private static func ask(_ reference: PieceReference?) -> ScaleMachine.Input {
    let parameters = reference.map { ActionArguments.count($0) } ?? .none
    return .request(ActionRequest(action: .count, parameters: parameters, source: .mqtt))
  }

  private static func sample(_ pieces: Int, spread: Double = 0.02) -> ScaleMachine.Input {
    ask(.sample(pieces: pieces, spread: spread))
  }

  private static func precise(_ settings: inout ScaleSettings) {
    settings.scale.division = Division(Grams(0.1)) ?? .gram
  }

  private static func scale() -> HandFedScale {
    var settings = ScaleSettings()
    precise(&settings)
    return HandFedScale(settings)
  }

  @Test func theLoadBecomesTheSample() throws {
    var scale = Self.scale()
    scale.settle(100)
    scale.handle(Self.sample(10))
    var count = try #require(scale.reading.instruments?.count)
    #expect(count.pieceMass == Grams(5) && count.pieces == 10)
    scale.settle(160)
    count = try #require(scale.reading.instruments?.count)
    #expect(count.pieces == 16 && count.maximum.map { $0 >= 16 } == true)
    scale.frame()
    scale.wait(.milliseconds(500))
    scale.frame(400)
    #expect(scale.reading.instruments?.count?.pieces == nil, "nothing has settled")
    scale.frame()
    scale.wait(.milliseconds(500))
    #expect(scale.reading.instruments?.count?.pieces == 0)
    scale.handle(Self.ask(nil))
    #expect(scale.reading.instruments == nil)
  }

  /// A piece that is lighter than the limit of motion leaves the reading stable. Its first frame may be a single wrong one;
  /// from the second one on, the number is the new one or unknown, never the old one.
  @Test(arguments: [0.0, 0.4, 0.8]) func aPieceThatIsAddedIsNeverCountedAsTheOldNumber(noise: Double) throws {
    var scale = Self.scale()
    scale.hold(400, for: .seconds(2), noise: noise)
    scale.handle(Self.sample(40, spread: 0))
    scale.hold(400, for: .seconds(2), noise: noise)
    #expect(scale.reading.instruments?.count?.pieces == 40)
    var (old, new) = (0, 0)
    for _ in 0..<250 {
      scale.hold(410, for: HandFedScale.period, noise: noise)
      switch scale.reading.instruments?.count?.pieces {
      case 40: old += 1
      case 41: new += 1
      case nil: break
      default: Issue.record("\(String(describing: scale.reading.instruments?.count))")
      }
    }
    #expect(old <= 1 && new > 150, "\(old) old, \(new) new")
  }

  /// A piece whose value is sent once, because the pad repeats none, is no wrong sample for longer than two samples.
  @Test func aPieceThatIsAddedWithoutNoiseIsCounted() {
    var scale = Self.scale()
    scale.hold(400, for: .seconds(2), noise: 0)
    scale.handle(Self.sample(40, spread: 0))
    scale.hold(400, for: .seconds(1), noise: 0.4)
    scale.frame(410)
    scale.wait(.milliseconds(20))
    #expect(scale.reading.instruments?.count?.pieces != 40)
    scale.wait(.milliseconds(500))
    #expect(scale.reading.instruments?.count?.pieces == 41)
  }

  /// Neither does a single wrong sample, of which a converter or a loose cable sends some.
  @Test(arguments: [-300, -60, -12, 12, 60, 300]) func aWrongSampleLeavesTheNumber(error: Double) throws {
    var scale = Self.scale()
    scale.hold(400, for: .seconds(2))
    scale.handle(Self.sample(40, spread: 0))
    scale.hold(400, for: .seconds(1))
    var cell = try CellScale { $0.stability.motion = Grams(0.5) }
    cell.noise = 0.03
    cell.hold(0, for: 5)
    cell.hold(80, for: 4)
    cell.handle(Self.sample(40, spread: 0))
    cell.hold(80, for: 2)
    for _ in 0..<20 {
      scale.hold(400 + error, for: HandFedScale.period, noise: 0)
      #expect(scale.reading.instruments?.count?.pieces == 40)
      for _ in 0..<40 {
        scale.hold(400, for: HandFedScale.period)
        #expect(scale.reading.instruments?.count?.pieces == 40)
      }
      cell.sample(80, off: error / 2)
      #expect(cell.reading.instruments?.count?.pieces == 40)
      cell.hold(80, for: 2) { #expect($0.reading.instruments?.count?.pieces == 40) }
    }
  }

  /// Noise alone does not withdraw the number.
  @Test func noiseLeavesTheNumber() throws {
    var scale = Self.scale()
    scale.hold(400, for: .seconds(2))
    scale.handle(Self.sample(40, spread: 0))
    scale.hold(400, for: .seconds(1))
    var unknown = 0
    for _ in 0..<5000 {
      scale.hold(400, for: HandFedScale.period)
      if scale.reading.instruments?.count?.pieces != 40 { unknown += 1 }
    }
    #expect(unknown == 0)
  }

  @Test func whatIsTakenOutOfATaredBoxIsNegative() {
    var scale = Self.scale()
    scale.settle(100)
    scale.handle(Self.sample(10))
    scale.settle(300)
    scale.ask(.tare)
    scale.settle(240)
    #expect(scale.reading.instruments?.count?.pieces == -6)
  }

  /// The limit, by trying every number.
  @Test(arguments: [
    (5, 0.0, 0.02), (10, 0.1, 0.02), (100, 0.3, 0.02), (7, 0.05, 0.0), (20, 0.5, 0.05), (10, 0.0, 0.01),
  ])
  func theMaximumIsTheLastCertainNumber(_ pieces: Int, _ uncertainty: Double, _ spread: Double) throws {
    let mass = 4.0
    var counter = try PieceCounter(
      sample: Grams(mass * Double(pieces)), uncertainty: Grams(uncertainty), pieces: pieces, spread: spread)
    let count = counter.count(Self.reading(net: mass, uncertainty: uncertainty), common: .zero)
    let sample = uncertainty / (mass * Double(pieces))
    let shared = sample * sample + spread * spread / Double(pieces)
    let alone = uncertainty / mass
    func deviation(_ n: Double) -> Double { (n * n * shared + n * spread * spread + alone * alone).squareRoot() }
    let last = (1...1_000_000).first { 3.3 * deviation(Double($0 + 1)) > 0.5 } ?? 1_000_000
    #expect(count.maximum == last && count.pieces == 1)
    #expect(try (#require(count.uncertainty) - deviation(1)).magnitude < 1e-12)
  }

  /// A reading that cannot tell one piece from none counts neither.
  @Test(arguments: [-1, -0.4, 0, 0.4, 1]) func aPieceThatIsTooLightIsNotCounted(net: Double) {
    var counter = PieceCounter(pieceMass: Grams(1), spread: 0)
    let count = counter.count(Self.reading(net: net, uncertainty: 0.2), common: .zero)
    #expect(count.maximum == 0 && count.pieces == nil)
  }

  private static func reading(net: Double, uncertainty: Double) -> Reading {
    var reading = Reading(
      emptyAt: Instant(nanoseconds: 0), raw: RawForce(1), force: 0, calibration: .user,
      tare: DisplayedMass(steps: 0, division: .gram), tareEpoch: 0, capacity: Grams(100_000))
    reading.highResolution = Grams(net)
    reading.uncertainty = Grams(uncertainty)
    reading.isStable = true
    reading.state = .stable
    return reading
  }

  @Test func aSampleThatCannotCarryTheCountIsRefused() {
    var scale = HandFedScale()
    scale.handle(Self.sample(10))
    scale.settle(200)
    scale.ask(.tare)
    scale.settle(190)
    scale.handle(Self.sample(10))
    scale.frame()
    scale.wait(.seconds(1))
    scale.settle(220)
    scale.handle(Self.sample(10))
    scale.wait(.milliseconds(2500))
    // 1 g a piece on a division of 1 g: two pieces differ by less than the noise of the display.
    #expect(scale.take().rejections == [.empty, nil, .empty, .belowMinimum])
    #expect(scale.reading.instruments == nil)
    scale.frame()
    scale.wait(.milliseconds(500))
    scale.frame(400)
    scale.handle(Self.sample(10))
    scale.wait(.milliseconds(1500))
    #expect(scale.take().rejections == [nil], "it waits until the load has come to rest")
    scale.handle(Self.ask(.mass(Grams(386), spread: 0)))
    #expect(scale.take().rejections == [.badPayload])
  }

  @Test func theNumberIsRecorded() throws {
    var scale = Self.scale()
    scale.settle(100)
    scale.handle(Self.sample(10))
    scale.settle(160)
    scale.ask(.commit)
    let draft = try #require(scale.take().drafts.first)
    guard case .weighing(let measurement) = draft.kind else { throw CommitTests.Unexpected.kind }
    #expect(measurement.pieces == 16 && measurement.reversed.pieces == -16)
  }

  /// Samples of 5 to 100 pieces with a spread of 2 %, then 1 to 200 pieces: where a number is given, fewer than one in a
  /// thousand is wrong, and so near the limit.
  @Test func fewerThanOneCountInAThousandIsWrong() throws {
    var random = SplitMix64(seed: 7)
    var (given, wrong, atLimit, wrongAtLimit) = (0, 0, 0, 0)
    for round in 0..<40 {
      for sample in 5...100 {
        let mass = 0.3 + 5 * random.unit()
        let uncertainty = mass * 0.1 * random.unit()
        func load(_ pieces: Int) -> Double {
          (0..<pieces).reduce(uncertainty * random.gaussian()) { sum, _ in
            sum + mass * (1 + 0.02 * random.gaussian())
          }
        }
        var counter = try PieceCounter(
          sample: Grams(load(sample)), uncertainty: Grams(uncertainty), pieces: sample, spread: 0.02)
        // Every number in turn, five of them with each sample.
        for step in 0..<5 {
          let pieces = 1 + (round * 5 + step * 41 + sample) % 200
          let count = counter.count(Self.reading(net: load(pieces), uncertainty: uncertainty), common: .zero)
          guard let counted = count.pieces else { continue }
          (given, wrong) = (given + 1, wrong + (counted == pieces ? 0 : 1))
        }
        let maximum = try #require(counter.count(Self.reading(net: 0, uncertainty: uncertainty), common: .zero).maximum)
        let count = counter.count(Self.reading(net: load(maximum), uncertainty: uncertainty), common: .zero)
        guard let counted = count.pieces else { continue }
        (atLimit, wrongAtLimit) = (atLimit + 1, wrongAtLimit + (counted == maximum ? 0 : 1))
      }
    }
    #expect(given > 2500 && atLimit > 3500, "\(given), \(atLimit)")
    #expect(wrong * 1000 < given, "\(wrong) of \(given)")
    // At the limit itself, one in a thousand by its definition: three standard deviations of that.
    #expect(wrongAtLimit <= 10, "\(wrongAtLimit) of \(atLimit)")
  }

  /// The same through the whole scale: a load cell with noise, a tared box, a sample, and then other numbers.
  @Test func aLoadCellCountsTheSame() throws {
    var random = SplitMix64(seed: 11)
    var (given, wrong) = (0, 0)
    for seed in 1...30 as ClosedRange<UInt64> {
      var scale = try CellScale(seed: seed) { $0.stability.motion = Grams(0.5) }
      scale.noise = 0.03
      scale.hold(40, for: 6)
      let box = 40 + 30 * random.unit()
      scale.hold(box, for: 3)
      scale.handle(.request(ActionRequest(action: .tare, source: .mqtt)))
      let (sample, mass) = (5 + Int(random.next() % 40), 0.5 + 2 * random.unit())
      func load(_ pieces: Int) -> Double {
        (0..<pieces).reduce(box) { sum, _ in sum + mass * (1 + 0.02 * random.gaussian()) }
      }
      scale.hold(load(sample), for: 3)
      scale.handle(Self.sample(sample))
      #expect(scale.reading.instruments?.count != nil)
      for _ in 0..<12 {
        let pieces = 1 + Int(random.next() % 40)
        let grams = load(pieces)
        let changed = scale.time
        scale.hold(grams, for: 4) { scale in
          // The filter needs two samples to see that a small load has changed.
          guard scale.time > changed + 0.5, let counted = scale.reading.instruments?.count?.pieces else { return }
          (given, wrong) = (given + 1, wrong + (counted == pieces ? 0 : 1))
        }
      }
    }
    #expect(given > 2000)
    #expect(wrong * 1000 < given, "\(wrong) of \(given) readings")
  }
}
