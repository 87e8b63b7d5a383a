import ArgumentParser
import Foundation

/// `grampad-bench core`: the cost of a frame, from the events of the pad to the bytes of the messages.
struct Core: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Counts allocations, instructions and nanoseconds per frame.",
    discussion: """
      Events pass through the same code as in the weighing loop of `run`, up to the bytes that are sent to the broker. \
      Allocations are counted by a replacement for malloc, instructions by valgrind's callgrind. Both counts are \
      deterministic. The nanoseconds are the minimum of several runs and are informational.
      """)

  @Option(help: "Count this scene only; repeatable.")
  var scene: [CoreScene] = []
  @Option(help: "Number of frames to count, after the warm-up.")
  var frames = 2000
  @Option(help: "Number of timed runs.")
  var runs = 10
  @OptionGroup var output: ReportOptions
  /// Runs the scenes once without a report, for callgrind.
  @Flag(help: .hidden)
  var once = false

  func validate() throws {
    guard frames > 0, runs > 0 else { throw ValidationError("--frames and --runs must be greater than 0.") }
  }

  func run() throws {
    if once { return try scene.forEach { try count($0) } }
    guard CoreRun.countsAllocations else { throw UncountedAllocationsError() }
    var report = Report.begin()
    let callgrind = try prepared()
    for scene in scene.isEmpty ? CoreScene.allCases : scene {
      let (run, allocations) = try count(scene)
      func add(_ what: String, _ unit: String, _ total: Double?, goal: Goal? = nil) {
        report.figures.append(
          Figure(what, unit, on: scene.title, of: "grampad", total.map { $0 / Double(frames) }, goal: goal))
      }
      add("allocations_per_frame", "1", Double(allocations.count), goal: CoreScene.noAllocation)
      add("allocated_per_frame", "B", Double(allocations.bytes))
      add("instructions_per_frame", "1", try callgrind?.instructions(child(of: scene)), goal: scene.mostInstructions)
      add("messages_per_frame", "1", Double(run.messages))
      add("bytes_out_per_frame", "B", Double(run.bytes))
      if !output.check { add("time_per_frame", "ns", try times(scene).min(), goal: scene.timeGoal) }
    }
    try output.write(report, tables: [report.byScene])
  }

  /// Prepares callgrind; `nil` if it is not installed. Instructions are then not counted.
  private func prepared() throws -> Callgrind? {
    do {
      return try Callgrind()
    } catch {
      // Not as a pattern of `catch`, with which Swift 6.2 crashes.
      guard case .missing = error else { throw error }
      printProgress("\(error)")
      return nil
    }
  }

  private func child(of scene: CoreScene) -> [String] {
    ["core", "--once", "--scene", scene.rawValue, "--frames", "\(frames)"]
  }

  @discardableResult
  private func count(_ scene: CoreScene) throws -> (CoreRun, (count: UInt64, bytes: UInt64)) {
    var run = try CoreRun(scene, frames: frames)
    run.warmUp()
    let allocations = run.playCounted()
    return (run, (allocations.count, allocations.bytes))
  }

  /// Returns the durations of several runs, in nanoseconds.
  private func times(_ scene: CoreScene) throws -> [Double] {
    try (0..<runs).map { _ in
      var run = try CoreRun(scene, frames: frames)
      run.warmUp()
      return ContinuousClock().measure { run.playRest() } / .nanoseconds(1)
    }
  }
}

extension CoreScene: ExpressibleByArgument {}

/// The program is linked to a malloc that does not count.
private struct UncountedAllocationsError: Error, CustomStringConvertible {
  let description = "Allocations are not counted: the malloc of CAllocations is not the one that is called."
}

extension Report {
  /// A row for each scene, a column for each figure.
  fileprivate var byScene: Table {
    let whats = figures.map { $0.what.replacing("_per_frame", with: "") }.distinct
    var table = Table("Per frame", columns: ["on"] + whats)
    for row in figures.grouped(by: { [$0.on] }) { table.append([row[0].on] + row.map { Table.number($0.value) }) }
    return table
  }
}
