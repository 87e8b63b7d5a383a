import Weighing

/// The mean of the last ten samples; stable when it stays within 2 g of its first value for three seconds.
struct TrackWeightMean: BenchFilter {
  let name = BenchFilterName.trackWeight
  let criterion: StabilityCriterion? = StabilityCriterion(limit: 2, time: .seconds(3))
  private var window = SlidingWindow(size: 10)
  private var reference: (time: Instant, level: Double)?
  private(set) var stableSince: Instant?

  var level: Double { window.mean }

  mutating func restart() { self = Self() }

  mutating func process(_ sample: BenchSample) {
    window.append(sample.grams)
    guard let reference, (level - reference.level).magnitude <= 2 else {
      reference = (sample.time, level)
      stableSince = nil
      return
    }
    if stableSince == nil, sample.time - reference.time >= .seconds(3) { stableSince = sample.time }
  }
}

/// The mean of each block of ten samples, shown until the next block is complete.
struct HX711Average: BenchFilter {
  let name = BenchFilterName.hx711
  private(set) var level = 0.0
  private var sum = 0.0
  private var count = 0

  mutating func restart() { self = Self() }

  mutating func process(_ sample: BenchSample) {
    sum += sample.grams
    count += 1
    guard count == 10 else { return }
    level = sum / 10
    (sum, count) = (0, 0)
  }
}

/// The median of the last five samples at each fifth sample, followed by a sliding mean.
struct ESPHomeFilters: BenchFilter {
  let name = BenchFilterName.espHome
  private var raw = SlidingWindow(size: 5)
  private var medians = SlidingWindow(size: 15)
  private var count = 0

  var level: Double { medians.mean }

  mutating func restart() { self = Self() }

  mutating func process(_ sample: BenchSample) {
    raw.append(sample.grams)
    // ESPHome sends the first value immediately, then each fifth.
    if count % 5 == 0 { medians.append(raw.median) }
    count += 1
  }
}

/// The mean of all samples since the load came to rest; before that, the last sample.
struct RestMean: BenchFilter {
  let name = BenchFilterName.bound
  private let rest: Instant
  private var sum = 0.0
  private var count = 0.0
  private var last = 0.0

  init(rest: Instant) { self.rest = rest }

  var level: Double { count == 0 ? last : sum / count }

  mutating func restart() {}

  mutating func process(_ sample: BenchSample) {
    last = sample.grams
    guard sample.time >= rest else { return }
    sum += sample.grams
    count += 1
  }
}

/// The last values, 15 at most.
struct SlidingWindow {
  private var values: InlineArray<15, Double> = .init(repeating: 0)
  private let size: Int
  private var filled = 0
  private var next = 0

  init(size: Int) { self.size = size }

  var mean: Double {
    guard filled > 0 else { return 0 }
    var sum = 0.0
    for index in 0..<filled { sum += values[index] }
    return sum / Double(filled)
  }

  var median: Double {
    guard filled > 0 else { return 0 }
    var sorted = values
    for index in 1..<max(filled, 1) {
      var position = index
      while position > 0, sorted[position - 1] > sorted[position] {
        sorted.swapAt(position - 1, position)
        position -= 1
      }
    }
    let middle = filled / 2
    return filled % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  mutating func append(_ value: Double) {
    values[next] = value
    next = (next + 1) % size
    filled = min(filled + 1, size)
  }
}
