import ArgumentParser
import Foundation

/// `grampad-bench fleet`.
struct FleetBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet", abstract: "Compares the cost of a collector with a collector in Python.",
    discussion: """
      Each collector stores weighings of light devices (grampad simulate) from its own mosquitto in its own PostgreSQL, all \
      on loopback, with fsync off. The Python collector uses paho with manual acknowledgement and psycopg with batches of up \
      to 5,000; it does not look for missing weighings. python_state is the same with the state of each device: its health, \
      when it was last seen, its weighings and its highest sequence. All devices are connected before the first weighing, \
      and all weighings are made at once, so that a collector always has more to do.

      Weighings per second are those of all batches but the last, by the times at which PostgreSQL has begun them; the \
      devices, the broker and the database share the cores of the machine. Core time is the user and system time of the \
      collector, and separately that of its connection in PostgreSQL, once all devices are connected and their health is stored. \
      The time for a connection is what was used before that moment, divided by the number of devices: each publishes its \
      health only when it connects. Memory is the peak of the resident memory. Values are medians of the runs.

      Required packages in Debian 12: sudo apt install mosquitto postgresql python3-venv util-linux. paho-mqtt and psycopg \
      are installed with pip into --packages.
      """)

  @Option(
    help: ArgumentHelp("The program to measure. Default: grampad in the directory of this program.", valueName: "path"))
  var grampad: String?
  @Option(help: "Number of devices. Can be repeated.")
  var devices: [Int] = [100, 1000, 10_000]
  @Option(help: "Number of weighings of each run, at most 20000.")
  var weighings = 20_000
  @Option(help: "Number of runs of each collector.")
  var runs = 3
  @Option(help: "The virtual environment for the packages of the Python collector.")
  var packages = ".build/bench-python"
  @OptionGroup var output: ReportOptions

  func validate() throws {
    guard runs > 0, (1...20_000).contains(weighings), devices.allSatisfy({ (1...100_000).contains($0) }) else {
      throw ValidationError("--runs and --devices must be at least 1, --weighings 1 to 20000.")
    }
  }

  func run() throws {
    var report = Report.begin()
    do throws(CostError) {
      report.figures = Self.figures(try measure())
    } catch {
      printProgress("grampad-bench fleet: \(error)")
      throw ExitCode(error.status)
    }
    try output.write(report)
  }

  private func measure() throws(CostError) -> [FleetResult] {
    let children = ChildProcesses()
    let signals = children.trapSignals()
    defer { withExtendedLifetime(signals) {} }
    let environment = try FleetEnvironment(grampad: grampad ?? Cost.defaultProgram, packages: packages, children)
    defer { environment.close() }
    var results: [FleetResult] = []
    for round in 0..<runs {
      for count in devices {
        for program in round % 2 == 0 ? FleetProgram.allCases : FleetProgram.allCases.reversed() {
          printProgress("round \(round + 1) of \(runs): \(program.rawValue), \(count) devices")
          results.append(try FleetRun(program, devices: count, weighings: weighings, in: environment).result())
        }
      }
    }
    return results
  }

  private static func figures(_ results: [FleetResult]) -> [Figure] {
    var figures: [Figure] = []
    for count in Set(results.map(\.devices)).sorted() {
      for program in FleetProgram.allCases {
        let runs = results.filter { $0.devices == count && $0.program == program }
        func add(_ what: String, _ unit: String, _ value: (FleetResult) -> Double) {
          let values = runs.map(value)
          figures.append(
            Figure(
              what, unit, on: "\(count) devices", of: program.rawValue, values.sorted().quantile(0.5),
              spread: .quartiles(of: values)))
        }
        add("weighings", "1/s", \.rate)
        func perWeighing(_ value: @escaping (FleetResult.Time) -> Double) -> (FleetResult) -> Double {
          { value($0.weighing) * 1e6 / Double($0.weighings) }
        }
        add("weighings_per_core_second", "1/s") { Double($0.weighings) / $0.weighing.collector }
        add("core_time_per_weighing", "us", perWeighing(\.collector))
        add("database_time_per_weighing", "us", perWeighing(\.database))
        add("total_time_per_weighing", "us", perWeighing { $0.collector + $0.database })
        add("core_time_per_connection", "us") { $0.connecting.collector * 1e6 / Double($0.devices) }
        add("database_time_per_connection", "us") { $0.connecting.database * 1e6 / Double($0.devices) }
        add("resident_memory", "MB", \.megabytes)
      }
      figures += goals(results, devices: count)
    }
    return figures
  }

  /// The goals: at least three times the weighings per core second of the Python collector that keeps no state, and the same
  /// cost of a weighing with many devices as with few.
  private static func goals(_ results: [FleetResult], devices: Int) -> [Figure] {
    func median(_ program: FleetProgram, _ devices: Int) -> Double {
      let runs = results.filter { $0.devices == devices && $0.program == program }
      return runs.map { $0.weighing.collector / Double($0.weighings) }.sorted().quantile(0.5)
    }
    func figure(_ what: String, _ value: Double, _ goal: Goal) -> Figure {
      Figure(what, "1", on: "\(devices) devices", of: FleetProgram.grampad.rawValue, value, goal: goal)
    }
    let time = median(.grampad, devices)
    let fewest = results.map(\.devices).min() ?? devices
    var figures = [
      figure("core_time_to_python", time / median(.python, devices), Goal("at most a third", .atMost, 1.0 / 3))
    ]
    if devices > fewest {
      figures.append(figure("core_time_to_fewest", time / median(.grampad, fewest), Goal("flat", .atMost, 1.25)))
    }
    return figures
  }
}

/// A collector that is measured.
enum FleetProgram: String, CaseIterable {
  case grampad, python
  case pythonState = "python_state"
}

/// What a run has shown.
struct FleetResult {
  var program: FleetProgram
  var devices: Int
  var weighings: Int
  /// Weighings per second.
  var rate: Double
  /// Until all devices were connected.
  var connecting: Time
  /// From then on.
  var weighing: Time
  var megabytes: Double

  /// Processor time in seconds.
  struct Time {
    var collector: Double
    /// Of the connection in PostgreSQL.
    var database: Double

    static func - (left: Time, right: Time) -> Time {
      Time(collector: left.collector - right.collector, database: left.database - right.database)
    }
  }
}
