import Foundation

/// One collector, from an empty database to the last weighing.
struct FleetRun {
  private let program: FleetProgram
  private let devices: Int
  private let weighings: Int
  private let environment: FleetEnvironment
  private let database = "run_" + UUID().uuidString.replacing("-", with: "").lowercased()

  init(_ program: FleetProgram, devices: Int, weighings: Int, in environment: FleetEnvironment) throws(CostError) {
    (self.program, self.devices, self.weighings, self.environment) = (program, devices, weighings, environment)
    try environment.query("CREATE DATABASE \(database)", in: "postgres")
  }

  /// Measures, and removes the database.
  func result() throws(CostError) -> FleetResult {
    defer { _ = try? environment.query("DROP DATABASE \(database) WITH (FORCE)", in: "postgres") }
    if program != .grampad { try makeTables() }
    let collector = try start(program)
    defer { environment.children.end(collector) }
    let backend = try environment.query(
      "SELECT pid FROM pg_stat_activity WHERE datname = '\(database)' AND application_name IN ('grampad', 'baseline')",
      in: "postgres")
    guard let backend = pid_t(backend) else { throw failure("no connection to the database: \(backend)") }
    func used() -> FleetResult.Time {
      FleetResult.Time(collector: seconds(of: collector), database: seconds(of: backend))
    }
    let start = used()
    let log = try environment.logEnd()
    let fleet = try environment.children.start([
      environment.grampad, "simulate", "--devices", "\(devices)", "--weighings", "\(weighings)", "--rate", "1000000",
      "--stay", "--delay", "\(Self.delay)", "--health-interval", "86400", "--device", database, "--broker",
      "mqtt://127.0.0.1:\(environment.port)",
    ])
    defer { environment.children.end(fleet) }
    try environment.waitForSubscriptions(of: devices, after: log)
    try waitForHealth()
    let connected = used()
    guard try environment.query("SELECT count(*) FROM weighing", in: database) == "0" else {
      throw failure("the health of the devices was not stored within \(Self.delay) s")
    }
    try environment.wait("\(program.rawValue) to store \(weighings) weighings") { () throws(CostError) in
      try environment.query("SELECT count(*) FROM weighing", in: database) == "\(weighings)"
    }
    let rate = try environment.query(
      """
      SELECT count(*) FILTER (WHERE received < last) / extract(epoch FROM max(received) - min(received))
      FROM weighing, (SELECT max(received) AS last FROM weighing) AS batch
      """, in: database)
    return FleetResult(
      program: program, devices: devices, weighings: weighings, rate: Double(rate) ?? .nan,
      connecting: connected - start, weighing: used() - connected, megabytes: memory(of: collector))
  }

  /// Seconds in which each collector stores the health of all devices.
  private static let delay = 10

  private func waitForHealth() throws(CostError) {
    // The collector without state ignores it.
    guard program != .python else { return }
    try environment.wait("\(program.rawValue) to store the health of \(devices) devices") { () throws(CostError) in
      // The broker has the retained health of earlier runs.
      let query = "SELECT count(*) FROM device WHERE health IS NOT NULL AND id LIKE '\(database)-%'"
      return try environment.query(query, in: database) == "\(devices)"
    }
  }

  /// The tables of a collector that has ended.
  private func makeTables() throws(CostError) {
    let collector = try start(.grampad)
    environment.children.end(collector)
  }

  /// Starts a collector, and waits until it has subscribed.
  private func start(_ program: FleetProgram) throws(CostError) -> pid_t {
    let url = environment.url(database)
    let command =
      switch program {
      case .grampad:
        [environment.grampad, "collect", "--database", url, "--broker", "mqtt://127.0.0.1:\(environment.port)"]
      case .python: [environment.python, environment.path("collector.py"), "\(environment.port)", url]
      case .pythonState: [environment.python, environment.path("collector.py"), "\(environment.port)", url, "state"]
      }
    let earlier = environment.subscriptions
    let child = try environment.children.start(command, error: environment.path("collector.log"))
    do throws(CostError) {
      try environment.wait("\(program.rawValue) to subscribe") { environment.subscriptions > earlier }
    } catch {
      environment.children.end(child)
      throw error
    }
    return child
  }

  private func failure(_ output: String) -> CostError { .failed(program.rawValue, status: -1, output: output) }

  /// User and system time of a process. `proc(5)`
  private func seconds(of process: pid_t) -> Double {
    let fields = ChildProcesses.text("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return .nan }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Peak of the resident memory in MB. `proc(5)`, VmHWM
  private func memory(of process: pid_t) -> Double {
    let line = ChildProcesses.text("/proc/\(process)/status").split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropLast().last).flatMap { Double($0) }.map { $0 / 1000 } ?? .nan
  }
}
