import Foundation
import Testing

/// `grampad history` writes record by record: its memory does not depend on their number.
@Suite struct HistoryMemoryTests {
  @Test func aLongHistoryTakesNoMoreMemoryThanAShortOne() async throws {
    // In memory: each of the records is synced.
    let folder =
      try FileManager.default.fileExists(atPath: "/dev/shm") ? TemporaryFolder(in: "/dev/shm") : TemporaryFolder()
    let path = "\(folder.path)/long.db"
    let probe = Bundle.main.bundleURL.appending(path: "stageprobe").path
    let made = try await Program(probe, ["journal", path, "20000"]).ended(within: .seconds(300))
    try #require(made.code == 0, "\(made.complaints)")
    for format in [[], ["--csv"], ["--json"], ["--totals"], ["--totals", "--csv"], ["--totals", "--json"]] {
      let arguments = ["history", "--journal", path] + format
      let short = try peak(arguments + ["--limit", "1"])
      let long = try peak(arguments)
      #expect(long - short < 8 << 20, "\(format): \(short >> 20) and \(long >> 20) MiB")
    }
  }

  /// The largest resident set of a run in bytes. `wait4(2)`
  private func peak(_ arguments: [String]) throws -> Int {
    var process: pid_t = 0
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    let program = Bundle.main.bundleURL.appending(path: "grampad").path
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    try #require(posix_spawn(&process, program, &actions, nil, &words, environ) == 0)
    var (status, usage) = (Int32(0), rusage())
    try #require(wait4(process, &status, 0, &usage) == process && status == 0)
    return usage.ru_maxrss << 10
  }
}
