import CLinux
import Weighing

extension ClockState {
  /// Whether the kernel considers the system clock synchronised; if it cannot be queried, the clock counts as
  /// unsynchronised. `adjtimex(2)`
  package static func now() -> ClockState {
    var state = timex()
    state.modes = 0  // read only, which needs no permission
    guard adjtimex(&state) >= 0 else { return .unsynchronised }
    return state.status & STA_UNSYNC == 0 ? .synchronised : .unsynchronised
  }
}
