import Journal
import Weighing

/// The number and the net weight of some weighings.
struct WeighingSum: Hashable {
  private(set) var count = 0
  private(set) var net = 0.0
  /// The number of decimals of the finest division.
  private(set) var decimals = 0

  /// Adds a weighing.
  mutating func add(_ entry: HistoryEntry) {
    let net = entry.record.measurement.net
    count += 1
    self.net += net.mass.value
    decimals = max(decimals, net.division.decimals)
  }

  /// The net weight in grams.
  var text: String { DecimalText.fixed(net, decimals: decimals) }
}

/// Sums by a key, in the order in which the keys came first.
struct GroupedSums<Key: Hashable> {
  private(set) var groups: [(key: Key, sum: WeighingSum)] = []
  private var indices: [Key: Int] = [:]

  /// Adds a weighing to the sum of its key.
  mutating func add(_ entry: HistoryEntry, to key: Key) {
    let index = indices[key] ?? groups.count
    if index == groups.count {
      groups.append((key, WeighingSum()))
      indices[key] = index
    }
    groups[index].sum.add(entry)
  }
}
