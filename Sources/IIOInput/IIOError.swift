import EventLoop
import Glibc
import Weighing

/// An error of an IIO device; its description says what to do.
package enum IIOError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The device does not exist.
  case notFound(path: String)
  /// The device was removed.
  case removed(path: String)
  /// The user has no permission to read it.
  case notPermitted(path: String)
  /// Another program reads the converter's buffer.
  case busy(path: String)
  /// The device cannot weigh.
  case unsuitable(path: String, reason: UnsuitableConverterError)
  /// The driver has not answered for this time.
  case silent(path: String, Interval)
  /// An attribute has an unexpected content.
  case malformed(path: String, found: String)
  /// Range, rate or gain differ from those at the opening.
  case changed(path: String)
  /// A system call failed for another reason; `code` is its `errno`.
  case system(path: String, doing: String, code: Int32)

  /// The device or file concerned.
  package var path: String {
    switch self {
    case .notFound(let path), .removed(let path), .notPermitted(let path), .busy(let path), .changed(let path): path
    case .unsuitable(let path, _), .silent(let path, _), .malformed(let path, _), .system(let path, _, _): path
    }
  }

  /// What failed, on what, and what to do.
  package var description: String { "\(path): \(reason)" }

  /// The same without the path, for a table with a column for it.
  package var reason: String {
    switch self {
    case .notFound: "no such device; connect it, or list the devices with `grampad devices`"
    case .removed: "removed"
    case .notPermitted: "no permission; install the udev rule that `grampad devices --udev` prints"
    case .busy: "in use by another program; stop that program (find it with `fuser -v` on the path)"
    case .unsuitable(_, let reason): "cannot weigh: \(reason)"
    case .silent(_, let time): "the driver has not answered for \(DecimalText.trimmed(time.seconds, decimals: 1)) s"
    case .malformed(_, let found): "unexpected content \(printable(found).debugDescription)"
    case .changed: "its range, rate or gain were changed"
    case .system(_, let doing, let code): "\(doing) failed: \(systemText(code))"
    }
  }

  /// Whether the device may answer the next time: the converter was not ready, or a transfer on its bus failed.
  var isTransient: Bool {
    switch self {
    case .system, .malformed: true
    case .notFound, .removed, .notPermitted, .busy, .unsuitable, .silent, .changed: false
    }
  }

  /// Classifies an errno from opening or reading a file at `path`.
  init(errno code: Int32, path: String, doing: String) {
    switch code {
    case ENOENT, ENOTDIR: self = .notFound(path: path)
    case ENODEV: self = .removed(path: path)
    case EACCES, EPERM: self = .notPermitted(path: path)
    case EBUSY: self = .busy(path: path)
    default: self = .system(path: path, doing: doing, code: code)
    }
  }
}

/// Why an IIO device is not suitable for weighing.
package enum UnsuitableConverterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It measures no voltage.
  case noVoltage
  /// It does not have the configured channel; with those that it has.
  case noSuchChannel(String, available: [String])
  /// It is not a converter known to be used with load cells.
  case unknownKind

  /// The reason as text, for `devices` and the log.
  package var description: String {
    switch self {
    case .noVoltage: "it has no voltage input"
    case .noSuchChannel(let channel, let available):
      "it has no channel \(channel), but \(available.joined(separator: ", ")); correct pad.channel"
    case .unknownKind: "not known as a converter for load cells"
    }
  }
}
