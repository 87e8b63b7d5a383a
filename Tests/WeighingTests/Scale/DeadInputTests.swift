import Foundation
import Recordings
import TestExtent
import Testing
import Weighing

/// Equal counts are no measurement where chance cannot explain them: a loose wire, or a converter that hangs.
@Suite struct DeadInputTests {
  private func cell(_ isConverter: Bool = true, _ change: (inout ScaleSettings) -> Void = { _ in }) throws -> CellScale
  {
    try .faulty(isConverter, rate: 10, noise: 0.3, seed: 1, change)
  }

  private enum Value: CaseIterable { case last, zero, loaded, bottom, top }

  private func counts(_ value: Value, _ cell: CellScale) -> Int {
    switch value {
    case .last: cell.last
    case .zero: 1_000_000
    case .loaded: 1_100_000
    case .bottom: 0
    case .top: cell.maximum
    }
  }

  /// The cable of the cell comes loose under a load, and is plugged in again.
  @Test(arguments: Value.allCases, [true, false])
  private func aFrozenInputIsOffline(_ value: Value, _ isConverter: Bool) throws {
    // An axis is at the end of its range under a load that is too heavy, or without its plate.
    guard isConverter || value != .top && value != .bottom else { return }
    var cell = try cell(isConverter) { $0.scale.commitsAutomatically = true }
    cell.hold(0, for: 5)
    cell.hold(100, for: 10)
    #expect(cell.effects.drafts.count == 1)
    let epoch = cell.reading.tareEpoch
    _ = cell.take()
    cell.freeze(at: counts(value, cell), for: 3.1) { cell in
      #expect(cell.reading.state != .empty)
      #expect(!cell.reading.isStable || (cell.level - 100).magnitude < 1)
    }
    #expect(cell.reading.state == .offline && cell.reading.net == nil && cell.reading.uncertainty == nil)
    #expect(cell.effects.padWarnings == [.noSignal])
    #expect(cell.take().events.filter { $0 != .overload } == [.padSuspect(.noSignal)])
    cell.ask(.commit)
    #expect(cell.take().rejections == [.padMissing])
    cell.freeze(at: cell.last, for: 600)
    #expect(cell.take().settled.isEmpty && cell.reading.state == .offline)
    cell.hold(100, for: 10)
    #expect(cell.reading.isStable && (cell.level - 100).magnitude < 0.5)
    #expect(cell.reading.tareEpoch == epoch)
    #expect(cell.effects.padWarnings == [nil] && cell.take().drafts.isEmpty, "it is the same load")
    // What was learned about the noise remains.
    let noise = try #require(cell.machine.sampling?.noise.value)
    #expect((0.2...0.5).contains(noise), "\(noise)")
    cell.hold(0, for: 5)
    cell.hold(200, for: 5)
    #expect(cell.take().drafts.count == 1)
  }

