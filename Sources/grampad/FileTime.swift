import Messages
import Weighing

/// A time as used in file names: `20261121T063000Z`.
struct FileTime: CustomStringConvertible {
  let description: String

  /// The time since 1970 in UTC.
  init(_ instant: Instant) {
    description = WallClock.recorded.text(instant).prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
  }
}
