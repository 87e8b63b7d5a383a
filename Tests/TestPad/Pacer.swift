import Glibc

/// Lets moments pass at their time, counted from when it was made.
struct Pacer {
  private let start = Pacer.now()

  /// Seconds since the start, on CLOCK_MONOTONIC.
  var elapsed: Double { Double(Pacer.now() - start) / 1e9 }

  /// Returns `seconds` after the start, or at once when that is over.
  func wait(until seconds: Double) {
    let moment = start + Int(seconds * 1e9)
    var time = timespec(tv_sec: moment / 1_000_000_000, tv_nsec: moment % 1_000_000_000)
    while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &time, nil) == EINTR {}
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
