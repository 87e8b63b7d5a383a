import Foundation
import Glibc
import Linux
import Messages

/// Describes this machine: system, board and relevant packages.
enum SystemDescription {
  static func add(to report: inout Report) {
    var names = utsname()
    uname(&names)
    func text<T>(_ field: T) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    let lines = [
      "grampad \(Version.text), \(build)", "system: \(release ?? "unknown")",
      "kernel: \(text(names.sysname)) \(text(names.release)) \(text(names.version))",
      "architecture: \(text(names.machine))",
      "board: \(read("/proc/device-tree/model") ?? "unknown")",
      "processors: \(sysconf(Int32(_SC_NPROCESSORS_ONLN)))",
      "memory: \(memory("MemTotal:")), \(memory("MemAvailable:")) available",
      "uptime: \(read("/proc/uptime")?.split(separator: " ").first.map { "\($0) s" } ?? "unknown")",
    ]
    report.add("system.txt", "version, system, kernel, board", lines.joined(separator: "\n") + "\n")
    let packages = [
      "grampad", "mosquitto", "libmosquitto1", "libevdev2", "libxkbcommon0", "xkb-data", "libpq5", "libsqlite3-0",
      "libssl3", "libcurl4", "libc6", "libavahi-client3", "avahi-daemon", "systemd", "udev",
    ]
    report.add("packages.txt", "the versions of the packages that grampad uses") { () throws(BackupError) in
      try ChildProcess.run(
        "dpkg-query", ["--show", "--showformat=${Package} ${Version} ${db:Status-Status}\\n"] + packages
      )
      .output
    }
  }

  private static func memory(_ word: String) -> String { line(word, of: "/proc/meminfo") ?? "unknown" }

  private static var build: String {
    #if DEBUG
      "debug build"
    #else
      "release build"
    #endif
  }

  private static var release: String? { line("PRETTY_NAME=", of: "/etc/os-release")?.trimmingCharacters(in: ["\""]) }

  /// The rest of the line of a file that begins with a word.
  private static func line(_ word: String, of path: String) -> String? {
    read(path)?.split(separator: "\n").first { $0.hasPrefix(word) }
      .map { $0.dropFirst(word.count).trimmingCharacters(in: .whitespaces) }
  }

  private static func read(_ path: String) -> String? {
    let bytes = try? fileBytes(path, limit: 1 << 16)
    return bytes.map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self).trimmingCharacters(in: .newlines) }
  }
}

/// The state of the service according to systemd.
enum ServiceState {
  /// Without the environment, which may contain passwords.
  private static let properties = [
    "LoadState", "ActiveState", "SubState", "Result", "UnitFileState", "FragmentPath", "DropInPaths", "MainPID",
    "NRestarts", "ExecMainCode", "ExecMainStatus", "ExecMainStartTimestamp", "ActiveEnterTimestamp", "StatusText",
    "WatchdogUSec",
    "WatchdogTimestamp", "MemoryCurrent", "MemoryPeak", "CPUUsageNSec", "TasksCurrent", "User", "SupplementaryGroups",
  ]
  private static let unit = "grampad"

  /// Adds the state of the service; returns its environment, which is not added.
  static func add(to report: inout Report) -> ServiceEnvironment {
    report.add("service.txt", "the state of the service, from systemctl show") { () throws(BackupError) in
      try show(properties)
    }
    let environment = try? show(["Environment", "EnvironmentFiles"])
    return environment.map { ServiceEnvironment(String(decoding: $0, as: UTF8.self)) } ?? ServiceEnvironment()
  }

  /// Adds the last lines of the log, unless it may contain secrets that cannot be read and therefore not removed.
  static func addLog(unsearchable: [String], to report: inout Report) {
    let subject = "the last 500 lines of the log, from journalctl"
    guard unsearchable.isEmpty else {
      let files = unsearchable.joined(separator: ", ")
      return report.omit(
        subject, "it may contain secrets from \(files), which cannot be read; run the command as root (sudo)")
    }
    report.add("log.txt", subject) { () throws(BackupError) in
      let log = try ChildProcess.run(
        "journalctl",
        ["--unit=\(unit)", "--lines=500", "--no-pager", "--quiet", "--output=short-iso-precise", "--no-hostname"])
      guard log.code == 0 else { throw .program("journalctl", firstLine(log.output)) }
      guard !log.output.isEmpty else {
        throw .program("journalctl", "the log is empty or cannot be read; run the command as root (sudo)")
      }
      return log.output
    }
  }

  private static func show(_ properties: [String]) throws(BackupError) -> [UInt8] {
    let shown = try ChildProcess.run(
      "systemctl", ["show", unit, "--no-pager", "--property=" + properties.joined(separator: ",")])
    guard shown.code == 0 else { throw .program("systemctl", firstLine(shown.output)) }
    return shown.output
  }

  private static func firstLine(_ bytes: [UInt8]) -> String {
    printable(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self), limit: 200)
  }
}
