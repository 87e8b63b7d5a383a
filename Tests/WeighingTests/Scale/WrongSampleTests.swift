import Foundation
import Recordings
import TestExtent
import Testing
import Weighing

/// A converter reads a wrong bit now and then, and resets itself for some periods: one sample is no load, no press and no record.
@Suite struct WrongSampleTests {
  /// The reported case: 100 g, 0.3 g of noise, and a wrong sample before the reset of an HX711.
  @Test(arguments: [false, true], [170.0, 350, 1000, 3000, -80])
  func aWrongSampleAndAReset(_ isConverter: Bool, _ off: Double) throws {
    for (rate, pause) in [(10.5, 0.42), (10.5, 0.6), (10.5, 0.8), (10.5, 3), (80, 0.42), (80, 1.5)] {
      for isAutomatic in [false, true] {
        var cell = try CellScale.faulty(isConverter, rate: rate, noise: 0.3, seed: 1) {
          $0.scale.commitsAutomatically = isAutomatic
        }
        cell.hold(0, for: 5)
        cell.hold(100, for: 10)
        #expect(cell.reading.isStable)
        _ = cell.take()
        cell.sample(100, off: off)
        #expect((cell.level - 100).magnitude < 1)
        cell.wait(2.4 / rate - 1 / rate)
        #expect(cell.reading.isStable, "not overdue by one and a half periods")
        cell.wait(pause - 1.4 / rate)
        #expect((cell.level - 100).magnitude < 1 && !cell.reading.isStable)
        cell.hold(100, for: 5)
        #expect((cell.level - 100).magnitude < 1 && cell.reading.isStable)
        let effects = cell.take()
        #expect(effects.drafts.isEmpty, "\(rate) \(pause)")
        #expect(effects.settled.allSatisfy { $0.net?.steps == 100 })
        let reports = effects.gestures.filter { $0.state != .idle }
        #expect(reports.isEmpty, "\(reports)")
      }
    }
  }

  /// 100 g rest, the next sample says 0 g, and a command comes before the one after it: only that one shows what lies there.
  @Test(arguments: [false, true], [10.0, 20, 80])
  func aCommandInDoubtWaitsForTheNextSample(_ isConverter: Bool, _ rate: Double) throws {
    for action in [Action.commit, .tare, .zero] {
      var cell = try CellScale.faulty(isConverter, rate: rate, noise: 0.3, seed: 7)
      cell.hold(0, for: 5)
      for isLifted in [false, true] {
        cell.hold(100, for: 10)
        _ = cell.take()
        cell.sample(100, off: isLifted ? -100 : 300)
        cell.ask(action)
        #expect(cell.effects.results.isEmpty && cell.effects.drafts.isEmpty, "\(action)")
        cell.hold(isLifted ? 0 : 100, for: 5)
        let masses =
          cell.zeroed.map(\.mass) + cell.effects.recordedMasses + cell.effects.tareMasses
        switch (isLifted, action) {
        case (false, .zero): #expect(masses == [100])
        case (false, _): #expect(masses == [100], "\(action)")
        case (true, .zero): #expect(masses.allSatisfy { $0.magnitude <= 1 }, "\(masses)")
        case (true, _): #expect(masses.isEmpty && cell.effects.rejections == [.empty], "\(action)")
        }
        if action == .tare { cell.ask(.clearTare) }
        cell.hold(0, for: 5)
        if action == .zero { cell.ask(.zero) }
        cell.hold(0, for: 5)
      }
    }
  }

  /// evdev drops a repeated value at the ends of the range, too: a load beyond the axis, or a plate that was lifted, sends one frame.
  @Test(arguments: [false, true]) func theEndOfTheRangeIsNoWrongSample(_ isAbove: Bool) throws {
    var cell = try CellScale.faulty(false, rate: 20, noise: 0.3, seed: 3)
    cell.hold(0, for: 5)
    cell.hold(100, for: 10)
    cell.sample(100, off: isAbove ? 1e5 : -1e5)
    cell.wait(1)
    #expect(cell.reading.isOverloaded == isAbove)
    #expect(isAbove || cell.level < -1000)
  }

  /// A wrong sample between two presses, or after them, takes nothing from them.
  @Test func aConfirmedPressSurvivesAWrongSample() throws {
    var cell = try CellScale.faulty(true, rate: 10, noise: 0.3, seed: 4)
    cell.hold(0, for: 5)
    cell.hold(100, for: 10)
    _ = cell.take()
    cell.hold(300, for: 1)
    cell.hold(100, for: 0.3)
    cell.sample(100, off: 500)
    cell.wait(0.6)
    cell.hold(100, for: 5)
    #expect(cell.effects.drafts.count == 1 && cell.effects.drafts.allSatisfy { $0.request.source == .pad })
  }

  /// Loads come and go while single samples are wrong by any amount, with or without a reset: nothing stable is wrong, and each load
  /// is recorded once and by itself.
  @Test(arguments: Extent.of(0..<40)) func nothingIsMadeOfSingleSamples(_ batch: UInt64) throws {
    for index in 0..<10 {
      let seed = batch * 10 + UInt64(index)
      var random = SplitMix64(seed: seed)
      let rate = 5 * exp2(6 * random.unit()), noise = 0.05 * exp2(5 * random.unit())
      var cell = try CellScale.faulty(seed % 2 == 0, rate: rate, noise: noise, seed: seed) {
        $0.scale.commitsAutomatically = true
      }
      cell.hold(0, for: max(5, 60 / rate))
      _ = cell.take()
      var loads: [Double] = []
      for _ in 0..<3 {
        let load = 50 + 1000 * random.unit()
        loads.append(load)
        for grams in [load, 0] {
          let begin = cell.time
          while cell.time < begin + max(6, 80 / rate) {
            cell.sample(grams)
            cell.expectRight(grams, since: begin, samples: 3, "seed \(seed)")
            guard cell.time > begin + 20 / rate, Int.random(in: 0..<30, using: &random) == 0 else { continue }
            let size = (10 * noise + 5) * exp2(9 * random.unit())
            cell.sample(grams, off: Bool.random(using: &random) ? size : -size)
            cell.expectRight(grams, since: begin, samples: 3, "seed \(seed)")
            if Int.random(in: 0..<3, using: &random) > 0 { cell.wait((2 + 6 * random.unit()) / rate) }
            cell.expectRight(grams, since: begin, samples: 3, "seed \(seed)")
            cell.sample(grams)
          }
        }
      }
      cell.expectRecorded(loads, in: cell.take(), seed: seed)
    }
  }
}
