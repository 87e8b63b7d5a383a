/// The inflow of a recorded pour: the largest part of it that only grows.
struct DoseRecording: Sendable {
  let name: String
  /// Seconds from the start, and the grams since then.
  private var times: [Double] = []
  private var grams: [Double] = []

  /// The vessel was touched where the load falls by more than this, or rises faster: in grams, and in grams per second.
  private static let fall = 1.0
  private static let fastest = 15.0
  /// The rise of a start in grams, as in `ReferenceFlow.onset`.
  private static let rise = 0.25
  /// The least mass of a target, and of a pour as a multiple of it.
  private static let least = 10.0
  /// How long a pour lasts before its target at most, in seconds.
  private static let longest = 40.0

  private init(_ name: String) { self.name = name }

  /// Finds the inflow of a recording; `nil` if it is too small for a target.
  init?(_ recording: ShotRecording) {
    self.init(recording.name)
    var (start, highest) = (0, -Double.infinity)
    var best = (range: 0..<0, gain: 0.0)
    for (index, mass) in recording.grams.enumerated() {
      if index > 0 {
        let step = max(recording.times[index] - recording.times[index - 1], 0.1)
        let isTouched = mass < highest - Self.fall || mass - recording.grams[index - 1] > Self.fastest * step
        if isTouched { (start, highest) = (index, mass) }
      }
      highest = max(highest, mass)
      let gain = highest - recording.grams[start]
      if gain > best.gain { best = (start..<index + 1, gain) }
    }
    guard best.gain >= 1.5 * Self.least else { return nil }
    let base = recording.grams[best.range.lowerBound]
    let risen = best.range.first { recording.grams[$0] > base + Self.rise } ?? best.range.lowerBound
    let first = max(risen - 1, best.range.lowerBound)
    for index in first..<best.range.upperBound {
      times.append(recording.times[index] - recording.times[first])
      grams.append(max(grams.last ?? 0, recording.grams[index] - base))
    }
  }

  /// The pours that end at a third, at two thirds and at nine tenths of the mass.
  var places: [(recording: DoseRecording, target: Double, flow: Double)] {
    [0.33, 0.67, 0.9].compactMap { share in
      let goal = share * grams[grams.count - 1]
      let end = grams.partitioningIndex { $0 >= goal }
      let first = times.partitioningIndex { $0 >= times[end] - Self.longest }
      let target = (10 * (goal - grams[first])).rounded() / 10
      guard target >= Self.least else { return nil }
      var part = DoseRecording(name)
      part.times = times[first...].map { $0 - times[first] }
      part.grams = grams[first...].map { $0 - grams[first] }
      let (before, after) = (max(end - 5, first), min(end + 5, grams.count - 1))
      return (part, target, (grams[after] - grams[before]) / (times[after] - times[before]))
    }
  }

  /// The mass at each step.
  func masses(step: Double) -> [Double] {
    var index = 0
    return (0...Int(times[times.count - 1] / step)).map { number in
      let time = Double(number) * step
      while index + 2 < times.count, times[index + 1] <= time { index += 1 }
      let share = min(max((time - times[index]) / (times[index + 1] - times[index]), 0), 1)
      return grams[index] + share * (grams[index + 1] - grams[index])
    }
  }
}
