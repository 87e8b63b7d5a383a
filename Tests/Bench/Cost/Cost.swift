import ArgumentParser
import Foundation

/// `grampad-bench cost`.
struct Cost: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compares the cost of Grampad with C and Python programs that only convert and publish.",
    discussion: """
      Each program runs with an emulated pad and its own mosquitto on loopback, and publishes every frame to live and \
      display with QoS 0. A test stand written in C writes the frames, subscribes and measures the times. It emulates the \
      pad with a FIFO and a preloaded library that answers the evdev ioctls, so that reading takes one read(2), as with a \
      real pad. The time the kernel spends between the driver and that read is not included for any program.

      Latency is the time from before the write of a frame's events until its first reading arrives at the subscriber of \
      the test stand, through the broker. CPU time is the user and system time of all threads of the program, without \
      broker and test stand. Wake-ups are the voluntary and involuntary context switches of all its threads, counted from \
      3 s after the finger is lifted. Values are medians of the runs; the spread of a ratio is that of the ratios within \
      a round.

      Required packages in Debian 12: sudo apt install gcc pkg-config libevdev-dev libmosquitto-dev mosquitto python3-evdev \
      python3-paho-mqtt, and for --counted: valgrind strace binutils.
      """)

  @Option(
    help: ArgumentHelp("The program to measure. Default: grampad in the directory of this program.", valueName: "path"))
  var grampad: String?
  @Option(help: "Number of runs of each program at each rate.")
  var runs = 7
  @Option(help: "Duration of each run in seconds.")
  var seconds = 6
  @Option(help: "Number of frames of each run at full speed.")
  var frames = 50000
  @Option(help: "Duration of the idle measurement in seconds; 0 to skip it.")
  var idle = 30
  @Flag(help: "Run the million frames at 1,000 frames per second (17 minutes per program) instead of at full speed.")
  var million = false
  @Flag(help: "Also count instructions and system calls, which do not depend on the load of the machine.")
  var counted = false
  @Flag(help: "Only count.")
  var onlyCounted = false
  @OptionGroup var output: ReportOptions

  func validate() throws {
    guard runs > 0, seconds > 0, frames > 0, idle >= 0 else {
      throw ValidationError("--runs, --seconds and --frames must be at least 1, --idle at least 0")
    }
  }

  func run() throws {
    var report = Report.begin()
    report.sources = Dictionary(uniqueKeysWithValues: CostProgram.allCases.map { ($0.rawValue, $0.source) })
    do throws(CostError) {
      report.figures = CostFigures(try measure()).all
    } catch {
      printProgress("grampad-bench cost: \(error)")
      throw ExitCode(error.status)
    }
    report.compare()
    try output.write(report, tables: [report.costTable])
  }

  private func measure() throws(CostError) -> CostBench.Results {
    let children = ChildProcesses()
    let signals = children.trapSignals()
    defer { withExtendedLifetime(signals) {} }
    let environment = try CostEnvironment(
      grampad: grampad ?? Self.defaultProgram, counted: counted || onlyCounted, children)
    defer { environment.close() }
    var results = CostBench.Results()
    if !onlyCounted {
      let bench = CostBench(
        runs: runs, seconds: seconds, flatFrames: frames, idle: idle,
        million: Workload(rate: million ? 1000 : 0, frames: 1_000_000))
      results = try bench.measure(in: environment, printProgress)
    }
    if let counters = environment.tools.counters {
      for program in CostProgram.allCases {
        printProgress("counting \(program.rawValue)")
        results.counted[program] = try CostCounts(program, in: environment, counters)
      }
    }
    return results
  }

  static var defaultProgram: String {
    let here = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: here).deletingLastPathComponent().appendingPathComponent("grampad").path
  }
}
