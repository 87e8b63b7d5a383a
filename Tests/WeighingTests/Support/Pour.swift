import Recordings

@testable import Weighing

/// A pour on a load cell: a cup at rest, then mass at a steady rate, then rest.
struct Pour: Sendable, CustomStringConvertible {
  /// The noise of a sample in grams, one standard deviation.
  var noise: Double
  /// Samples per second.
  var rate: Double
  /// Grams per second.
  var flow: Double
  /// The noise of neighbouring samples.
  var kind = CellNoise.Kind.white
  /// Whether each sample is known to arrive; otherwise the pad drops repeated values.
  var isConverter = false
  /// Grams per count.
  var resolution = 0.01
  var lead = 8.0
  var length = 20.0
  var tail = 8.0

  var description: String { "\(flow) g/s, \(noise) g, \(rate) Hz" }

  /// What the scale showed.
  struct Trace {
    /// Seconds since the pour began, and the flow; `nil` while it was unknown.
    var values: [(time: Double, flow: Double?)] = []
    /// When the pour began and ended, and when the scale said so, in seconds since it began.
    var began: Double?
    var ended: Double?
    var pours = 0

    func values(from begin: Double, to end: Double) -> [(time: Double, flow: Double?)] {
      values.filter { begin <= $0.time && $0.time < end }
    }
  }

  /// Pours; what the scale showed.
  func run(seed: UInt64) throws -> Trace {
    var scale = try CellScale(
      kind, rate: rate, division: 0.1, isConverter: isConverter, countsPerGram: 1 / resolution, seed: seed)
    scale.noise = noise
    var trace = Trace()
    scale.hold(0, for: 4)
    let start = scale.time + lead + Double(seed % 17) / 17 / rate
    let end = start + length + tail
    while scale.time < end {
      let time = scale.time - start
      scale.sample(100 + flow * min(max(time, 0), length))
      trace.values.append((time, scale.reading.flow))
    }
    let pour = scale.machine.meter.pour
    trace.pours = pour.count
    if pour.count > 0 { trace.began = scale.seconds(pour.began) - start }
    trace.ended = pour.ended.map { scale.seconds($0) - start }
    return trace
  }
}
