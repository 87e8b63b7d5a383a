import Foundation

/// What a contender does for a reading, counted: the same on a busy machine as on an idle one.
struct Counts {
  /// Instructions of the program, the kernel's left out; `nil` where they are not counted.
  var instructions: Double?
  /// System calls, those of all threads.
  var systemCalls: Double
  /// Readings for each frame, in the run where they were fewest: under 1 the program fell behind and took several frames at
  /// once, and the counts are not those of single ones.
  private(set) var publishedShare: Double

  /// Counts by the difference of a longer and a shorter run, so that the start and the end are left out.
  ///
  /// Python is not counted by callgrind: it takes too long in it.
  init(_ contender: CostContender, in shop: Workshop, _ counters: CostTools.Counters) throws(CostError) {
    var share = Double.infinity
    // Few enough that a program in callgrind, which is about fifty times as slow, keeps up with every frame.
    func difference(
      rate: Int, _ wrapper: (String) -> [String], _ count: (String) -> Double?
    ) throws(CostError) -> Double {
      var totals: [(count: Double, readings: Double)] = []
      for frames in [4 * rate, 16 * rate] {
        let file = shop.path("\(contender.rawValue).\(frames).counts")
        defer { try? FileManager.default.removeItem(atPath: file) }
        let drive = Drive(rate: rate, frames: frames)
        let run = try StandRunning(contender, drive, in: shop, wrapper: wrapper(file)).result()
        // strace writes when the program has ended, which is what the stand waits for.
        let deadline = Date(timeIntervalSinceNow: 10)
        while count(Children.text(file)) == nil && Date() < deadline { usleep(10000) }
        guard let counted = count(Children.text(file)) else {
          throw .failed(contender.rawValue, status: 0, output: "\(wrapper(file)[0]) has counted nothing")
        }
        share = min(share, Double(run.matched) / Double(run.frames))
        totals.append((counted, Double(run.readings)))
      }
      return (totals[1].count - totals[0].count) / (totals[1].readings - totals[0].readings)
    }
    systemCalls = try difference(rate: 125) { file in
      // As the program's grandchild, so that the program itself is what the stand asks to end.
      [counters.strace, "-D", "-f", "-c", "-U", "calls,name", "-o", file]
    } _: { text in
      let total = text.split(separator: "\n").last { $0.hasSuffix(" total") }
      return total?.split(separator: " ").first.flatMap { Double($0) }
    }
    publishedShare = share
    guard contender != .python else { return }
    instructions = try difference(rate: 100) { file in
      [counters.valgrind, "--tool=callgrind", "--callgrind-out-file=\(file)"]
    } _: { text in
      let total = text.split(separator: "\n").last { $0.hasPrefix("summary:") }
      return total?.split(separator: " ").last.flatMap { Double($0) }
    }
    publishedShare = share
  }
}
