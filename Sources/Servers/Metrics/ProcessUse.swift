import Glibc
import Messages

/// Resources used by the process, under the names that all Prometheus clients use; proc_pid_stat(5).
struct ProcessUse {
  var cpuSeconds: Double
  var residentBytes: Double
  var startTime: Double
  var openDescriptors: Double

  /// The current use; `nil` without /proc.
  static func now() -> ProcessUse? {
    guard let stat = read("/proc/self/stat"), let end = stat.lastIndex(of: ")") else { return nil }
    // From the third field on, the state: the name before it may contain spaces.
    let fields = stat[stat.index(after: end)...].split(separator: " ")
    let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
    guard fields.count > 21, let user = Double(fields[11]), let system = Double(fields[12]),
      let start = Double(fields[19]), let pages = Double(fields[21])
    else { return nil }
    return ProcessUse(
      cpuSeconds: (user + system) / ticks, residentBytes: pages * Double(sysconf(Int32(_SC_PAGESIZE))),
      startTime: (seconds(CLOCK_REALTIME) - seconds(CLOCK_BOOTTIME) + start / ticks).rounded(),
      openDescriptors: descriptors())
  }

  /// Writes the metrics.
  func write(to text: inout MetricsText) {
    text.add("process_cpu_seconds_total", .counter, "User and system CPU time.", cpuSeconds)
    text.add("process_resident_memory_bytes", .gauge, "Resident memory.", residentBytes)
    text.add("process_open_fds", .gauge, "Open file descriptors.", openDescriptors)
    text.add("process_start_time_seconds", .gauge, "Start time since the Unix epoch.", startTime)
  }

  /// Uses the clock, not /proc/uptime: a sandboxed service sees only the processes in /proc.
  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func descriptors() -> Double {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0.0
    while readdir(folder) != nil { count += 1 }
    // Without `.`, `..` and the directory itself.
    return count - 3
  }

  private static func read(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
