import Foundation

/// Everything a run needs, in a folder of its own: the stand, the baselines, the configurations, a broker.
struct Workshop {
  let tools: CostTools
  let children: Children
  /// The Grampad that is measured.
  let grampad: String
  /// The broker's, on loopback.
  let port: UInt16
  private let folder: URL
  private let broker: pid_t

  /// Builds it.
  ///
  /// - Throws: `CostError`; then nothing is left behind.
  init(grampad program: String, counted: Bool, _ children: Children) throws(CostError) {
    guard FileManager.default.isExecutableFile(atPath: program) else { throw .noProgram(program) }
    let tools = try CostTools(counted: counted, children)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("grampad-bench-\(UUID())")
    do throws(CostError) {
      try Self.write(Self.sources, in: folder)
      func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
      // The pad is preloaded, and must not need anything itself.
      for (name, source, options) in [
        ("pad.so", "pad.c", ["-shared", "-fPIC"]), ("stand", "stand.c", tools.flags + ["-lpthread"]),
        ("baseline", "baseline.c", tools.flags),
      ] {
        let (status, output) = try children.output(
          [tools.compiler, "-O2", "-Wall", "-o", path(name), path(source)] + options)
        if status != 0 { throw .notBuilt(source, output: output) }
      }
      if let strip = tools.counters?.strip {
        // The same code without what is for debuggers: valgrind 3.19 gives up at Swift's DWARF 5.
        let (status, output) = try children.output([strip, "--strip-debug", "-o", path("grampad"), program])
        if status != 0 { throw .notBuilt(program, output: output) }
      }
      let grampad = tools.counters == nil ? program : path("grampad")
      let port = Loopback.freePort()
      try Self.write(["mosquitto.conf": Self.brokerConfiguration(port)], in: folder)
      broker = try children.start([tools.broker, "-c", path("mosquitto.conf")], error: path("mosquitto.log"))
      let deadline = Date(timeIntervalSinceNow: 5)
      while !Loopback.isListening(port) {
        guard Date() < deadline else {
          children.end(broker)
          throw .noBroker(output: Children.text(path("mosquitto.log")))
        }
        usleep(10000)
      }
      (self.tools, self.children, self.grampad, self.port, self.folder) = (tools, children, grampad, port, folder)
      var configurations: [String: String] = [:]
      for contender in CostContender.allCases {
        configurations[contender.rawValue + ".yaml"] = contender.configuration(
          in: self, dashboardPort: Loopback.freePort())
      }
      try Self.write(configurations, in: folder)
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
  }

  /// Ends the broker and removes everything.
  func close() {
    children.end(broker)
    try? FileManager.default.removeItem(at: folder)
  }

  /// The path of something in the folder.
  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private static var sources: [String: String] {
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    return [
      "pad.c": text(PackageResources.pad_c), "stand.c": text(PackageResources.stand_c),
      "process.h": text(PackageResources.process_h),
      "baseline.c": text(PackageResources.baseline_c), "baseline.py": text(PackageResources.baseline_py),
    ]
  }

  /// Sends at once, and keeps everything for a subscriber that is behind: nothing the broker does may look like a loss.
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
      // For its owner only; the broker, which may become another user, has read its file by then.
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
