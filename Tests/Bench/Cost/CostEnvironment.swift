import Foundation

/// A temporary folder with the test stand, the baselines and the configurations, and a broker on loopback.
struct CostEnvironment {
  let tools: CostTools
  let children: ChildProcesses
  /// The path of the measured `grampad`.
  let grampad: String
  /// The port of the broker.
  let port: UInt16
  private let folder: URL
  private let broker: pid_t

  /// Compiles the programs and starts the broker.
  ///
  /// - Throws: `CostError`, after removing the folder.
  init(grampad executable: String, counted: Bool, _ children: ChildProcesses) throws(CostError) {
    guard FileManager.default.isExecutableFile(atPath: executable) else { throw .noProgram(executable) }
    let tools = try CostTools(counted: counted, children)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("grampad-bench-\(UUID())")
    do throws(CostError) {
      try Self.write(Self.sources, in: folder)
      func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
      // The pad is preloaded, so it must not depend on other libraries.
      for (name, source, options) in [
        ("pad.so", "pad.c", ["-shared", "-fPIC"]), ("stand", "stand.c", tools.flags + ["-lpthread"]),
        ("baseline", "baseline.c", tools.flags),
      ] {
        let (status, output) = try children.output(
          [tools.compiler, "-O2", "-Wall", "-o", path(name), path(source)] + options)
        if status != 0 { throw .notBuilt(source, output: output) }
      }
      if let strip = tools.counters?.strip {
        // Without debug information, because valgrind 3.19 cannot read Swift's DWARF 5.
        let (status, output) = try children.output([strip, "--strip-debug", "-o", path("grampad"), executable])
        if status != 0 { throw .notBuilt(executable, output: output) }
      }
      let grampad = tools.counters == nil ? executable : path("grampad")
      let port = Loopback.freePort()
      try Self.write(["mosquitto.conf": Self.brokerConfiguration(port)], in: folder)
      broker = try children.start([tools.broker, "-c", path("mosquitto.conf")], error: path("mosquitto.log"))
      let deadline = Date(timeIntervalSinceNow: 5)
      while !Loopback.isListening(port) {
        guard Date() < deadline else {
          children.end(broker)
          throw .noBroker(output: ChildProcesses.text(path("mosquitto.log")))
        }
        usleep(10000)
      }
      (self.tools, self.children, self.grampad, self.port, self.folder) = (tools, children, grampad, port, folder)
      var configurations: [String: String] = [:]
      for program in CostProgram.allCases {
        configurations[program.rawValue + ".yaml"] = program.configuration(
          in: self, dashboardPort: Loopback.freePort())
      }
      try Self.write(configurations, in: folder)
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
  }

  /// Stops the broker and removes the folder.
  func close() {
    children.end(broker)
    try? FileManager.default.removeItem(at: folder)
  }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private static var sources: [String: String] {
    let names = ["pad.c", "stand.c", "process.h", "baseline.c", "baseline.py"]
    return Dictionary(uniqueKeysWithValues: names.map { ($0, baseline($0)) })
  }

  /// Sends immediately and queues everything for a slow subscriber, so that the broker loses no message.
  private static func brokerConfiguration(_ port: UInt16) -> String {
    """
    listener \(port) 127.0.0.1
    allow_anonymous true
    set_tcp_nodelay true
    max_queued_messages 0
    log_dest stderr

    """
  }

  private static func write(_ files: [String: String], in folder: URL) throws(CostError) {
    do {
      // Accessible only to the owner. The broker reads its file before it changes to another user.
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      for (name, text) in files {
        try text.write(to: folder.appendingPathComponent(name), atomically: false, encoding: .utf8)
      }
    } catch {
      throw .failed("writing into \(folder.path)", status: -1, output: "\(error)")
    }
  }
}
