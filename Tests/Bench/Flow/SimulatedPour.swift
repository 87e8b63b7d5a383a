import Recordings

/// A pour at a steady rate into a cup of known mass that rests before and after it.
struct SimulatedPour: Sendable {
  /// The noise of a sample in grams, one standard deviation.
  var noise: Double
  /// Samples per second.
  var rate: Double
  /// Grams per second.
  var flow: Double
  /// Whether the converter averages over two samples, so that neighbouring ones have a correlation of 0.5.
  var isAveraged = false
  /// How far a stream that splashes is from a steady one, as a time: this multiple of the flow is its standard deviation.
  var splash = 0.0
  /// Counts per gram, and the range as a power of 2.
  var countsPerGram: Double
  var bits: Int

  /// The mass of the cup.
  static let cup = 100.0
  /// When the cup is put down, and how long that takes.
  static let placed = 4.0
  static let hand = 0.3
  /// How long the cup rests before the pour.
  static let lead = 8.0
  static let length = 20.0
  static let tail = 8.0
  /// How long before the pour the cup is tared.
  static let tare = 1.0

  /// The samples, and when the pour begins: at any moment between two samples.
  ///
  /// - Parameter length: How long it lasts, in seconds.
  func series(seed: UInt64, length: Double = SimulatedPour.length) -> (series: LoadSeries, begin: Double) {
    var random = SplitMix64(seed: seed)
    let begin = Self.placed + Self.hand + Self.lead + random.unit() / rate
    var series = LoadSeries(
      name: conditions, kind: .pour, times: [], grams: [], truth: [], countsPerGram: countsPerGram, bits: bits,
      capacity: 1000)
    var earlier = random.gaussian()
    for index in 0..<Int((begin + length + Self.tail) * rate) {
      let time = Double(index) / rate
      let fresh = random.gaussian()
      let error = isAveraged ? (fresh + earlier) / 2.squareRoot() : fresh
      earlier = fresh
      let placed = Self.cup * min(max((time - Self.placed) / Self.hand, 0), 1)
      let load = placed + flow * min(max(time - begin, 0), length)
      let isFlowing = time > begin && time < begin + length
      series.times.append(time)
      series.grams.append(load + noise * error + (isFlowing ? splash * flow * random.gaussian() : 0))
      series.truth?.append(load)
    }
    return (series, begin)
  }

  /// The conditions in the report.
  var conditions: String {
    "\(Table.plain(flow)) g/s, \(Table.plain(noise)) g\(isAveraged ? " averaged" : "")\(splash > 0 ? " splashing" : ""), \(Table.plain(rate)) samples/s"
  }

  /// One standard deviation of the slope of a line through the samples of a time since the start.
  func slopeBound(after elapsed: Double) -> Double { noise * (12 / max(elapsed * rate, 2)).squareRoot() / elapsed }

  /// One standard deviation of the moment at which a line through the rest meets one through the pour.
  var startBound: Double { noise / flow * (1 / (Self.lead * rate) + 4 / (Self.length * rate)).squareRoot() }
}
