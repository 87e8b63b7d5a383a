import Foundation

/// Instructions and system calls of a program per reading, which do not depend on the load of the machine.
struct CostCounts {
  /// Instructions in user mode; `nil` if not counted.
  var instructions: Double?
  /// System calls of all threads.
  var systemCalls: Double
  /// The lowest number of readings per frame of all runs. Below 1, the program fell behind and processed several frames at
  /// once, so the counts do not apply to single frames.
  private(set) var publishedShare: Double

  /// Counts the difference between a longer and a shorter run, which excludes start and end.
  ///
  /// Python is not run under callgrind, because it is too slow.
  init(_ program: CostProgram, in environment: CostEnvironment, _ counters: CostTools.Counters) throws(CostError) {
    var share = Double.infinity
    // A program under callgrind is about fifty times slower. It has to keep up with every frame.
    func difference(
      rate: Int, _ wrapper: (String) -> [String], _ count: (String) -> Double?
    ) throws(CostError) -> Double {
      var totals: [(count: Double, readings: Double)] = []
      for frames in [4 * rate, 16 * rate] {
        let file = environment.path("\(program.rawValue).\(frames).counts")
        defer { try? FileManager.default.removeItem(atPath: file) }
        let workload = Workload(rate: rate, frames: frames)
        let run = try TestStandRun(program, workload, in: environment, wrapper: wrapper(file)).result()
        // strace writes its file after the program has ended.
        let deadline = Date(timeIntervalSinceNow: 10)
        while count(ChildProcesses.text(file)) == nil && Date() < deadline { usleep(10000) }
        guard let counted = count(ChildProcesses.text(file)) else {
          throw .failed(program.rawValue, status: 0, output: "\(wrapper(file)[0]) has counted nothing")
        }
        share = min(share, Double(run.matched) / Double(run.frames))
        totals.append((counted, Double(run.readings)))
      }
      return (totals[1].count - totals[0].count) / (totals[1].readings - totals[0].readings)
    }
    systemCalls = try difference(rate: 125) { file in
      // -D runs strace as a grandchild, so that the test stand terminates the program itself.
      [counters.strace, "-D", "-f", "-c", "-U", "calls,name", "-o", file]
    } _: { text in
      let total = text.split(separator: "\n").last { $0.hasSuffix(" total") }
      return total?.split(separator: " ").first.flatMap { Double($0) }
    }
    publishedShare = share
    guard program != .python else { return }
    instructions = try difference(rate: 100) { file in
      [counters.valgrind, "--tool=callgrind", "--callgrind-out-file=\(file)"]
    } _: { text in
      let total = text.split(separator: "\n").last { $0.hasPrefix("summary:") }
      return total?.split(separator: " ").last.flatMap { Double($0) }
    }
    publishedShare = share
  }
}
