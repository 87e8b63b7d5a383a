import Languages
import SystemPackage
import Weighing

/// An error in a configuration, with its position.
package struct ConfigurationDiagnostic: Hashable, Sendable, CustomStringConvertible {
  /// The file name as given.
  package var file: String
  /// The line and the column.
  package var position: SourcePosition
  /// The key with its section, `scale.capacity_g`; empty if the error does not concern a key.
  package var keyPath: String
  /// What is wrong.
  package var message: Sentence
  /// A suggestion.
  package var suggestion: String?
  /// The key if it is unknown; it is then shown without its section.
  package var unknownKey: String?
  /// What is accepted instead of an unexpected value.
  package var accepted: Sentence?

  /// What is wrong, with the suggestion.
  package var explanation: Sentence {
    suggestion.map { Sentence(.configSuggestion, ["fault": message, "suggestion": $0]) } ?? message
  }

  /// What is wrong, for a user who sees what is typed: what is accepted, or the explanation.
  package var requirement: Sentence { accepted.map { .expected($0) } ?? explanation }

  /// `grampad.yaml:12:3: capcity_g: unknown key in scale; did you mean capacity_g?`
  package var sentence: Sentence {
    let subject = unknownKey ?? keyPath
    let place = "\(file):\(position.line):\(position.column)"
    return explanation.about(subject.isEmpty ? place : "\(place): \(subject)")
  }

  /// The sentence in English.
  package var description: String { sentence.description }
}

/// Why a configuration cannot be loaded.
package enum ConfigurationError: SentenceError, Hashable {
  /// The file does not exist.
  case missing(path: String)
  /// Permission to read the file is denied.
  case noPermission(path: String)
  /// It is a directory, a device or similar.
  case notAFile(path: String)
  /// Reading failed for another reason; the system's error number.
  case unreadable(path: String, errno: Errno)
  /// The content is invalid; all diagnostics in the order of the file, never empty.
  case invalid([ConfigurationDiagnostic])
  /// The settings file is invalid, or contradicts the configuration; all diagnostics, never empty.
  case invalidSettings(path: String, [ConfigurationDiagnostic])

  /// What failed, on what, and what to do; one line per diagnostic.
  package var sentence: Sentence {
    switch self {
    case .missing(let path): Sentence(.fileMissing, ["path": path])
    case .noPermission(let path): Sentence(.fileForbidden, ["path": path])
    case .notAFile(let path): Sentence(.fileNotAFile, ["path": path])
    case .unreadable(let path, let error): Sentence(.fileUnreadable, ["path": path, "error": error])
    case .invalid(let diagnostics): .lines(diagnostics.map(\.sentence))
    case .invalidSettings(let path, let diagnostics):
      .lines(diagnostics.map(\.sentence) + [Sentence(.fileOfSettings, ["path": path])])
    }
  }
}
