import Foundation

/// The frames that the test stand writes to a program.
struct Workload: Hashable {
  /// Frames per second; 0 for as fast as the program reads them.
  var rate: Int
  var frames: Int
  /// Duration of the measurement after the finger is lifted, in seconds.
  var idle = 0

  /// The name in the report.
  var text: String { rate == 0 ? "full speed" : "\(rate)/s" }
}

/// The result of one run on the test stand, see the end of Baselines/stand.c.
struct TestStandResult: Decodable {
  var frames: Int
  var readings: Int
  var matched: Int
  var torn: Int
  var others: Int
  var payloadBytes: Double
  var readS: Double
  var arrivedS: Double
  var cpuS: Double
  var switches: Int
  var p50Us: Double
  var p99Us: Double
  var mostUs: Double
  var startS: Double
  var idleS: Double
  var idleSwitches: Int
  var idleCpuS: Double
  /// Resident memory in kibibytes: at the start, after each tenth of the frames, and at the end.
  var rssKb: [Int]
  /// Warnings and errors in the log of the program.
  var complaints: [String] = []

  enum CodingKeys: String, CodingKey {
    case frames, readings, matched, torn, others, payloadBytes, readS, arrivedS, cpuS, switches, p50Us, p99Us, mostUs
    case startS, idleS, idleSwitches, idleCpuS, rssKb
  }

  /// CPU time per published reading, in microseconds.
  var cpuPerReading: Double { cpuS * 1e6 / Double(max(readings, 1)) }
  /// Resident memory at the end, in megabytes of 1,000,000 bytes.
  var memory: Double { Self.megabytes(rssKb.last ?? 0) }
  /// Growth of the resident memory since the first tenth of the frames, in megabytes.
  var growth: Double { rssKb.count > 1 ? memory - Self.megabytes(rssKb[1]) : 0 }

  private static func megabytes(_ kibibytes: Int) -> Double { Double(kibibytes) * 1024 / 1e6 }
}

/// A program that runs on the test stand.
struct TestStandRun {
  private let program: CostProgram
  private let environment: CostEnvironment
  private let process: pid_t
  private let output: String
  private let log: String

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - wrapper: A tool that runs the program, with its options.
  ///   - all: Whether the test stand subscribes to all topics of the program instead of only its readings.
  init(
    _ program: CostProgram, _ workload: Workload, in environment: CostEnvironment, wrapper: [String] = [],
    all: Bool = false
  ) throws(CostError) {
    (self.program, self.environment) = (program, environment)
    let name = environment.path("\(program.rawValue).\(UUID())")
    output = name + ".json"
    log = name + ".log"
    let filter = program.prefix + (all ? "/#" : "/live")
    process = try environment.children.start(
      [
        environment.path("stand"), environment.path("pad.so"), environment.path(program.rawValue + ".pad"),
        "\(environment.port)", filter, "\(workload.rate)", "\(workload.frames)", "\(workload.idle)",
      ] + wrapper + program.command(in: environment), output: output, error: log)
  }

  /// Waits for the end of the run and returns its result.
  ///
  /// - Throws: `CostError.failed` or `.interrupted`.
  func result() throws(CostError) -> TestStandResult {
    let status = try environment.children.wait(for: process)
    let words = ChildProcesses.text(log)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard status == 0, var run = try? decoder.decode(TestStandResult.self, from: Data(ChildProcesses.text(output).utf8))
    else {
      throw .failed(program.rawValue, status: status, output: String(words.suffix(2000)))
    }
    run.complaints = words.split(separator: "\n").map(String.init).filter {
      $0.contains(" warning ") || $0.contains(" error ") || $0.contains("lost")
    }
    for path in [output, log] { try? FileManager.default.removeItem(atPath: path) }
    return run
  }
}