  /// A converter without a cell from the start is no empty scale, and what it delivers is no plate.
  @Test func aConverterThatHasNeverShownNoiseIsNoScale() throws {
    var cell = try cell()
    cell.freeze(at: 1_040_000, for: 2.9) { #expect(!$0.reading.isStable) }
    cell.freeze(at: 1_040_000, for: 60)
    #expect(cell.reading.state == .offline && cell.effects.padWarnings == [.noSignal])
    cell.hold(0, for: 5)
    #expect(cell.reading.state == .empty && cell.zeroed.map(\.mass) == [0])
    cell.hold(100, for: 5)
    #expect((cell.level - 100).magnitude < 0.5)
  }

  /// What chance explains is a measurement: pads with few bits and quiet ones repeat their values.
  @Test(arguments: [(0.4, 24), (1, 24), (0.2, 16), (0, 12), (0.3, 10)])
  func aQuietConverterMayRepeatItsValue(_ pad: (noise: Double, bits: Int)) throws {
    var cell = try CellScale(
      .white, rate: 80, division: 1, bits: pad.bits, countsPerGram: 2, offset: 100, seed: 3)
    cell.noise = pad.noise / 2
    for load in [0, 100, 50, 0, 200] {
      cell.hold(Double(load), for: 200) { #expect($0.reading.state != .offline) }
    }
    #expect(cell.effects.padWarnings.allSatisfy { $0 == nil })
  }

  /// A converter that hangs at a value far from the mean sends one sample again, not two or three that agree.
  @Test(arguments: [0, 63], [3.4, -3.8, 4.4]) func aRepeatedOutlierIsOneSample(_ stuckBits: Int, _ off: Double) throws {
    for seed in 0..<UInt64(20) {
      var cell = try CellScale.faulty(seed % 2 == 0, rate: 15, noise: 2.3, seed: seed)
      cell.stuckBits = stuckBits
      cell.hold(0, for: 8)
      cell.hold(100, for: 8)
      #expect(cell.reading.isStable)
      cell.freeze(at: 1_040_000 + Int(off * cell.noise * cell.countsPerGram), for: 1) { cell in
        cell.expectRight(100, since: 0, samples: 0, "seed \(seed)")
      }
    }
  }

  /// Random converters, loads and faults: each load is recorded once and nothing else is, and no stable reading is wrong.
  @Test(arguments: 0..<UInt64(Extent.isFull ? 400 : 8)) func nothingIsMadeOfFaults(_ batch: UInt64) throws {
    var said = (within: 0, all: 0)
    for index in 0..<25 { try check(seed: batch * 25 + UInt64(index), &said) }
    // Ninety-nine in a hundred; a batch has about forty.
    #expect(said.all - said.within <= max(2, said.all / 100), "\(said)")
  }

  private func check(seed: UInt64, _ said: inout (within: Int, all: Int)) throws {
    var random = SplitMix64(seed: seed)
    let rate = 5 * exp2(6 * random.unit()), noise = 0.05 * exp2(6.64 * random.unit())
    let isConverter = seed % 2 == 0
    var cell = try CellScale.faulty(isConverter, rate: rate, noise: noise, seed: seed) {
      $0.scale.commitsAutomatically = true
      $0.scale.minimum = Grams(max(2, 2 * noise))
    }
    // With fewer steps in its noise, a converter repeats its values.
    let steps = Int(noise * cell.countsPerGram / 3)
    if Int.random(in: 0..<4, using: &random) == 0 { cell.stuckBits = (1 << Int.random(in: 1...6, using: &random)) - 1 }
    while cell.stuckBits > steps { cell.stuckBits >>= 1 }
    cell.hold(0, for: max(6, 80 / rate))
    _ = cell.take()
    var loads: [Double] = []
    for _ in 0..<3 {
      let load = 50 + 1000 * random.unit()
      loads.append(load)
      for grams in [load, 0] {
        let begin = cell.time
        var lastFault = begin
        while cell.time < begin + max(8, 100 / rate) {
          cell.sample(grams)
          check(cell, grams, since: begin, seed)
          // A fault that follows another one within a few samples finds the scale without a load that it knows.
          guard cell.time > max(begin + max(3, 40 / rate), lastFault + 10 / rate),
            Int.random(in: 0..<60, using: &random) == 0
          else { continue }
          fail(&cell, grams, since: begin, seed, &random, &said)
          lastFault = cell.time
        }
      }
    }
    cell.expectRecorded(loads, in: cell.take(), seed: seed)
  }

  /// One fault under a load that rests.
  private func fail(
    _ cell: inout CellScale, _ grams: Double, since: Double, _ seed: UInt64, _ random: inout SplitMix64,
    _ said: inout (within: Int, all: Int)
  ) {
    let isConverter = seed % 2 == 0
    switch Int.random(in: 0..<5, using: &random) {
    case 0...1:
      let count = Int.random(in: 0..<1000, using: &random) == 0 ? 2 : 1
      for _ in 0..<count {
        let size = (10 * cell.noise + 5) * exp2(9 * random.unit())
        cell.sample(grams, off: Bool.random(using: &random) ? size : -size)
        check(cell, grams, since: since, seed)
      }
      if Bool.random(using: &random) { cell.wait((2 + 6 * random.unit()) / cell.rate) }
    case 2: cell.wait(2 * random.unit())
    default:
      let places = isConverter ? Value.allCases : [.last, .zero, .loaded]
      let value = places[Int.random(in: 0..<places.count, using: &random)]
      let begin = cell.time
      var first: Double?
      cell.freeze(at: counts(value, cell), for: 0.2 * exp2(5 * random.unit())) { cell in
        check(cell, grams, since: since, seed)
        if first == nil, cell.reading.state == .offline { first = cell.time }
      }
      if cell.time - begin > 3 + 2 / cell.rate {
        said.all += 1
        if let first, first - begin <= 3 + 2 / cell.rate { said.within += 1 }
      }
    }
    check(cell, grams, since: since, seed)
  }

  private func check(_ cell: CellScale, _ grams: Double, since: Double, _ seed: UInt64) {
    // A load that has just been put on or taken off is not known yet: two samples show it, unless one repeats the one before.
    guard cell.reading.isStable, cell.time > since + 4.2 / cell.rate else { return }
    let limit = 5 * max(cell.reading.uncertainty?.value ?? 0, 0.3)
    #expect((cell.level - grams).magnitude < limit, "seed \(seed)")
  }
}
