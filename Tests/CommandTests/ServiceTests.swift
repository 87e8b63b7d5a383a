import Foundation
import Glibc
import Testing

/// `run` under a service manager: its notifications and their times.
@Suite struct ServiceTests {
  /// A scale without a pad, which is idle, and the messages to its service manager.
  private struct Supervised {
    let listener: NotifyListener
    let scale: RunningScale

    init(
      _ address: String? = nil, watchdog: Duration? = nil, process: Int32? = nil,
      prepare: (TemporaryFolder) throws -> Void = { _ in }
    ) async throws {
      let name = UUID().uuidString
      listener = try NotifyListener(address ?? "@grampad-test-\(name)")
      var environment = ["NOTIFY_SOCKET": listener.address]
      if let watchdog { environment["WATCHDOG_USEC"] = "\(Int64(watchdog / .microseconds(1)))" }
      if let process { environment["WATCHDOG_PID"] = "\(process)" }
      scale = try await RunningScale(
        pad: "{device: /dev/input/no-such}", extra: "publish: {heartbeat_ms: 60000}", environment: environment,
        prepare: prepare)
    }

    func isReady() async throws {
      let listener = listener
      try await eventually("it is ready") { listener.texts.contains("READY=1") }
    }
  }

  @Test(arguments: [true, false]) func tellsThatItIsReadyAndHowItIs(isAbstract: Bool) async throws {
    let folder = try TemporaryFolder()
    let supervised = try await Supervised(isAbstract ? nil : folder.path + "/notify")
    try await supervised.isReady()
    let broker = "connected to mqtt://127.0.0.1:\(supervised.scale.port)"
    try await eventually("it tells of the pad and the broker") {
      supervised.listener.texts.contains {
        $0.hasPrefix("STATUS=no pad: /dev/input/no-such: no such device") && $0.hasSuffix(broker)
      }
    }
    #expect(supervised.listener.beats.isEmpty, "no watchdog")
    #expect(supervised.listener.texts.count { $0 == "READY=1" } == 1)
  }

  @Test func feedsTheWatchdogWhileItIsIdle() async throws {
    let supervised = try await Supervised(watchdog: .milliseconds(900))
    try await supervised.isReady()
    let begin = supervised.listener.beats.count
    try await eventually("ten signs of life") { supervised.listener.beats.count >= begin + 10 }
    let beats = supervised.listener.beats[begin...]
    let length = beats[begin + 9] - beats[begin]
    // Nine thirds of 900 ms; the bounds leave room for a machine that is busy with other tests.
    #expect(length > .milliseconds(2600) && length < .seconds(30), "\(length)")
  }

  @Test func sleepsWithoutAWatchdog() async throws {
    let supervised = try await Supervised()
    try await supervised.isReady()
    let broker = "connected to mqtt://127.0.0.1:\(supervised.scale.port)"
    try await eventually("it has connected") { supervised.listener.texts.contains { $0.hasSuffix(broker) } }
    // The reading that a new connection is given is the last thing to do; half a second without a wake-up proves rest.
    var wakeUps = -1
    try await eventually("the weighing thread sleeps") {
      let before = wakeUps
      wakeUps = Self.wakeUps(of: "weighing", in: supervised.scale.program.id)
      usleep(500_000)
      return wakeUps == before
    }
    #expect(wakeUps > 0)
  }

  @Test func sleepsWithAnExistingJournal() async throws {
    let first = try await Supervised()
    try await first.isReady()
    first.scale.program.send(SIGTERM)
    try #require(try await first.scale.program.ended().code == 0)
    let journal = try Data(contentsOf: URL(filePath: first.scale.journal))
    let supervised = try await Supervised { folder in
      try journal.write(to: URL(filePath: folder.path + "/grampad.db"))
    }
    try await supervised.isReady()
    // libdispatch's timer, which starts with the first use of its concurrent queue, would wake a thread every second.
    var wakeUps = -1
    try await eventually("the whole process sleeps") {
      let before = wakeUps
      wakeUps = Self.wakeUps(in: supervised.scale.program.id)
      usleep(1_500_000)
      return wakeUps == before
    }
    #expect(wakeUps > 0)
  }

  @Test func leavesAWatchdogAloneThatIsMeantForAnother() async throws {
    let supervised = try await Supervised(watchdog: .milliseconds(90), process: 1)
    try await supervised.isReady()
    usleep(300_000)
    #expect(supervised.listener.beats.isEmpty)
  }

