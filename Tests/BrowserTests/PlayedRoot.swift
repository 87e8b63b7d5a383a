import Foundation
import Glibc

/// Root of a machine in a temporary folder: takes requests away, and answers them in the state.
///
/// Sendable because the lock guards what changes.
final class PlayedRoot: @unchecked Sendable {
  let folder = FileManager.default.temporaryDirectory.path + "/grampad-setup-\(UUID())"
  private let lock = NSLock()
  private var state: [String: Any]
  private var taken: [[String: String]] = []
  private var uploaded: [Data] = []
  private var isOver = false
  private let notifier = inotify_init1(CInt(IN_CLOEXEC))

  init(isSetUp: Bool = false) throws {
    state = [
      "is_set_up": isSetUp, "board": "rpi", "hostname": "grampad", "version": "0.2.0", "previous": "0.1.0",
      "update": ["state": "none", "checked": "2026-11-30T03:00:00Z"], "updates": true, "pad": "auto",
      "network": ["wired": false, "access_point": "grampad-1A2B", "addresses": ["10.42.0.1"]],
      "wifi_networks": [
        ["ssid": "Nest", "signal_dbm": -55, "secured": true],
        ["ssid": "<b>Guests</b>", "signal_dbm": -75, "secured": false],
      ],
      "sensors": ["none", "hx711"], "sensor": "none", "broker": "embedded", "home_assistant": true, "ssh": false,
    ]
    for name in ["machine", "run"] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    try write()
    inotify_add_watch(notifier, folder + "/run", UInt32(IN_MOVED_TO))
    Thread.detachNewThread { [self] in serve() }
  }

  /// Ends the thread, and removes the folder.
  func end() {
    lock.withLock { isOver = true }
    try? Data().write(to: URL(fileURLWithPath: folder + "/run/end"), options: .atomic)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The backups that were to be restored, the oldest first.
  var uploads: [Data] { lock.withLock { uploaded } }

  /// The requests, the oldest first.
  var requests: [[String: String]] { lock.withLock { taken } }

  private func serve() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while read(notifier, &buffer, buffer.count) > 0, !lock.withLock({ isOver }) {
      let path = folder + "/run/machine.request"
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
      try? FileManager.default.removeItem(atPath: path)
      let pairs = text.split(separator: "\n").map { line -> (String, String) in
        let words = line.components(separatedBy: " = ")
        return (words[0], words.dropFirst().joined(separator: " = "))
      }
      lock.withLock {
        let request = Dictionary(pairs) { $1 }
        taken.append(request)
        perform(request)
        try? write()
      }
    }
    close(notifier)
  }

  private func perform(_ request: [String: String]) {
    var answer: [String: Any] = ["id": request["id"] ?? "", "ok": true]
    if let password = request["wifi_password"], (1..<8).contains(password.count) {
      answer.merge(["ok": false, "key": "wifi_password", "reason": "at least 8 characters"]) { $1 }
    } else {
      for key in ["name", "hostname", "time_zone", "country", "sensor", "pad", "broker"] {
        if let value = request[key] { state[key] = value }
      }
      if let updates = request["updates"] { state["updates"] = updates == "yes" }
      var network = state["network"] as? [String: Any] ?? [:]
      if let name = request["wifi"], !name.isEmpty {
        network.merge(["wifi": name, "addresses": ["192.168.1.5"]]) { $1 }
      }
      if request["do"] == "finish" {
        state["is_set_up"] = true
        network["access_point"] = nil
      }
      state["network"] = network
      if request["do"] == "backup" {
        try? Data("the backup".utf8).write(to: URL(fileURLWithPath: folder + "/machine/backup.tar"), options: .atomic)
        state["backup"] = ["state": "ready"]
      }
      if request["do"] == "restore" {
        let backup = (try? Data(contentsOf: URL(fileURLWithPath: folder + "/run/machine.restore"))) ?? Data()
        uploaded.append(backup)
        let isBackup = backup.starts(with: Data("the backup".utf8))
        state["restore"] = isBackup ? ["state": "restart"] : ["state": "failed", "reason": "it is not a backup"]
      }
    }
    state["answer"] = answer
  }

  private func write() throws {
    let data = try JSONSerialization.data(withJSONObject: state)
    try data.write(to: URL(fileURLWithPath: folder + "/machine/state.json"), options: .atomic)
  }
}
