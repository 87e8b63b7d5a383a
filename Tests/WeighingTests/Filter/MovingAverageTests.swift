import Recordings
import Testing

@testable import Weighing

/// The promise of the filter: quicker and quieter than a mean of ten samples, on the same samples.
@Suite struct MovingAverageTests {
  struct Mean {
    var values: [Double] = []
    mutating func add(_ value: Double) -> Double {
      values.append(value)
      if values.count > 10 { values.removeFirst() }
      return values.reduce(0, +) / Double(values.count)
    }
  }

  @Test(arguments: [5, 20, 100, 500])
  func itIsQuickerAndQuieter(_ step: Int) {
    var ours: (times: [Double], spread: [Double]) = ([], [])
    var theirs: (times: [Double], spread: [Double]) = ([], [])
    // One division, 2.5 counts on the pad of the requirements.
    let near = 2.5
    for seed in 1...60 {
      var feed = LoadFilterTests.Feed(seed: UInt64(seed))
      var random = SplitMix64(seed: UInt64(seed))
      var mean = Mean()
      var last = (ours: 0, theirs: 0)
      for frame in 0..<375 {
        let truth = frame < 125 ? 400.0 : 400 + Double(step)
        feed.add(truth)
        let average = mean.add((truth + 1.5 * random.gaussian()).rounded())
        guard frame >= 125 else { continue }
        if (feed.level - truth).magnitude > near { last.ours = frame - 124 }
        if (average - truth).magnitude > near { last.theirs = frame - 124 }
        if frame > 250 {
          ours.spread.append((feed.level - truth) * (feed.level - truth))
          theirs.spread.append((average - truth) * (average - truth))
        }
      }
      ours.times.append(Double(last.ours))
      theirs.times.append(Double(last.theirs))
    }
    func rms(_ squares: [Double]) -> Double { (squares.reduce(0, +) / Double(squares.count)).squareRoot() }
    #expect(ours.times.median < theirs.times.median)
    #expect(rms(ours.spread) < rms(theirs.spread) / 2)
  }
}
