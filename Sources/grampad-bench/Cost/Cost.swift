import ArgumentParser
import Foundation

/// `grampad-bench cost`.
struct Cost: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures what Grampad costs beside a C and a Python program that only convert and publish.",
    discussion: """
      Each program runs on an emulated pad, with a mosquitto of its own on loopback, and publishes every frame: live and \
      display, QoS 0. A stand written in C writes the frames, subscribes, and takes the times. It emulates the pad with a \
      FIFO and a preloaded answer to evdev's ioctls, so that reading costs a program one read(2), as on a real pad; what \
      the kernel does between the driver and that read is not in the figures, for no contender.

      Latency is from before the write of a frame's events to the arrival of its first reading at the stand's \
      subscriber, through the broker. The processor's time is that of all threads of the program, user and system, \
      without broker and stand. Wake-ups are the voluntary and involuntary context switches of all its threads, counted \
      from 3 s after the finger is off. Values are the medians of the runs, ratios of one round the noise of a ratio.

      Needs, in Debian 12: sudo apt install gcc pkg-config libevdev-dev libmosquitto-dev mosquitto python3-evdev \
      python3-paho-mqtt, and for --counted: valgrind strace binutils.
      """)

  @Option(help: ArgumentHelp("The program to measure instead of the grampad beside this one.", valueName: "path"))
  var grampad: String?
  @Option(help: "Runs of each program at each rate.")
  var runs = 7
  @Option(help: "Seconds of each run at a rate.")
  var seconds = 6
  @Option(help: "Frames of each run flat out.")
  var frames = 50000
  @Option(help: "Seconds of looking on at rest, 0 for none.")
  var idle = 30
  @Flag(help: "Take 1,000 frames a second for the million frames, which takes 17 minutes a program, not flat out.")
  var million = false
  @Flag(help: "Count instructions and system calls as well, which does not depend on what else the machine does.")
  var counted = false
  @Flag(help: "Only count.")
  var onlyCounted = false
  @OptionGroup var output: ReportOptions

  func validate() throws {
    guard runs > 0, seconds > 0, frames > 0, idle >= 0 else {
      throw ValidationError("--runs, --seconds and --frames: at least 1; --idle: at least 0")
    }
  }

  func run() throws {
    var report = Report.begin()
    report.sources = Dictionary(uniqueKeysWithValues: CostContender.allCases.map { ($0.rawValue, $0.source) })
    do throws(CostError) {
      report.figures = CostFigures(try measure()).all
    } catch {
      Self.say("grampad-bench cost: \(error)")
      throw ExitCode(error.status)
    }
    report.compare()
    try output.deliver(report, tables: [report.costTable])
  }

  private func measure() throws(CostError) -> CostBench.Results {
    let children = Children()
    let signals = children.trapSignals()
    defer { withExtendedLifetime(signals) {} }
    let shop = try Workshop(
      grampad: grampad ?? Self.besideThis, counted: counted || onlyCounted, children)
    defer { shop.close() }
    var results = CostBench.Results()
    if !onlyCounted {
      let bench = CostBench(
        runs: runs, seconds: seconds, flatFrames: frames, idle: idle,
        million: Drive(rate: million ? 1000 : 0, frames: 1_000_000))
      results = try bench.measure(in: shop, Self.say)
    }
    if let counters = shop.tools.counters {
      for contender in CostContender.allCases {
        Self.say("counting \(contender.rawValue)")
        results.counted[contender] = try Counts(contender, in: shop, counters)
      }
    }
    return results
  }

  private static var besideThis: String {
    let here = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: here).deletingLastPathComponent().appendingPathComponent("grampad").path
  }

  private static func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
