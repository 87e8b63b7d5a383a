import Foundation
import Glibc
import Languages
import Linux
import Weighing

extension Configuration {
  /// Warnings for settings that are valid but probably not intended, with what to do; for the log and for `check`.
  ///
  /// - Parameters:
  ///   - folder: The base folder for relative paths.
  ///   - environment: The environment of the process.
  package func warnings(
    in folder: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> [Sentence] {
    (unknownSettingsWarning(in: folder).map { [$0] } ?? [])
      + journalWarnings(in: folder) + dashboardWarnings(environment) + sicsWarnings + zoneWarnings + capacityWarnings
      + files.filter { $0.use == .secret && (dashboard.isEnabled || $0.key != "dashboard.token_file") }
      .compactMap { Self.exposure(of: $0.path, key: $0.key, in: folder) }
  }

  /// What the settings file has that this version does not know; `nil` if there is nothing.
  package func unknownSettingsWarning(in folder: String) -> Sentence? {
    guard !unknownSettings.isEmpty else { return nil }
    let keys = unknownSettings.prefix(16).joined(separator: ", ") + (unknownSettings.count > 16 ? ", ..." : "")
    return Sentence(.settingsUnknown, ["path": settingsFile(in: folder).path, "keys": keys])
  }

  private func journalWarnings(in folder: String) -> [Sentence] {
    let path = journalPath(in: folder)
    let name = printable(path, limit: 4096)
    var status = stat()
    if stat(path, &status) == 0 {
      return status.st_mode & S_IFMT == S_IFREG
        ? [] : [Sentence(.warningJournalNotAFile, ["path": name])]
    }
    let parent = parentFolder(of: path)
    guard stat(parent, &status) != 0 else { return [] }
    return [Sentence(.warningJournalFolder, ["path": printable(parent, limit: 4096)])]
  }

  private func dashboardWarnings(_ environment: [String: String]) -> [Sentence] {
    let hasToken = dashboard.tokenFile != nil || environment[Dashboard.tokenVariable]?.isEmpty == false
    guard dashboard.isEnabled, !hasToken, !dashboard.allowsPairing else { return [] }
    guard dashboard.address == "::1" || dashboard.address.hasPrefix("127.") else {
      return [Sentence(.warningDashboardAddress)]
    }
    guard !dashboard.hosts.isEmpty else { return [] }
    return [Sentence(.warningDashboardHosts, ["names": dashboard.hosts.joined(separator: ", ")])]
  }

  /// Zones need the positions that a plate hides. The default zones are not the user's.
  private var zoneWarnings: [Sentence] {
    guard pad.surface == .platter else { return [] }
    let history = pad.zones.contains { $0.purpose == .history }
    return (history ? [Sentence(.warningHistoryZone)] : [])
      + (pad.controls.isEmpty ? [] : [Sentence(.warningControls)])
  }

  /// No load shows whether a point above the capacity is right, and it stretches the curve below.
  private var capacityWarnings: [Sentence] {
    // A computed point may miss the capacity by what a Double rounds.
    guard let heaviest = calibration.points.map(\.mass).max(), heaviest.value > scale.capacity.value * (1 + 1e-9) else {
      return []
    }
    return [
      Sentence(
        .configExceedsCapacity, ["mass": numberText(heaviest.value), "capacity": numberText(scale.capacity.value)]
      ).about("calibration.points")
    ]
  }

  private var sicsWarnings: [Sentence] {
    guard let listen = sics.listen, !listen.isLoopback else { return [] }
    return [Sentence(.warningSICS)]
  }

  /// A warning if every user of this machine can read a file; `nil` otherwise. stat(2)
  private static func exposure(of path: String, key: String, in folder: String) -> Sentence? {
    let path = absolutePath(path, in: folder)
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IROTH != 0 else { return nil }
    return Sentence(.warningExposed, ["key": key, "command": "chmod o-r \(printable(path, limit: 4096))"])
  }
}
