import EventLoop
import SystemPackage

/// An error in a configuration, with its position.
package struct ConfigurationDiagnostic: Hashable, Sendable, CustomStringConvertible {
  /// The file name as given.
  package var file: String
  /// The line and the column.
  package var position: SourcePosition
  /// The key with its section, `scale.capacity_g`; empty if the error does not concern a key.
  package var keyPath: String
  /// What is wrong.
  package var message: String
  /// A suggestion.
  package var suggestion: String?
  /// The key if it is unknown; it is then shown without its section.
  package var unknownKey: String?

  /// `grampad.yaml:12:3: capcity_g: unknown key in scale; did you mean capacity_g?`
  package var description: String {
    let subject = unknownKey ?? keyPath
    return "\(file):\(position.line):\(position.column): \(subject.isEmpty ? "" : subject + ": ")\(message)"
      + (suggestion.map { "; did you mean \($0)?" } ?? "")
  }
}

/// Why a configuration cannot be loaded.
package enum ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
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
  package var description: String {
    switch self {
    case .missing(let path): "\(path): no such file; specify the configuration with --config"
    case .noPermission(let path): "\(path): permission denied; check the owner and mode of the file"
    case .notAFile(let path): "\(path): not a file"
    case .unreadable(let path, let error): "\(path): cannot be read: \(error)"
    case .invalid(let diagnostics): diagnostics.map(\.description).joined(separator: "\n")
    case .invalidSettings(let path, let diagnostics):
      diagnostics.map { "\($0)\n" }.joined()
        + "\(path) holds the settings of the page; correct it, or move it away to use the configuration alone"
    }
  }
}
