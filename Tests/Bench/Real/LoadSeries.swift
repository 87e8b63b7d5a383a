/// The samples of a load cell, in grams above its empty plate.
struct LoadSeries: Sendable {
  /// The name in the report: `brew`, `hanging-tal`.
  var name: String
  /// What is scored.
  var kind: Kind
  /// Seconds since the first sample.
  var times: [Double]
  /// The load of each sample in grams, with noise.
  var grams: [Double]
  /// The true load of each sample, if it is known: for synthetic series.
  var truth: [Double]?
  /// Counts of the converter per gram.
  var countsPerGram: Double
  /// The range of the converter is 2 to this power, above its zero.
  var bits: Int
  /// The capacity of the scale in grams.
  var capacity: Double
  /// What the recorded scale itself made of the samples.
  var own: [OwnFilter] = []

  /// What is scored on a series.
  enum Kind: Sendable {
    /// Loads that come to rest: rest, uncertainty, drift.
    case placements
    /// A pour that another scale has filtered already: stable readings during the flow.
    case pour
    /// An empty scale: whatever is shown is wrong.
    case empty
    /// Loads that hang and swing.
    case swinging
  }

  /// A filter stage of the recorded scale.
  struct OwnFilter: Sendable {
    var name: String
    var levels: [Double]
    /// Its steady flag; `nil` if it has none.
    var isSteady: [Bool]?
  }

  /// The time between two samples, the median.
  var period: Double { zip(times.dropFirst(), times).map { $0 - $1 }.sorted().quantile(0.5) }

  /// The samples within a time.
  func indices(from start: Double, to end: Double) -> Range<Int> {
    let first = times.partitioningIndex { $0 >= start }
    return first..<max(times.partitioningIndex { $0 > end }, first)
  }
}

extension [Double] {
  /// Returns the first index of a sorted list for which the condition holds, which then holds for all that follow.
  func partitioningIndex(where condition: (Double) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
