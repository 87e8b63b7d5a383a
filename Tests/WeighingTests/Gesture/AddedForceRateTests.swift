import Recordings
import Testing
import Weighing

/// Presses by people on load cells whose converters deliver 9 to 80 samples per second.
@Suite struct AddedForceRateTests {
  /// What presses result in.
  enum Outcome: String {
    case commit, tare, nothing
    /// Anything else: two actions, or an action on another load.
    case wrong
  }

  private static let load = 150.0

  /// Settled scales by their rate, from which all tests go on.
  private static let settled = Dictionary(uniqueKeysWithValues: rates.map { ($0, settledScales($0)) })

  /// Settled scales at a rate, with white and with correlated noise and at two divisions.
  private static func settledScales(_ rate: Double) -> [ConverterScale] {
    [(0.0, 1.0), (0.48, 1.0), (0.0, 0.1), (0.48, 0.1)].map { correlation, division in
      ConverterScale(
        ConverterScale.Converter(rate: rate, correlation: correlation), load: load, seed: UInt64(rate * 10)
      ) {
        $0.scale.division = Division(Grams(division)) ?? .gram
        $0.stability.motion = Grams(division == 1 ? 1 : 0.2)
      }
    }
  }

  /// What happens after presses of these lengths, so long apart.
  static func effects(
    _ lengths: [Double], pause: Double = 0, _ tremor: PersonPress.Tremor, on settled: ConverterScale,
    load: Double = load, seed: UInt64
  ) -> [Effect] {
    var random = SplitMix64(seed: seed)
    var scale = settled
    scale.reseed(random.next())
    var presses: [PersonPress] = []
    var start = scale.time + 0.2 + 0.3 * random.unit()
    for length in lengths {
      presses.append(PersonPress(at: start, for: length, using: &random))
      start += length + pause
    }
    scale.press(presses, tremor, on: load, then: 4)
    return scale.take()
  }

  /// What the presses result in, on a load.
  static func outcome(_ effects: [Effect], on load: Double = load) -> Outcome {
    let (nets, tares) = (effects.recordedMasses, effects.tareMasses)
    if nets.isEmpty, tares.isEmpty { return .nothing }
    guard nets.count + tares.count == 1, (nets + tares).allSatisfy({ ($0 - load).magnitude <= 0.5 }) else {
      return .wrong
    }
    return nets.isEmpty ? .tare : .commit
  }

  /// Counts the outcomes of one press or two of a length.
  private static func outcomes(
    _ length: Double, isDouble: Bool, on scales: [ConverterScale], runs: Int
  ) -> [Outcome: Int] {
    var counts: [Outcome: Int] = [:]
    for seed in 0..<runs {
      var random = SplitMix64(seed: UInt64(seed))
      let pause = Double.random(in: 0.2...0.5, using: &random)
      let tremor = PersonPress.Tremor.allCases[seed % 4]
      let effects = effects(
        isDouble ? [length, length] : [length], pause: pause, tremor, on: scales[seed / 4 % 4], seed: UInt64(seed))
      counts[outcome(effects), default: 0] += 1
    }
    return counts
  }

  static let rates: [Double] = [9, 10, 11, 12.5, 16, 20, 40, 80]

  /// Confirming.md states the rates.
  @Test(arguments: rates)
  func presses(_ rate: Double) throws {
    let scales = try #require(Self.settled[rate])
    for length in [0.7, 1, 1.5, 2] {
      let single = Self.outcomes(length, isDouble: false, on: scales, runs: 80)
      #expect(single[.commit, default: 0] >= 76, "one of \(length) s: \(single)")
      #expect(single[.tare] == nil && single[.wrong] == nil, "one of \(length) s: \(single)")
      let double = Self.outcomes(length, isDouble: true, on: scales, runs: 80)
      #expect(double[.tare, default: 0] >= 76, "two of \(length) s: \(double)")
      // The tare is that of the reading, which may be a division off while a trembling press is still in it.
      #expect(double[.commit] == nil && double[.wrong, default: 0] <= 1, "two of \(length) s: \(double)")
    }
  }

  /// Two presses of which one or both may be too short, or that are close together, tare or do nothing.
  @Test(arguments: rates)
  func halfOfADoublePressNeverCommits(_ rate: Double) throws {
    let scales = try #require(Self.settled[rate])
    var counts: [Outcome: Int] = [:]
    for seed in UInt64(0)..<200 {
      var random = SplitMix64(seed: 7000 + seed)
      let lengths = (1...2).map { _ in Double.random(in: 0.35...1, using: &random) }
      let pause = Double.random(in: 0.12...0.6, using: &random)
      let effects = Self.effects(
        lengths, pause: pause, PersonPress.Tremor.allCases[Int(seed % 4)], on: scales[Int(seed / 4 % 4)], seed: seed)
      let outcome = Self.outcome(effects)
      if outcome == .commit || outcome == .wrong {
        Issue.record("seed \(seed): \(outcome) after \(lengths), \(pause) s apart")
      }
      counts[outcome, default: 0] += 1
    }
    #expect(counts[.tare, default: 0] > 20 && counts[.nothing, default: 0] > 20, "\(counts)")
  }

  /// A press that is far too short for the dwell time, even between two samples.
  @Test(arguments: rates)
  func aShortPressFiresNothing(_ rate: Double) throws {
    let scales = try #require(Self.settled[rate])
    for seed in UInt64(0)..<80 {
      var random = SplitMix64(seed: 900 + seed)
      let length = Double.random(in: 0.2...0.4, using: &random)
      let effects = Self.effects(
        [length], PersonPress.Tremor.allCases[Int(seed % 4)], on: scales[Int(seed / 4 % 4)], seed: seed)
      #expect(Self.outcome(effects) == .nothing, "seed \(seed): \(length) s")
    }
  }

  /// Presses on a load that leaves little room take less force; the press runs into overload.
  @Test(arguments: rates)
  func littleHeadroom(_ rate: Double) {
    let load = 940.0
    let scale = ConverterScale(ConverterScale.Converter(rate: rate), load: load, seed: 3)
    for count in 1...2 {
      let outcomes = (0..<40).map { seed -> Outcome in
        let effects = Self.effects(
          [Double](repeating: 0.8, count: count), pause: 0.35, .regular, on: scale, load: load, seed: UInt64(seed))
        return Self.outcome(effects, on: load)
      }
      let wanted = outcomes.filter { $0 == (count == 1 ? .commit : .tare) }.count
      #expect(wanted >= 38, "\(count): \(outcomes.map(\.rawValue))")
    }
  }
}
