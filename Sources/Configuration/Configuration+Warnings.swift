import EventLoop
import Foundation
import Glibc

extension Configuration {
  /// Warnings for settings that are valid but probably not intended, with what to do; for the log and for `check`.
  ///
  /// - Parameters:
  ///   - folder: The base folder for relative paths.
  ///   - environment: The environment of the process.
  package func warnings(
    in folder: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> [String] {
    journalWarnings(in: folder) + dashboardWarnings(environment) + sicsWarnings + zoneWarnings
      + files.filter { $0.use == .secret && (dashboard.isEnabled || $0.key != "dashboard.token_file") }
      .compactMap { Self.exposure(of: $0.path, key: $0.key, in: folder) }
  }

  private func journalWarnings(in folder: String) -> [String] {
    let path = journalPath(in: folder)
    let name = printable(path, limit: 4096)
    var status = stat()
    if stat(path, &status) == 0 {
      return status.st_mode & S_IFMT == S_IFREG
        ? [] : ["journal.path: \(name) is not a file; weighings cannot be recorded"]
    }
    let parent = parentFolder(of: path)
    guard stat(parent, &status) != 0 else { return [] }
    return [
      "journal.path: no such folder: \(printable(parent, limit: 4096)); weighings cannot be recorded until it exists"
    ]
  }

  private func dashboardWarnings(_ environment: [String: String]) -> [String] {
    let hasToken = dashboard.tokenFile != nil || environment[Dashboard.tokenVariable]?.isEmpty == false
    guard dashboard.isEnabled, !hasToken else { return [] }
    guard dashboard.address == "::1" || dashboard.address.hasPrefix("127.") else {
      return [
        "dashboard.address: other machines can read the dashboard, but actions are refused until dashboard.token_file is set"
      ]
    }
    guard !dashboard.hosts.isEmpty else { return [] }
    let names = dashboard.hosts.joined(separator: ", ")
    return [
      "dashboard.hosts: anyone with access to the reverse proxy can read the dashboard at \(names), "
        + "but actions are refused until dashboard.token_file is set"
    ]
  }

  /// Zones need the positions that a plate hides. The default zones are not the user's.
  private var zoneWarnings: [String] {
    guard pad.surface == .platter else { return [] }
    let history = pad.zones.contains { $0.purpose == .history }
    return (history ? ["pad.zones: the zone history has no effect under a plate"] : [])
      + (pad.controls.isEmpty ? [] : ["pad.controls: no effect under a plate"])
  }

  private var sicsWarnings: [String] {
    guard let listen = sics.listen, !listen.isLoopback else { return [] }
    return ["sics.listen: other machines can read, tare and zero the scale without a password"]
  }

  /// A warning if every user of this machine can read a file; `nil` otherwise. stat(2)
  private static func exposure(of path: String, key: String, in folder: String) -> String? {
    let path = absolutePath(path, in: folder)
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IROTH != 0 else { return nil }
    return "\(key): readable by every user of this machine; run chmod o-r \(printable(path, limit: 4096))"
  }
}
