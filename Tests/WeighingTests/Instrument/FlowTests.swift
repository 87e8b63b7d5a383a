import Recordings
import Testing

@testable import Weighing

@Suite struct FlowTests {
  static let noisy = [10.0, 60, 125].flatMap { rate in
    [0.3, 0.5].flatMap { noise in
      [0.5, 1, 2, 4, 8].map { Pour(noise: noise, rate: rate, flow: $0, resolution: 0.1) }
    }
  }

  @Test(arguments: noisy)
  func `a steady pour is measured as well as a line allows`(pour: Pour) throws {
    var values = 0
    var misses = 0
    for seed in 1...4 as ClosedRange<UInt64> {
      for (time, flow) in try pour.run(seed: seed).values(from: 0, to: pour.length) {
        guard let flow else { continue }
        let samples = max(time * pour.rate, 2)
        let bound = pour.noise * (12 / samples).squareRoot() / time
        values += 1
        if (flow - pour.flow).magnitude > max(0.2, 2.5 * bound) { misses += 1 }
      }
    }
    #expect(Double(values) >= 0.95 * 4 * pour.length * pour.rate)
    #expect(Double(misses) <= 0.05 * Double(values), "\(misses) of \(values)")
  }

  static let real: [(Double, Double, Double, Double)] = [(0.03, 0.5, 0.03, 0.02), (0.1, 1, 0.06, 0.06)]

  @Test(arguments: real)
  func `a real load cell shows a flow soon and to a few per cent`(
    noise: Double, delay: Double, accuracy: Double, rest: Double
  ) throws {
    for flow in [1.0, 2, 4, 8] {
      let pour = Pour(noise: noise, rate: 11, flow: flow, kind: .averaged, isConverter: true, resolution: 1 / 1540)
      var errors: [Double] = []
      var resting: [Double] = []
      var delays: [Double] = []
      for seed in 1...8 as ClosedRange<UInt64> {
        let trace = try pour.run(seed: seed)
        errors += trace.values(from: 0, to: pour.length).compactMap { $0.flow.map { ($0 - flow).magnitude / flow } }
        resting += trace.values(from: -4, to: 0).compactMap { $0.flow?.magnitude }
        delays.append(trace.values.first { $0.time > 0 && $0.flow ?? 0 > 0 }?.time ?? .infinity)
        delays.append(
          (trace.values.first { $0.time > pour.length && $0.flow == 0 }?.time ?? .infinity) - pour.length)
      }
      // A line since the true start is not better at 1 g/s: 3 % and 9 %.
      #expect(errors.quantile(0.95) <= (flow > 1 ? accuracy : 2.6 * accuracy), "\(flow) g/s")
      #expect(resting.quantile(0.95) <= rest)
      #expect(delays.quantile(0.95) <= delay + (flow > 4 ? 0.15 : 0), "\(flow) g/s")
    }
  }

  static let dated =
    [10.0, 60, 125].flatMap { rate in
      [0.5, 1, 2, 8].map { Pour(noise: 0.3, rate: rate, flow: $0, resolution: 0.1) }
    } + [0.5, 2, 8].map { Pour(noise: 0.03, rate: 11, flow: $0, kind: .averaged, isConverter: true) }

  @Test(arguments: dated)
  func `a pour is back-dated to the moment at which it began and ended`(pour: Pour) throws {
    var starts: [Double] = []
    var stops: [Double] = []
    for seed in 1...8 as ClosedRange<UInt64> {
      let trace = try pour.run(seed: seed)
      #expect(trace.pours == 1)
      starts.append((trace.began ?? .infinity).magnitude)
      stops.append(((trace.ended ?? .infinity) - pour.length).magnitude)
    }
    let bound = pour.noise / pour.flow * (1 / (pour.lead * pour.rate) + 4 / (pour.length * pour.rate)).squareRoot()
    #expect(starts.quantile(0.9) <= max(0.3, 2.5 * bound), "\(starts.max() ?? 0)")
    #expect(stops.quantile(0.9) <= 1, "\(stops.max() ?? 0)")
  }

  /// Bluetooth scales report tenths of a gram, and a stream splashes: each step is more than the noise.
  @Test(arguments: [0.8, 1.6, 4], [10, 80] as [Double])
  func `a flow in steps remains known`(flow: Double, rate: Double) throws {
    var scale = try CellScale(rate: rate, division: 0.1, isConverter: false, countsPerGram: 1000)
    scale.noise = 0
    var random = SplitMix64(seed: 5)
    scale.hold(0, for: 4)
    scale.hold(30, for: 8)
    let begin = scale.time
    var (unknown, values, errors) = (0, 0, [Double]())
    while scale.time < begin + 25 {
      let time = scale.time - begin
      let load = 30 + flow * time + 0.1 * flow * random.gaussian()
      scale.sample((load * 10).rounded() / 10)
      guard time > 2 else { continue }
      values += 1
      if let flow = scale.reading.flow { errors.append(flow) } else { unknown += 1 }
    }
    #expect(Double(unknown) <= 0.03 * Double(values), "\(unknown) of \(values)")
    let deviations = errors.map { ($0 - flow).magnitude / flow }
    #expect(deviations.quantile(0.9) <= 0.3)
    scale.hold(30 + 25 * flow, for: 6)
    #expect(scale.reading.flow == 0 && scale.machine.meter.pour.count == 1)
  }
}
