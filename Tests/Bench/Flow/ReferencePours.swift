/// A pour of a recording, found by looking ahead, in seconds since its first sample.
struct ReferencePour: Sendable {
  /// The last sample before the load had grown by a quarter of a gram.
  var began: Double
  /// The first sample after which it grows by less than a drip, in half a second and in three; `nil` if the recording
  /// ends before.
  var ended: Double?
}

extension ReferenceFlow {
  /// The pours from a moment on: stretches of flow with more than three seconds of little flow between.
  func pours(from time: Double) -> [ReferencePour] {
    let (times, grams) = (series.times, series.grams)
    let strongest = zip(times, flows).compactMap { $0 >= time ? $1 : nil }.filter { $0 < Self.fastest }.max() ?? 0
    let drip = min(max(strongest * Self.drip, Self.leastDrip), Self.largestDrip)
    func growth(after index: Int, for seconds: Double) -> Double {
      grams[series.indices(from: times[index], to: times[index] + seconds).upperBound - 1] - grams[index]
    }
    func isEnd(_ index: Int) -> Bool {
      growth(after: index, for: Self.pause).magnitude <= drip * Self.pause
        && growth(after: index, for: Self.moment) <= max(drip * Self.moment, Self.flicker)
    }
    var pours: [ReferencePour] = []
    var index = times.partitioningIndex { $0 >= time }
    guard index < times.count, let last = times.last else { return [] }
    var base = grams[index]
    while index < times.count {
      base = min(base, grams[index])
      defer { index += 1 }
      guard grams[index] > base + Self.rise else { continue }
      let began = index - 1
      guard let flow = stream(at: times[began] + 1), flow >= drip else {
        // Something was put on the scale or touched it.
        base = grams[index]
        continue
      }
      guard let end = (index..<times.count).first(where: { times[$0] + Self.pause <= last && isEnd($0) }) else {
        return pours + [ReferencePour(began: times[began], ended: nil)]
      }
      if times[end] - times[began] >= Self.shortest, grams[end] - grams[began] >= Self.leastMass {
        pours.append(ReferencePour(began: times[began], ended: times[end]))
      }
      (index, base) = (end, grams[end])
    }
    return pours
  }

  /// The flow around a moment, of a stream that may pulse; `nil` if it is none.
  private func stream(at time: Double) -> Double? {
    let samples = series.indices(from: time - Self.reach, to: time + Self.reach)
    guard samples.count >= Self.fewest else { return nil }
    let line = SampleLine(series, samples)
    guard line.slope < Self.fastest, line.deviation <= max(Self.scatter, Self.pulse * line.slope) else { return nil }
    return line.slope
  }

  /// How far a stream that pulses is from a steady one at most, in seconds of flow, and its largest flow in grams per
  /// second: the load is touched otherwise.
  private static let pulse = 0.12
  private static let fastest = 20.0
  /// By how many grams the load grows at the start.
  private static let rise = 0.25
  /// The flow of a drip as a share of the strongest flow, and its limits in grams per second.
  private static let drip = 0.1
  private static let leastDrip = 0.1
  private static let largestDrip = 0.5
  /// The seconds of little flow between two pours, and those in which the flow has become little.
  private static let pause = 3.0
  private static let moment = 0.5
  /// The least length in seconds and the least mass in grams of a pour.
  private static let shortest = 1.0
  private static let leastMass = 1.0
}

extension LoadSeries {
  /// The share of the samples in pours that have no flow.
  func unknown(in pours: [ReferencePour], _ flows: [Double?]) -> Double? {
    var (unknown, count) = (0, 0)
    for pour in pours {
      for index in indices(from: pour.began + 1, to: pour.ended ?? .infinity) {
        count += 1
        if flows[index] == nil { unknown += 1 }
      }
    }
    return count > 0 ? Double(unknown) / Double(count) : nil
  }
}
