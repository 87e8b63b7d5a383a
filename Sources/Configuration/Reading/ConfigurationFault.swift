import EventLoop

/// One thing that is wrong with a configuration, and where.
package struct ConfigurationFault: Hashable, Sendable, CustomStringConvertible {
  /// The file as it was named.
  package var file: String
  /// The line and the column.
  package var position: SourcePosition
  /// The key with the sections around it, `scale.capacity_g`; empty where the fault is not one of a key.
  package var keyPath: String
  /// What is wrong.
  package var message: String
  /// What was probably meant.
  package var suggestion: String?
  /// The key where it is not a known one; it is then shown without the sections around it.
  package var unknownKey: String?

  /// `grampad.yaml:12:3: capcity_g: unknown key in scale; did you mean capacity_g?`
  package var description: String {
    let subject = unknownKey ?? keyPath
    return "\(file):\(position.line):\(position.column): \(subject.isEmpty ? "" : subject + ": ")\(message)"
      + (suggestion.map { "; did you mean \($0)?" } ?? "")
  }
}

/// Why there is no configuration.
package enum ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no such file.
  case missing(path: String)
  /// The file may not be read.
  case noPermission(path: String)
  /// It is a directory, a device or the like.
  case notAFile(path: String)
  /// Reading failed for another reason; the system's error number.
  case unreadable(path: String, errno: CInt)
  /// It says what cannot be done; all of it, in the order of the file, never empty.
  case faulty([ConfigurationFault])

  /// What failed, on what, and what to do; one line a fault.
  package var description: String {
    switch self {
    case .missing(let path): "\(path): no such file; specify the configuration with --config"
    case .noPermission(let path): "\(path): permission denied; check the owner and mode of the file"
    case .notAFile(let path): "\(path): not a file"
    case .unreadable(let path, let number): "\(path): cannot be read: \(systemText(number))"
    case .faulty(let faults): faults.map(\.description).joined(separator: "\n")
    }
  }
}
