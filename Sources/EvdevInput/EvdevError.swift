import Glibc
import Languages
import Linux
import Weighing

/// An error of an input device; its description says what to do.
package enum EvdevError: SentenceError, Hashable {
  /// The file or its device does not exist.
  case notFound(path: String)
  /// The user has no permission to open it.
  case notPermitted(path: String)
  /// It is a file, but not an evdev device.
  case notEvdev(path: String)
  /// It is an evdev device that cannot weigh.
  case unsuitable(path: String, reason: UnsuitablePadError)
  /// Another program has grabbed it.
  case grabbed(path: String)
  /// It was unplugged.
  case lost(path: String)
  /// A system call failed for another reason; `code` is its `errno`.
  case system(path: String, doing: String, code: Int32)

  /// The file or directory concerned.
  package var path: String {
    switch self {
    case .notFound(let path), .notPermitted(let path), .notEvdev(let path), .grabbed(let path), .lost(let path): path
    case .unsuitable(let path, _), .system(let path, _, _): path
    }
  }

  /// What failed, on what, and what to do.
  package var sentence: Sentence { reason.about(path) }

  /// The same without the path, for a table with a column for it.
  package var reason: Sentence {
    switch self {
    case .notFound: Sentence(.deviceNotFound)
    case .notPermitted: Sentence(.deviceForbidden, ["command": "sudo usermod -aG input USER"])
    case .notEvdev: Sentence(.deviceNotEvdev)
    case .unsuitable(_, let reason): Sentence(.deviceCannotWeigh, ["reason": reason.sentence])
    case .grabbed: Sentence(.deviceGrabbed)
    case .lost: Sentence(.deviceLost)
    case .system(_, let doing, let code): Sentence(.deviceFailed, ["action": doing, "error": systemText(code)])
    }
  }

  /// Classifies an errno from opening or reading a device at `path`.
  init(errno code: Int32, path: String, doing: String) {
    switch code {
    case ENOENT, ENXIO, ENOTDIR: self = .notFound(path: path)
    case EACCES, EPERM: self = .notPermitted(path: path)
    case ENODEV: self = .lost(path: path)
    case ENOTTY, EISDIR: self = .notEvdev(path: path)
    default: self = .system(path: path, doing: doing, code: code)
    }
  }
}
