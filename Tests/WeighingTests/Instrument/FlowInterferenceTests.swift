import Foundation
import Recordings
import Testing

@testable import Weighing

/// Streams that do not flow steadily, and loads that do not flow.
@Suite struct FlowInterferenceTests {
  /// A load cell with a cup of 100 g that has rested.
  private func cup(noise: Double, rate: Double = 11, isConverter: Bool = true, seed: UInt64 = 1) throws -> CellScale {
    var scale = try CellScale(rate: rate, division: 0.1, isConverter: isConverter, seed: seed)
    scale.noise = noise
    scale.hold(0, for: 4)
    scale.hold(100, for: 10)
    return scale
  }

  /// A kettle: the flow swings between nearly nothing and twice its mean.
  @Test(arguments: [6, 9, 13.5] as [Double], [true, false])
  func `a kettle that pours in pulses has a flow`(flow: Double, isConverter: Bool) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      var scale = try cup(noise: 0.03, isConverter: isConverter, seed: seed)
      let begin = scale.time
      var (unknown, values) = (0, [Double]())
      while scale.time < begin + 20 {
        let time = scale.time - begin
        scale.sample(100 + flow * (time - 0.09 * sin(time * 2 * .pi / 0.6)))
        guard time > 4 else { continue }
        if let flow = scale.reading.flow { values.append(flow) } else { unknown += 1 }
      }
      #expect(unknown <= values.count / 20, "unknown \(unknown) times, known \(values.count) times")
      let mean = values.reduce(0, +) / Double(values.count)
      #expect((mean - flow).magnitude < 0.15 * flow, "\(mean)")
      scale.hold(100 + 20 * flow, for: 6)
      #expect(scale.reading.flow == 0 && scale.machine.meter.pour.count == 1)
    }
  }

  @Test func `a stream that splashes is measured as well as its scatter allows`() throws {
    let flow = 8.0
    var (outside, values) = (0, 0)
    for seed in 1...8 as ClosedRange<UInt64> {
      var scale = try cup(noise: 0.01, seed: seed)
      var random = SplitMix64(seed: seed)
      let begin = scale.time
      while scale.time < begin + 20 {
        let time = scale.time - begin
        scale.sample(100 + flow * (time + 0.1 * random.gaussian()))
        guard let value = scale.reading.flow else { continue }
        values += 1
        if (value - flow).magnitude > 0.2 { outside += 1 }
      }
    }
    #expect(Double(values) >= 0.92 * 8 * 20 * 11)
    #expect(Double(outside) <= 0.09 * Double(values), "\(outside) of \(values)")
  }

  /// An hour in all: chance alone makes some of the samples look like a flow.
  @Test(arguments: [0.03, 0.1])
  func `a load at rest has few false flows and no pour`(noise: Double) throws {
    var flows = 0
    for seed in 1...6 as ClosedRange<UInt64> {
      var scale = try cup(noise: noise, seed: seed)
      var last = 0.0
      scale.hold(100, for: 600) { scale in
        let flow = scale.reading.flow ?? 0
        if flow != 0 && last == 0 { flows += 1 }
        last = flow
      }
      #expect(scale.machine.meter.pour.count == 0)
    }
    #expect(flows <= 23, "\(flows) an hour")
  }

  /// A hand puts something down within three tenths of a second, as fast as a stream of 27 g/s or more.
  @Test(arguments: [8, 20, 60, 300] as [Double])
  func `a load that is put on is no flow`(mass: Double) throws {
    for seed in 1...12 as ClosedRange<UInt64> {
      var scale = try cup(noise: 0.03, seed: seed)
      var random = SplitMix64(seed: seed)
      let begin = scale.time + random.unit() / 11
      while scale.time < begin + 4 {
        let time = scale.time - begin
        scale.sample(100 + mass * min(max(time / 0.3, 0), 1))
        if time > 0.4 { #expect(scale.reading.flow ?? 0 < 1, "seed \(seed), \(time) s") }
      }
      #expect(scale.machine.meter.pour.count == 0)
    }
  }
}
