import Glibc
import Languages
import Linux
import Weighing

/// An error of an IIO device; its description says what to do.
package enum IIOError: SentenceError, Hashable {
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
  package var sentence: Sentence { reason.about(path) }

  /// The same without the path, for a table with a column for it.
  package var reason: Sentence {
    switch self {
    case .notFound: Sentence(.deviceNotFound)
    case .removed: Sentence(.iioRemoved)
    case .notPermitted: Sentence(.iioForbidden)
    case .busy: Sentence(.iioBusy)
    case .unsuitable(_, let reason): Sentence(.deviceCannotWeigh, ["reason": reason.sentence])
    case .silent(_, let time): Sentence(.iioSilent, ["seconds": DecimalText.trimmed(time.seconds, decimals: 1)])
    case .malformed(_, let found): Sentence(.iioMalformed, ["text": printable(found).debugDescription])
    case .changed: Sentence(.iioChanged)
    case .system(_, let doing, let code): Sentence(.deviceFailed, ["action": doing, "error": systemText(code)])
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
package enum UnsuitableConverterError: SentenceError, Hashable {
  /// It measures no voltage.
  case noVoltage
  /// It does not have the configured channel; with those that it has.
  case noSuchChannel(String, available: [String])
  /// It is not a converter known to be used with load cells.
  case unknownKind

  /// The reason, with what to do about it.
  package var sentence: Sentence {
    switch self {
    case .noVoltage: Sentence(.converterNoVoltage)
    case .noSuchChannel(let channel, let available):
      Sentence(.converterNoChannel, ["channel": channel, "channels": available.joined(separator: ", ")])
    case .unknownKind: Sentence(.converterUnknown)
    }
  }
}
