import Foundation
import Journal
import Logging
import Weighing

/// A journal with 131 weighings of six days, for the history in the page.
///
/// #1 to #120: 24 a day on each of the five days before today, every ten minutes from 10:00 local time; the labels are
/// `rye`, `oats` and none in turn, the masses their numbers in grams. #121 to #130 follow today at midnight. Then #119 is
/// voided, #118 is relabelled `Grüße`, and
/// another weighing has the number 133.
enum PreparedJournal {
  static func make(path: String) throws {
    let logger = Logger(label: "stage", factory: { _ in SwiftLogNoOpLogHandler() })
    let journal = Journal(.file(path), logger: logger)
    let midnight = Calendar.current.startOfDay(for: Date())
    func time(day: Int, minutes: Int) throws -> Instant {
      guard let date = Calendar.current.date(byAdding: .day, value: day, to: midnight) else {
        throw CocoaError(.formatting)
      }
      return Instant(nanoseconds: Int64(date.timeIntervalSince1970) * 1_000_000_000) + .seconds(Double(minutes * 60))
    }
    var ids: [WeighingID] = []
    for number in 0..<120 {
      let at = try time(day: number / 24 - 5, minutes: 600 + number % 24 * 10)
      ids.append(try journal.record(weighing(number + 1), at: at).id)
    }
    // In the first second of the day, so that they are today's whenever the test runs.
    for number in 120..<130 { ids.append(try journal.record(weighing(number + 1), at: time(day: 0, minutes: 0)).id) }
    _ = try journal.record(draft(.void(.id(ids[118])), label: nil), at: time(day: 0, minutes: 0))
    _ = try journal.record(draft(.relabel(.id(ids[117])), label: "Grüße"), at: time(day: 0, minutes: 0))
    _ = try journal.record(weighing(133), at: time(day: 0, minutes: 0))
    journal.close()
  }

  private static func weighing(_ grams: Int) -> WeighingDraft {
    weighing(grams, label: ["rye", "oats", nil][grams % 3])
  }

  static func weighing(_ grams: Int, label: String?) -> WeighingDraft {
    let division = Division.gram
    let measurement = Weighing.Measurement(
      gross: DisplayedMass(steps: grams, division: division), tare: DisplayedMass(steps: 0, division: division),
      net: DisplayedMass(steps: grams, division: division), uncertainty: Grams(0.25), calibration: .user)
    return draft(.weighing(measurement), label: label)
  }

  static func draft(_ kind: WeighingDraft.Kind, label: String?) -> WeighingDraft {
    WeighingDraft(
      request: ActionRequest(action: .commit, source: .pad), kind: kind, label: label, time: Instant(nanoseconds: 1))
  }
}
