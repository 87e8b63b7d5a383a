import Glibc

/// Waits until given times, relative to its creation.
struct Pacer {
  private let start = Pacer.now()

  /// Seconds since the start, on CLOCK_MONOTONIC.
  var elapsed: Double { Double(Pacer.now() - start) / 1e9 }

  /// Waits until `seconds` after the start; returns immediately if that time has passed.
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
