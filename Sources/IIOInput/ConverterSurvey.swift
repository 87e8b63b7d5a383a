import Languages
import Linux
import Weighing

/// The IIO devices of this machine, and which of them can weigh.
package struct ConverterSurvey: Sendable {
  /// The standard folder of the devices in sysfs.
  package static let standardFolder = "/sys/bus/iio/devices"

  /// A device, or why it cannot be described.
  package typealias Finding = Result<ConverterEntry, IIOError>

  /// The devices, lowest number first.
  package let findings: [Finding]

  /// Which device is used, and why.
  package enum Choice: Sendable {
    /// This device.
    case chosen(ConverterEntry, because: Sentence)
    /// No device.
    case none(reason: Sentence)
    /// The machine has no IIO devices, and none is configured.
    case absent
  }

  /// Lists the IIO devices; none if the kernel has none. Asks no driver, so it does not block.
  package static func scan(folder: String = standardFolder) -> ConverterSurvey {
    let names = (try? FileSystem.names(in: folder)) ?? []
    let numbers = names.compactMap { name in
      name.hasPrefix(devicePrefix) ? Int(name.dropFirst(devicePrefix.count)) : nil
    }
    let findings = numbers.sorted().map { number in
      Finding { () throws(IIOError) in try ConverterEntry(path: "\(folder)/\(devicePrefix)\(number)") }
    }
    return ConverterSurvey(findings: findings)
  }

  private static let devicePrefix = "iio:device"

  /// The devices that can be described.
  package var entries: [ConverterEntry] { findings.compactMap { try? $0.get() } }

  /// Selects the device for the settings: the one with the name, otherwise the first known converter.
  ///
  /// A device has several names; the one that its driver gives it counts more than that of its place on the bus. Of
  /// several with one name the lowest number counts.
  package func choose(_ settings: ConverterSettings) -> Choice {
    guard let name = settings.name else { return chooseKnown(settings.channel) }
    let named = entries.compactMap { entry in entry.names.firstIndex(of: name).map { (rank: $0, entry: entry) } }
    guard let best = named.min(by: { $0.rank < $1.rank })?.entry else { return .none(reason: absence(of: name)) }
    if let reason = best.unsuitability(settings.channel) {
      return .none(reason: IIOError.unsuitable(path: best.path, reason: reason).sentence)
    }
    let reason =
      named.count > 1 ? Sentence(.converterSelectedFirst, ["count": named.count]) : Sentence(.converterSelected)
    return .chosen(best, because: reason)
  }

  private func chooseKnown(_ channel: String) -> Choice {
    if findings.isEmpty { return .absent }
    guard let entry = entries.first(where: { $0.automaticUnsuitability(channel) == nil }) else {
      return .none(reason: Sentence(.converterNoneKnown, ["count": findings.count]))
    }
    return .chosen(entry, because: Sentence(.converterFirst))
  }

  private func absence(of name: String) -> Sentence {
    let known = entries.compactMap(\.names.first)
    guard !known.isEmpty else { return Sentence(.converterAbsent, ["name": printable(name)]) }
    return Sentence(.converterAbsentAmong, ["name": printable(name), "names": known.joined(separator: ", ")])
  }
}
