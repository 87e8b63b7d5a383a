import Foundation
import Testing
import Weighing

@testable import Journal

/// The totals of all weighings by day and label.
struct TotalsTests {
  /// A day and a label.
  private struct Key: Hashable {
    var day: String
    var label: String?
  }

  /// The local day of a record, by Foundation.
  private static func day(_ time: Instant) -> String {
    let parts = Calendar(identifier: .gregorian).dateComponents(
      [.year, .month, .day], from: Date(timeIntervalSince1970: Double(time.nanoseconds / 1_000_000_000)))
    return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
  }

  /// Random weighings, voids and relabels over several days, added up one by one.
  @Test(arguments: 1...5) func theyAreThoseOfTheHistory(seed: UInt64) throws {
    var random = seed &* 0x9e37_79b9_7f4a_7c15
    func next(_ limit: Int) -> Int {
      random ^= random << 13
      random ^= random >> 7
      random ^= random << 17
      return Int(random % UInt64(limit))
    }
    let journal = Journal(.memory, logger: quiet)
    let labels = [nil, "rye", "oats", "Grüße", "'; DROP TABLE weighings; --"]
    var ids: [WeighingID] = []
    for number in 1...120 {
      let time = moment(Double(number) * 3600)
      let reference = ids.isEmpty ? WeighingReference.last : .id(ids[next(ids.count)])
      switch next(6) {
      case 0: _ = try? journal.record(voiding(reference), at: time)
      case 1: _ = try? journal.record(relabel(reference, labels[next(labels.count)]), at: time)
      default:
        ids.append(try journal.record(weighing(next(300), label: labels[next(labels.count)]), at: time).id)
      }
    }
    var expected: [Key: (count: Int, net: Double)] = [:]
    var (count, net) = (0, 0.0)
    for entry in try journal.history(since: nil) where entry.isStanding {
      let mass = entry.record.measurement.net.mass.value
      expected[Key(day: Self.day(entry.record.time), label: entry.label), default: (0, 0)].count += 1
      expected[Key(day: Self.day(entry.record.time), label: entry.label), default: (0, 0)].net += mass
      (count, net) = (count + 1, net + mass)
    }
    let totals = try journal.totals(groups: 1000)
    #expect(totals.isComplete && totals.all.count == count && totals.all.net == Grams(net))
    #expect(totals.groups.count == expected.count && expected.count > 10)
    for group in totals.groups {
      let sum = expected[Key(day: group.day, label: group.label)]
      #expect(sum?.count == group.sum.count && sum?.net == group.sum.net.value, "\(group)")
    }
    #expect(totals.groups.map(\.day) == totals.groups.map(\.day).sorted(by: >))
    #expect(try totals.sequence == journal.last()?.sequence)
  }

  /// However many days and labels there are, the answer is short, and the sum of all is right.
  @Test func theNumberOfGroupsIsLimited() throws {
    let journal = Journal(.memory, logger: quiet)
    for number in 1...20 { _ = try journal.record(weighing(10, label: "\(number)"), at: moment(Double(number))) }
    let totals = try journal.totals(groups: 5)
    #expect(totals.groups.map(\.label) == ["20", "19", "18", "17", "16"])
    #expect(!totals.isComplete && totals.all.count == 20 && totals.all.net == Grams(200))
  }

  @Test func anEmptyJournalHasNone() throws {
    let totals = try Journal(.memory, logger: quiet).totals(groups: 5)
    #expect(totals.groups.isEmpty && totals.isComplete && totals.all == WeighingTotals.Sum() && totals.sequence == 0)
  }
}
