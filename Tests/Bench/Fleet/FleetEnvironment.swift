import Foundation

/// A temporary folder with a broker and a PostgreSQL server on loopback, and the Python collector.
struct FleetEnvironment {
  let children: ChildProcesses
  /// The path of the measured `grampad`.
  let grampad: String
  /// The interpreter with paho and psycopg.
  let python: String
  /// The port of the broker.
  let port: UInt16
  private let databasePort: UInt16
  private let folder: URL
  private let servers: [pid_t]
  private let psql: String

  /// Starts the servers.
  ///
  /// - Throws: `CostError`, after removing the folder.
  init(grampad: String, packages: String, _ children: ChildProcesses) throws(CostError) {
    guard FileManager.default.isExecutableFile(atPath: grampad) else { throw .noProgram(grampad) }
    let tools = try Tools()
    (self.children, self.grampad, psql) = (children, grampad, tools.psql)
    python = try Self.environment(packages, tools.python, children)
    // For 10,000 connections of the broker.
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("grampad-bench-\(UUID())")
    let (port, databasePort) = (Loopback.freePort(), Loopback.freePort())
    var servers: [pid_t] = []
    do throws(CostError) {
      let data = folder.appendingPathComponent("data").path
      try Self.make(folder, port)
      let identity = getuid() == 0 ? [tools.setpriv, "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
      let initialise = [
        tools.postgres + "/initdb", "-D", data, "--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8",
        "--no-locale",
      ]
      let (status, output) = try children.output(identity + initialise)
      guard status == 0 else { throw .failed("initdb", status: status, output: output) }
      servers.append(
        try children.start(
          [tools.broker, "-c", folder.appendingPathComponent("mosquitto.conf").path],
          error: folder.appendingPathComponent("mosquitto.log").path))
      let options = ["listen_addresses=127.0.0.1", "fsync=off", "max_wal_size=4GB"].flatMap { ["-c", $0] }
      servers.append(
        try children.start(
          identity + [tools.postgres + "/postgres", "-D", data, "-p", "\(databasePort)", "-k", ""] + options,
          error: folder.appendingPathComponent("postgres.log").path))
      (self.folder, self.port, self.databasePort, self.servers) = (folder, port, databasePort, servers)
      try wait("the servers") { Loopback.isListening(port) && (try? query("SELECT 1", in: "postgres")) != nil }
    } catch {
      for server in servers { children.end(server) }
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
  }

  /// Stops the servers and removes the folder.
  func close() {
    for server in servers { children.end(server) }
    try? FileManager.default.removeItem(at: folder)
  }

  /// The connection string of a database.
  func url(_ database: String) -> String { "postgresql://postgres@127.0.0.1:\(databasePort)/\(database)" }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// The first column of the first row.
  @discardableResult
  func query(_ sql: String, in database: String) throws(CostError) -> String {
    let (status, output) = try children.output([psql, "-X", "-q", "-A", "-t", "-c", sql, url(database)])
    guard status == 0 else { throw .failed("psql", status: status, output: output) }
    return output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Waits until a condition holds, at most five minutes.
  func wait(_ what: String, until condition: () throws(CostError) -> Bool) throws(CostError) {
    let deadline = Date(timeIntervalSinceNow: 300)
    while try !condition() {
      guard Date() < deadline else {
        throw .failed(what, status: -1, output: ChildProcesses.text(path("collector.log")))
      }
      usleep(100_000)
    }
  }

  /// Number of subscriptions that the broker has logged.
  var subscriptions: Int { ChildProcesses.text(path("mosquitto.log")).components(separatedBy: "/weighing").count }

  /// The current end of the log of the broker.
  func logEnd() throws(CostError) -> UInt64 {
    do { return try logFile().seekToEnd() } catch {
      throw .failed("the log of the broker", status: -1, output: "\(error)")
    }
  }

  /// Waits until devices have subscribed to their commands; reads the log of the broker from an offset on.
  func waitForSubscriptions(of devices: Int, after offset: UInt64) throws(CostError) {
    let deadline = Date(timeIntervalSinceNow: 300)
    var count = 0
    do {
      let file = try logFile()
      try file.seek(toOffset: offset)
      var rest = ""
      while count < devices {
        guard Date() < deadline else { throw CostError.failed("the devices to connect", status: -1, output: "") }
        usleep(5000)
        var lines = (rest + String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)).components(
          separatedBy: "\n")
        rest = lines.removeLast()
        count += lines.count { $0.contains("/command/") }
      }
    } catch let error as CostError {
      throw error
    } catch {
      throw .failed("the log of the broker", status: -1, output: "\(error)")
    }
  }

  private func logFile() throws -> FileHandle {
    try FileHandle(forReadingFrom: URL(fileURLWithPath: path("mosquitto.log")))
  }

  private struct Tools {
    let broker: String
    let python: String
    let psql: String
    let setpriv: String
    /// The folder of the newest PostgreSQL.
    let postgres: String

    init() throws(CostError) {
      var tools = RequiredTools()
      broker = tools.find("mosquitto", in: "mosquitto")
      python = tools.find("python3", in: "python3-venv")
      psql = tools.find("psql", in: "postgresql")
      setpriv = tools.find("setpriv", in: "util-linux")
      let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
      let newest = versions.compactMap { Int($0) }.max()
      if newest == nil { tools.report("postgresql") }
      postgres = "/usr/lib/postgresql/\(newest ?? 0)/bin"
      try tools.check()
    }
  }

  /// Makes a virtual environment with the packages of the Python collector, once.
  private static func environment(
    _ folder: String, _ python: String, _ children: ChildProcesses
  ) throws(CostError) -> String {
    let path = URL(fileURLWithPath: folder).path
    let interpreter = path + "/bin/python3"
    let isThere = FileManager.default.isExecutableFile(atPath: interpreter)
    if isThere, try children.output([interpreter, "-c", "import paho.mqtt.client, psycopg"]).status == 0 {
      return interpreter
    }
    for command in [
      [python, "-m", "venv", path],
      [interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "paho-mqtt", "psycopg[binary]"],
    ] {
      let (status, output) = try children.output(command)
      guard status == 0 else { throw .failed(command[0], status: status, output: output) }
    }
    return interpreter
  }

  private static func make(_ folder: URL, _ port: UInt16) throws(CostError) {
    let configuration = """
      listener \(port) 127.0.0.1
      allow_anonymous true
      set_tcp_nodelay true
      max_queued_messages 1000000
      max_inflight_messages 20000
      log_dest stderr
      log_type subscribe

      """
    do {
      let data = folder.appendingPathComponent("data")
      // PostgreSQL has to reach its data.
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o711])
      try FileManager.default.createDirectory(
        at: data, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      if getuid() == 0, let user = getpwnam("postgres") { chown(data.path, user.pointee.pw_uid, user.pointee.pw_gid) }
      for (name, text) in [
        ("mosquitto.conf", configuration), ("collector.py", baseline("collector.py")),
      ] {
        try text.write(to: folder.appendingPathComponent(name), atomically: false, encoding: .utf8)
      }
    } catch {
      throw .failed("writing into \(folder.path)", status: -1, output: "\(error)")
    }
  }
}
