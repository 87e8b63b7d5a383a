import Languages
import Linux
import Messages
import SystemPackage
import Weighing

/// The file with the settings of the page, in the folder of the journal. The service writes it; it is read after the
/// configuration file.
package struct SettingsFile: Hashable, Sendable {
  /// Its absolute path.
  package let path: String

  /// The path of the file with the settings before the last change.
  package var previousPath: String { path + ".previous" }

  /// The content; `nil` if the file does not exist.
  package func read() throws(ConfigurationError) -> [UInt8]? { try Self.read(path) }

  /// The content before the last change; `nil` if there was no change.
  package func readPrevious() throws(ConfigurationError) -> [UInt8]? { try Self.read(previousPath) }

  private static func read(_ path: String) throws(ConfigurationError) -> [UInt8]? {
    do throws(ConfigurationError) {
      return try configurationFileBytes(path, name: path)
    } catch {
      if case .missing = error { return nil }
      throw error
    }
  }

  /// Replaces the content, and keeps the previous content.
  ///
  /// Both files are replaced after the new content is on the disk: if the disk is full, they stay as they are.
  func write(_ bytes: [UInt8], replacing old: [UInt8]?) throws(SettingsError) {
    let draft = path + ".new"
    do throws(FileError) {
      try FileSystem.replaceFile(draft, with: bytes, permissions: 0o640)
      try FileSystem.replaceFile(previousPath, with: old ?? Array(Self.head(Version.text).utf8), permissions: 0o640)
      do { try FileSystem.rename(draft, to: path) } catch { throw FileError(error) }
    } catch {
      try? FileSystem.unlink(draft)
      throw .notWritable(path: path, error.errno)
    }
    FileSystem.syncFolder(parentFolder(of: path))
  }

  /// Reads the values from the content of the file.
  func layer(_ bytes: [UInt8]) throws(ConfigurationError) -> SettingsLayer {
    let context = ParseContext(file: path, checks: Configuration.Checks())
    let root = DiagnosticReporter(context: context, keyPath: "")
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix { $0.hasPrefix("#") }
    let version = lines.first { $0.hasPrefix(Self.author) }.map { String($0.dropFirst(Self.author.count)) }
    let layer = SettingsLayer(YAMLDocument(bytes, root).load()?.inSettings(), version: version, root)
    guard context.diagnostics.isEmpty else {
      throw .invalidSettings(path: path, context.diagnostics.sorted { $0.position < $1.position })
    }
    return layer
  }

  /// The content of a file with these values of a configuration, and with what the file has that this version does not know.
  static func text(of layer: SettingsLayer, in configuration: Configuration) -> String {
    var items = Configuration.settableKeys.compactMap { key -> (names: [String], value: OutputValue)? in
      guard let node = layer[key.name] else { return nil }
      let hasUnknown = configuration.unknownSettings.contains { isKey($0, in: key.name) }
      let value = hasUnknown ? OutputValue(node) : key.output(configuration)
      return value.map { (key.name.split(separator: ".").map(String.init), $0) }
    }
    items += layer.unknown.map { ($0.names, OutputValue($0.node)) }
    let newest = layer.version.flatMap { Version.precedes($0) ? $0 : nil } ?? Version.text
    var sections: Set<String> = []
    var text = head(newest)
    for item in items {
      if item.names.count == 1 {
        text += item.value.lines(key: quoted(item.names[0]), indent: "")
      } else if sections.insert(item.names[0]).inserted {
        text += "\(item.names[0]):\n"
        for (names, value) in items where names.count == 2 && names[0] == item.names[0] {
          text += value.lines(key: quoted(names[1]), indent: "  ")
        }
      }
    }
    return text
  }

  private static func head(_ version: String) -> String {
    """
    # Settings made in the page. They override the configuration file, key by key.
    # To use the configuration alone, undo them in the page or remove this file.
    \(author)\(version)

    """
  }

  /// Begins the comment with the version that wrote the file.
  private static let author = "# Written by Grampad "
}

/// Why settings cannot be changed.
package enum SettingsError: SentenceError, Hashable {
  /// They were changed meanwhile.
  case conflict
  /// Values are invalid; never empty.
  case invalid([ConfigurationDiagnostic])
  /// There is no change to undo.
  case nothingToUndo
  /// The file cannot be written.
  case notWritable(path: String, Errno)
  /// The configuration or the settings file is invalid at present.
  case configuration(ConfigurationError)

  /// What failed, on what, and what to do.
  package var sentence: Sentence {
    switch self {
    case .conflict: Sentence(.settingsChanged)
    case .invalid(let diagnostics): .lines(diagnostics.map { $0.message.about($0.keyPath) })
    case .nothingToUndo: Sentence(.settingsNoUndo)
    case .notWritable(let path, let error): Sentence(.settingsNotWritten, ["path": path, "error": error])
    case .configuration(let error): Sentence(.settingsInvalid, ["faults": error.sentence])
    }
  }
}
