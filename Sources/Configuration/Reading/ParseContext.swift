/// What is collected while a configuration is read.
final class ParseContext {
  private let files: [String]
  let checks: Configuration.Checks
  private(set) var diagnostics: [ConfigurationDiagnostic] = []
  /// The keys of the settings file that this version does not know; they have no effect.
  private(set) var unknownSettings: [ConfigurationDiagnostic] = []
  /// The types of the quick actions.
  private(set) var types: [String] = []
  /// The quick actions that zones and buttons refer to.
  private(set) var references: [(type: String, position: SourcePosition, reporter: DiagnosticReporter)] = []
  /// The position of each given key, by the key with its section: `confirm.full_g`.
  private(set) var positions: [String: SourcePosition] = [:]

  /// The maximum number of diagnostics; a file of garbage has an error on every line.
  private static let maximum = 200

  /// - Parameter settings: The name of the settings file, if there is one.
  init(file: String, settings: String? = nil, checks: Configuration.Checks) {
    files = [file] + (settings.map { [$0] } ?? [])
    self.checks = checks
  }

  /// The name of the file with a position.
  func file(at position: SourcePosition) -> String { files[min(position.layer, files.count - 1)] }

  /// Whether the maximum number of diagnostics is reached.
  var isFull: Bool { diagnostics.count >= Self.maximum }

  /// Appends a diagnostic, unless it is already in the list.
  func append(_ diagnostic: ConfigurationDiagnostic) {
    if !isFull, !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
  }

  /// Records a key of the settings file that this version does not know.
  func ignore(_ diagnostic: ConfigurationDiagnostic) {
    if unknownSettings.count < Self.maximum { unknownSettings.append(diagnostic) }
  }

  /// A context for reading the same files again.
  var emptied: ParseContext { ParseContext(file: files[0], settings: files.dropFirst().first, checks: checks) }

  /// Records the position of a given key.
  func locate(_ keyPath: String, at position: SourcePosition) { positions[keyPath] = positions[keyPath] ?? position }

  /// Records the type of a quick action.
  func declare(_ type: String) { types.append(type) }

  /// Records a reference to a quick action.
  func addReference(to type: String, at position: SourcePosition, by reporter: DiagnosticReporter) {
    references.append((type, position, reporter))
  }
}
