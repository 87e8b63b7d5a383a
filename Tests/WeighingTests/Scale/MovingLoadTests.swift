import Foundation
import Testing
import Weighing

/// Loads that pour, swing, drip and evaporate on a load cell.
@Suite struct MovingLoadTests {
  private func cell(
    division: Double = 1, motion: Double = 1, seed: UInt64 = 1, cup: Double = 50
  ) throws -> LoadCell {
    var cell = try LoadCell(division: division, motion: motion, seed: seed)
    cell.rest(0, for: 4)
    cell.rest(cup, for: 6)
    _ = cell.scale.take()
    return cell
  }

  /// Half a gram to three a second, as steady as a tap and as uneven as a pump.
  @Test(arguments: [0.5, 0.8, 1.6, 3], [0, 0.3, 0.6])
  func aFlowIsNotStable(_ rate: Double, _ unevenness: Double) throws {
    for seed in 1...5 {
      var cell = try cell(seed: UInt64(seed))
      let flow = cell.weigh(for: 23) { 50 + rate * ($0 + unevenness * sin(5 * $0) / 5) }
      // The slowest one takes longest to be told from noise.
      #expect(flow.stableShare <= (rate > 0.5 ? 0.05 : 0.08), "stable during \(flow.stableShare) of \(rate) g/s")
      let end = flow.last?.load ?? 0
      let rest = cell.rest(end, for: 4)
      #expect((rest.stableFrom ?? .infinity) < 1.5, "\(rest.stableFrom ?? .infinity) s after the end of \(rate) g/s")
      #expect(cell.scale.take().settled.count <= 3)
    }
  }

  /// A fifth of a gram a second is less than a third of the limit.
  @Test(arguments: [0.02, 0.1, 0.2])
  func aSlowDripIsStable(_ rate: Double) throws {
    var cell = try cell()
    let drip = cell.weigh(for: 30) { 50 + rate * $0 }
    #expect(drip.stableShare > 0.95)
    #expect(cell.scale.take().settled.isEmpty, "what drifts while it rests is not announced")
  }

  /// Twice the limit for ten seconds, then less than half of it.
  @Test func aFlowThatFadesBecomesStable() throws {
    var cell = try cell()
    #expect(cell.weigh(for: 10) { 50 + 0.7 * $0 }.suffix(80).map { $0 }.stableShare == 0)
    #expect(cell.weigh(for: 10) { 57 + 0.14 * $0 }.suffix(50).map { $0 }.stableShare == 1)
  }

  /// 2.1 g in three minutes.
  @Test func anEvaporatingLoadIsFollowed() throws {
    for seed in 1...3 {
      var cell = try cell(division: 0.1, motion: 0.2, seed: UInt64(seed), cup: 244)
      let drying = cell.weigh(for: 180) { 244 - 2.1 / 180 * $0 }
      #expect(drying.stableShare > 0.97)
      let errors = drying.dropFirst(30).map { ($0.reading.highResolution?.value ?? .infinity) - $0.load }
      #expect(errors.allSatisfy { $0.magnitude < 0.1 }, "\(errors.map(\.magnitude).max() ?? 0) g")
      let shown = drying.dropFirst(30).map { ($0.reading.net?.mass.value ?? .infinity) - $0.load }
      #expect(shown.allSatisfy { $0.magnitude < 0.15 }, "\(shown.map(\.magnitude).max() ?? 0) g displayed")
    }
  }

  /// A pan that hangs on the cell; the swing fades within a minute or two.
  @Test(arguments: [0.6, 0.8, 0.98, 1.4])
  func aSwingIsNotStable(_ frequency: Double) throws {
    for seed in 1...4 {
      var cell = try cell(seed: UInt64(seed))
      cell.noise = 0.1
      cell.period = .milliseconds(111)...Interval.milliseconds(116)
      let fading = 50.0
      let swing = cell.weigh(for: 200) { time in
        250 + 15 * exp(-time / fading) * sin(2 * .pi * frequency * time + Double(seed))
      }
      let onsets = zip(swing, swing.dropFirst()).filter { !$0.reading.isStable && $1.reading.isStable }.map {
        30 * exp(-$1.time / fading)
      }
      #expect(onsets.allSatisfy { $0 <= 6 }, "onsets at \(onsets) g of swing")
      #expect(!onsets.isEmpty, "it settles in the end")
      #expect(cell.scale.take().settled.count <= 4)
    }
  }

  /// The reading is stable soon after a pour of 15 g/s, and the topic with it.
  @Test func aPourSettles() throws {
    var delays: [Double] = []
    for seed in 1...20 {
      var cell = try cell(division: 0.1, motion: 0.2, seed: UInt64(seed))
      _ = cell.weigh(for: 3) { 50 + 15 * $0 }
      _ = cell.scale.take()
      let begin = cell.scale.now
      let rest = cell.rest(95, for: 5)
      delays.append(rest.stableFrom ?? .infinity)
      let settled = cell.scale.take().settled
      #expect(settled.count == 1)
      let announced = settled.first.map { ($0.time - begin).seconds } ?? .infinity
      #expect((announced - (rest.stableFrom ?? 0)).magnitude <= 0.2)
    }
    #expect(delays.quantile(0.9) <= 0.8, "\(delays.sorted())")
  }

  /// The net after a stir is announced if it is displayed differently, however small the difference.
  @Test(arguments: [(0.1, 0.2, 0.3), (0.1, 1, 0.3), (1, 1, 1)])
  func aStirredLoadIsAnnouncedWithItsReading(_ division: Double, _ motion: Double, _ loss: Double) throws {
    var cell = try cell(division: division, motion: motion, cup: 144.2)
    _ = cell.weigh(for: 3) { 144.2 + 20 * sin(9 * $0) }
    _ = cell.scale.take()
    let begin = cell.scale.now
    let rest = cell.rest(144.2 - loss, for: 6)
    let stable = try #require(rest.stableFrom)
    let settled = cell.scale.take().settled
    #expect(settled.count == 1)
    let announced = try #require(settled.first.map { ($0.time - begin).seconds })
    #expect((announced - stable).magnitude <= 0.2, "\(announced) s, the reading \(stable) s")
  }

  /// Stirred, and nothing lost: the same text is not announced again.
  @Test func aStirThatChangesNothingIsNotAnnounced() throws {
    var cell = try cell(cup: 144.2)
    _ = cell.weigh(for: 3) { 144.2 + 20 * sin(9 * $0) }
    cell.rest(144.2, for: 6)
    #expect(cell.scale.reading.isStable)
    #expect(cell.scale.take().settled.isEmpty)
  }

  /// A fast converter follows the configured time, a slow one six of its periods.
  @Test(arguments: [(12, 300), (50, 300), (100, 600), (200, 1200)])
  func theTimeIsAtLeastSixSamplePeriods(_ period: Int, _ time: Int) throws {
    var cell = try LoadCell()
    cell.period = .milliseconds(period)...Interval.milliseconds(period)
    cell.rest(0, for: 6)
    cell.rest(100, for: 8)
    let rest = cell.rest(200, for: 8)
    let stable = try #require(rest.stableFrom) * 1000
    #expect(stable >= Double(time - period) && stable <= Double(time + 2 * period), "\(stable) ms")
    let inForce = cell.scale.take().compactMap { if case .sampling(let report, _) = $0 { report } else { nil } }
    #expect(inForce.last.map { ($0.stableTime.seconds * 1000).rounded() } == Double(time))
    #expect(((inForce.last?.sampling.rate ?? 0) - 1000 / Double(period)).magnitude < 0.02 * 1000 / Double(period))
  }
}