  @Test(.enabled(if: canTrace, "ptrace of other processes is not permitted here"))
  func isSilentWhenTheWeighingLoopHangs() async throws {
    let supervised = try await Supervised(watchdog: .milliseconds(300))
    let listener = supervised.listener
    try await supervised.isReady()
    try await eventually("it lives") { !listener.beats.isEmpty }
    let folder = try TemporaryFolder()
    let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../BootTests/freeze.c")
    let compiled = try await Program("cc", ["-o", folder.path + "/freeze", source.path]).ended()
    try #require(compiled.code == 0, "\(compiled.complaints)")
    let freeze = try Program(folder.path + "/freeze", ["\(supervised.scale.program.id)", "weighing"])
    try await eventually("the thread is frozen") { freeze.output.hasPrefix("frozen ") }
    let last = listener.beats.count
    // All the rest of the program goes on.
    let before = listener.texts.count { $0 == "READY=1" }
    supervised.scale.program.send(SIGHUP)
    try await eventually("it reloads") { listener.texts.count { $0 == "READY=1" } > before }
    usleep(900_000)
    #expect(listener.beats.count == last, "nine thirds of a sign of life that do not come")
    freeze.end()
    try await eventually("the thread goes on") { listener.beats.count > last }
  }

  @Test func tellsWhenAReloadBeginsAndWhenItIsDone() async throws {
    let supervised = try await Supervised()
    let listener = supervised.listener
    try await supervised.isReady()
    let before = listener.texts.count
    let sent = Self.monotonicMicroseconds()
    supervised.scale.program.send(SIGHUP)
    try await eventually("it is ready again") { listener.texts[before...].contains("READY=1") }
    let texts = listener.texts[before...].filter { !$0.hasPrefix("STATUS=") }
    #expect(texts.count == 2)
    let lines = try #require(texts.first).split(separator: "\n")
    #expect(lines.first == "RELOADING=1")
    let stamp = try #require(lines.last?.split(separator: "=").last.flatMap { Int64($0) })
    #expect(lines.last == "MONOTONIC_USEC=\(stamp)" && (sent...Self.monotonicMicroseconds()).contains(stamp))
  }

  @Test func saysARefusedConfigurationInOneLine() async throws {
    let supervised = try await Supervised()
    let listener = supervised.listener
    try await supervised.isReady()
    try supervised.scale.folder.write("scale.yaml", "nonsense: 1\nmore: 2\n")
    try await eventually("it tells of the fault") {
      listener.texts.contains { $0.hasPrefix("STATUS=") && $0.contains("; invalid configuration: ") }
    }
    #expect(listener.texts.allSatisfy { !$0.hasPrefix("STATUS=") || !$0.contains("\n") })
    #expect(listener.texts.contains { $0.contains("nonsense") && $0.contains("more") }, "\(listener.texts)")
  }

  @Test func tellsThatItEnds() async throws {
    let supervised = try await Supervised(watchdog: .seconds(30))
    try await supervised.isReady()
    supervised.scale.program.send(SIGTERM)
    let ended = try await supervised.scale.program.ended()
    #expect(ended.code == 0)
    let texts = supervised.listener.texts
    let end = try #require(texts.firstIndex(of: "STOPPING=1"))
    #expect(!texts[end...].contains("READY=1"))
  }

  @Test func keepsItFromItsChildren() async throws {
    let supervised = try await Supervised(watchdog: .seconds(30))
    try await supervised.isReady()
    let broker = try #require(supervised.scale.program.children.first)
    let environment = try String(contentsOfFile: "/proc/\(broker)/environ", encoding: .utf8)
    let words = try String(contentsOfFile: "/proc/\(broker)/cmdline", encoding: .utf8)
    #expect(words.contains("mosquitto") && environment.isEmpty, "nothing at all: \(environment)")
  }

  /// The number of wake-ups of all threads, or of those with a name: their voluntary context switches; proc_pid_status(5).
  private static func wakeUps(of name: String? = nil, in process: Int32) -> Int {
    let tasks = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return threads.reduce(0) { sum, thread in
      guard let status = try? String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8),
        name.map({ status.hasPrefix("Name:\t\($0)\n") }) ?? true
      else { return sum }
      let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
      return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
    }
  }

  private static func monotonicMicroseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}

/// Whether a process may stop a thread of another; Documentation/admin-guide/LSM/Yama.rst of the kernel.
private let canTrace =
  geteuid() == 0
  || ["0", nil].contains(
    (try? String(contentsOfFile: "/proc/sys/kernel/yama/ptrace_scope", encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines))
