import Weighing

/// The mean of the last ten samples, settled when all of three seconds were within 2 g.
struct TrackWeightMean: Contender {
  let name = "mean of 10"
  let source = "TrackWeight (github.com/KrishKrosh/TrackWeight): mean of 10 samples, held 3 s within 2 g"
  private var window = SlidingWindow(size: 10)
  private var recent: [(time: Instant, level: Double)] = []
  private var first = 0

  var level: Double { window.mean }

  var isStable: Bool? {
    guard first < recent.count, let last = recent.last else { return false }
    guard last.time - recent[first].time >= .milliseconds(2900) else { return false }
    let levels = recent[first...].map(\.level)
    return (levels.max() ?? 0) - (levels.min() ?? 0) <= 2
  }

  mutating func take(_ sample: PadSample) {
    window.append(sample.grams)
    recent.append((sample.time, window.mean))
    while recent[first].time + .seconds(3) < sample.time { first += 1 }
  }
}

/// Blocks of ten samples, each averaged and then shown until the next is complete.
struct HX711Average: Contender {
  let name = "HX711 average"
  let source = "bogde/HX711 0.7.5, src/HX711.cpp: get_units(10) reads ten samples and returns their mean"
  private(set) var level = 0.0
  private var sum = 0.0
  private var count = 0

  mutating func take(_ sample: PadSample) {
    sum += sample.grams
    count += 1
    guard count == 10 else { return }
    level = sum / 10
    (sum, count) = (0, 0)
  }
}

/// A median of the last five, sent at each fifth sample, then a sliding mean of those.
struct ESPHomeFilters: Contender {
  let name = "ESPHome filters"
  let source =
    "esphome.io, sensor filters: median (window_size 5, send_every 5: its defaults), then"
    + " sliding_window_moving_average (window_size 15, send_every 15 in its example; here each value is sent)"
  private var raw = SlidingWindow(size: 5)
  private var medians = SlidingWindow(size: 15)
  private var count = 0

  var level: Double { medians.mean }

  mutating func take(_ sample: PadSample) {
    raw.append(sample.grams)
    // The first value is sent at once, then each fifth.
    defer { count += 1 }
    if count % 5 == 0 { medians.append(raw.median) }
  }
}

/// The last so many values.
struct SlidingWindow {
  private var values: [Double] = []
  private let size: Int

  init(size: Int) { self.size = size }

  var mean: Double { values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count) }

  var median: Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  mutating func append(_ value: Double) {
    if values.count == size { values.removeFirst() }
    values.append(value)
  }
}
