import Foundation
import FreePorts
import Testing

@testable import Fleet

/// `simulate --devices` with a real mosquitto, a real collector and a real PostgreSQL.
@Suite(.serialized) struct LightDeviceTests {
  private func broker(_ port: UInt16, _ folder: Folder) throws -> Child {
    let configuration = try folder.write("mosquitto.conf", "listener \(port) 127.0.0.1\nallow_anonymous true\n")
    return try Child("/usr/sbin/mosquitto", ["-c", configuration], output: "\(folder.path)/mosquitto.log")
  }

  @Test func whatDevicesRecordIsStoredOnce() throws {
    let folder = try Folder()
    let port = FreePort.any()
    let url = try Postgres.database()
    var broker = try broker(port, folder)
    let collector = try Child(
      "\(Child.products)/grampad", ["collect", "--database", url, "--broker", "mqtt://127.0.0.1:\(port)"],
      output: "\(folder.path)/collect.log")
    defer { collector.kill() }
    let connection = try PostgresConnection(url)
    let devices = try Child(
      "\(Child.products)/grampad",
      [
        "simulate", "--devices", "100", "--weighings", "3000", "--rate", "1000", "--lose", "0.05", "--stay", "--seed",
        "1",
        "--device", "light", "--broker", "mqtt://127.0.0.1:\(port)", "--records", "\(folder.path)/records.csv",
      ], output: "\(folder.path)/devices.log")
    defer { devices.kill() }
    func count() -> Int {
      (try? connection.perform("SELECT count(*) FROM weighing"))?.first?.first.flatMap { $0 }.flatMap { Int($0) } ?? 0
    }
    try eventually("some are stored") { count() > 100 }
    broker.kill()
    broker = try self.broker(port, folder)
    try eventually("all are stored, those that were never sent too") { count() == 3000 }
    try eventually("no record is missing") {
      try connection.perform("SELECT sum(missing), sum(lost), count(*) FROM device") == [["0", "0", "100"]]
    }
    #expect(devices.terminate() == 0, "a signal ends the devices in good order")
    let recorded = try String(contentsOfFile: "\(folder.path)/records.csv", encoding: .utf8).split(separator: "\n")
      .sorted()
    let stored = try connection.perform(
      "SELECT device || ',' || sequence || ',' || id || ',' || round(net_g, 1) FROM weighing"
    ).compactMap { $0[0] }.sorted()
    let isSame = recorded.map(String.init) == stored
    #expect(isSame)
    let text = try String(contentsOfFile: "\(folder.path)/devices.log", encoding: .utf8)
    #expect(text.contains(#""recorded":3000,"delivered":3000"#))
  }

  /// Health is sent before weighings, so that without a minimum it would delay them.
  @Test(arguments: [("--pads", "5", "Unknown option '--health-interval'"), ("--devices", "0.9", "between 1 and 86400")])
  func theIntervalOfHealthIsChecked(_ count: String, _ interval: String, _ words: String) throws {
    let folder = try Folder()
    let log = "\(folder.path)/devices.log"
    let arguments = ["simulate", count, "1", "--health-interval", interval]
    #expect(try Child.run("\(Child.products)/grampad", arguments, output: log) == 64)
    #expect(try String(contentsOfFile: log, encoding: .utf8).contains(words))
  }

  @Test func theyEndByThemselvesWhenAllIsDelivered() throws {
    let folder = try Folder()
    let port = FreePort.any()
    let broker = try broker(port, folder)
    defer { broker.kill() }
    let code = try Child.run(
      "\(Child.products)/grampad",
      ["simulate", "--devices", "20", "--weighings", "100", "--rate", "500", "--broker", "mqtt://127.0.0.1:\(port)"])
    #expect(code == 0)
  }

  @Test func aFileThatCannotBeCreatedEndsTheRunBeforeItConnects() throws {
    let folder = try Folder()
    let log = "\(folder.path)/log"
    // Without a broker, the run would not end by itself.
    let code = try Child.run(
      "\(Child.products)/grampad",
      [
        "simulate", "--devices", "2", "--weighings", "3", "--records", "/nosuch/x", "--broker", "mqtt://127.0.0.1:1",
      ], output: log)
    #expect(code == 73)
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "grampad: /nosuch/x: No such file or directory\n")
  }

  @Test func aFullDiskDoesNotHideTheSummary() throws {
    let folder = try Folder()
    let port = FreePort.any()
    let broker = try broker(port, folder)
    defer { broker.kill() }
    let log = "\(folder.path)/log"
    let code = try Child.run(
      "\(Child.products)/grampad",
      [
        "simulate", "--devices", "2", "--weighings", "3", "--rate", "100", "--records", "/dev/full", "--broker",
        "mqtt://127.0.0.1:\(port)",
      ], output: log)
    #expect(code == 74)
    let text = try String(contentsOfFile: log, encoding: .utf8)
    #expect(text.contains(#""recorded":3,"delivered":3"#) && text.contains("/dev/full"), "\(text)")
  }

  @Test func anOutageIsLoggedOnceAndItsEndToo() throws {
    let folder = try Folder()
    let port = FreePort.any()
    let log = "\(folder.path)/devices.log"
    func count(_ words: String) throws -> Int {
      try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count { $0.contains(words) }
    }
    let devices = try Child(
      "\(Child.products)/grampad", ["simulate", "--devices", "100", "--broker", "mqtt://127.0.0.1:\(port)"],
      output: log)
    defer { devices.kill() }
    try eventually("it is logged") { try count("Connection refused") > 0 }
    var broker = try broker(port, folder)
    try eventually("its end is logged") { try count("all devices are connected") == 1 }
    let first = try count("devices are not connected")
    broker.kill()
    try eventually("the next one is logged") { try count("devices are not connected") > first }
    broker = try self.broker(port, folder)
    try eventually("its end is logged too") { try count("all devices are connected") == 2 }
    #expect(devices.terminate() == 0)
    broker.kill()
    // Once for each outage, not for each of 100 devices.
    #expect(try count("Connection refused") <= 2)
  }

  @Test func aLowFileLimitIsNamed() throws {
    let folder = try Folder()
    let log = "\(folder.path)/log"
    let code = try Child.run(
      "/usr/bin/prlimit",
      [
        "--nofile=200:200", "\(Child.products)/grampad", "simulate", "--devices", "500", "--broker",
        "mqtt://127.0.0.1:1",
      ],
      output: log)
    #expect(code == 74)
    #expect(try String(contentsOfFile: log, encoding: .utf8).contains("open file limit of 200 is too low"))
  }
}
