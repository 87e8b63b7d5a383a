import Foundation
import Languages
import Linux
import Weighing

/// A configuration file with the settings that override it, and their last valid content.
package struct ConfigurationFile: Sendable {
  /// The file name as given.
  package let path: String
  /// The configuration in effect, with paths as in the file.
  package private(set) var current: Configuration
  /// The absolute base folder for relative paths in it.
  package let folder: String
  /// The absolute path of the file.
  package let location: String

  /// The configuration without the settings that override it.
  package private(set) var configured: Configuration
  /// The root of the configuration file.
  private(set) var root: YAMLNode?
  /// The settings file.
  let settings: SettingsFile
  /// Its content; `nil` if it does not exist.
  private(set) var settingsBytes: [UInt8]?
  /// Why the settings file cannot be read, if it is only that this user must not read it; it then counts as absent.
  package private(set) var settingsRefusal: ConfigurationError?
  /// Its values.
  private(set) var layer = SettingsLayer()

  /// The absolute paths of its files: the file itself, the settings file, and the calibration file, if configured.
  package var locations: [String] {
    [location] + (FileSystem.exists(parentFolder(of: settings.path)) ? [settings.path] : [])
      + (current.calibrationFile(in: folder).map { [$0.path] } ?? [])
  }

  /// The size limit of a configuration or calibration file, in bytes.
  package static let maximumBytes = YAMLDocument.maximumBytes

  let checks: Configuration.Checks

  /// Reads a file for the first time.
  ///
  /// - Parameters:
  ///   - path: The file, relative to the working directory or absolute.
  ///   - tls: Why the certificate and key files of `mqtt`, here with absolute paths, cannot be used; see
  ///     `Configuration.Checks`.
  /// - Throws: `ConfigurationError`: no such file, permission denied, or all diagnostics in the file.
  package init(
    path: String, tls: @escaping @Sendable (Configuration.MQTT) -> Configuration.UnusableTLSFile? = { _ in nil }
  ) throws(ConfigurationError) {
    let absolute = absolutePath(path, in: FileManager.default.currentDirectoryPath)
    let folder = parentFolder(of: absolute)
    let checks = Configuration.Checks(
      file: { unreadable($0, in: folder) },
      isConfiguration: { isSameFile(absolutePath($0, in: folder), absolute) },
      tls: { tls($0.resolvingPaths(in: folder)) })
    try self.init(absolute, name: path, checks)
  }

  /// Reads a file without checking the files that it refers to.
  package init(unchecked path: String) throws(ConfigurationError) {
    try self.init(
      absolutePath(path, in: FileManager.default.currentDirectoryPath), name: path, Configuration.Checks())
  }

  private init(
    _ absolute: String, name: String, _ checks: Configuration.Checks
  ) throws(ConfigurationError) {
    path = name
    folder = parentFolder(of: absolute)
    location = absolute
    self.checks = checks
    (configured, root) = try Self.read(absolute, name: path, checks)
    settings = configured.settingsFile(in: folder)
    current = configured
    do throws(ConfigurationError) {
      settingsBytes = try settings.read()
    } catch {
      // Users who may not look into the folder of the service use the configuration alone, for example to watch the scale.
      guard case .noPermission = error else { throw error }
      settingsRefusal = error
    }
    try applySettings()
  }

  /// Reads the files again; the configuration in effect changes only if the new one is valid.
  package mutating func reload() -> Result<Configuration, ConfigurationError> {
    var new = self
    do throws(ConfigurationError) {
      (new.configured, new.root) = try Self.read(location, name: path, checks)
      new.settingsBytes = try settings.read()
      new.settingsRefusal = nil
      try new.applySettings()
    } catch {
      return .failure(error)
    }
    self = new
    return .success(current)
  }

  /// Whether the file differs from the configuration in effect or is invalid.
  package var hasChanged: Bool {
    var again = self
    guard case .success(let read) = again.reload() else { return true }
    return read != current
  }

  private static func read(
    _ path: String, name: String, _ checks: Configuration.Checks
  ) throws(ConfigurationError) -> (Configuration, YAMLNode?) {
    let bytes = try configurationFileBytes(path, name: name)
    let context = ParseContext(file: name, checks: checks)
    let root = YAMLDocument(bytes, DiagnosticReporter(context: context, keyPath: "")).load()
    return (try Configuration.read(root, context), root)
  }

  /// Applies the settings, reads the calibration file, and makes the configuration in effect.
  private mutating func applySettings() throws(ConfigurationError) {
    layer = try settingsBytes.map { bytes throws(ConfigurationError) in try settings.layer(bytes) } ?? SettingsLayer()
    current = configured
    if settingsBytes != nil {
      let context = ParseContext(file: path, settings: settings.path, checks: checks)
      current = try layer.configuration(over: root, context, path: settings.path)
    }
    try current.readCalibrationFile(in: folder)
  }
}

/// The bytes of a configuration or calibration file.
package func configurationFileBytes(_ path: String, name: String) throws(ConfigurationError) -> [UInt8] {
  do throws(FileError) {
    return try fileBytes(path, limit: YAMLDocument.maximumBytes)
  } catch {
    switch error {
    case .missing: throw .missing(path: name)
    case .noPermission: throw .noPermission(path: name)
    case .notAFile: throw .notAFile(path: name)
    case .failed(let error): throw .unreadable(path: name, errno: error)
    }
  }
}

/// Why a referenced file cannot be read; `nil` if it can.
private func unreadable(_ path: String, in folder: String) -> Sentence? {
  do throws(FileError) {
    _ = try fileBytes(absolutePath(path, in: folder), limit: 1)
    return nil
  } catch {
    let name = printable(absolutePath(path, in: folder), limit: 4096)
    switch error {
    case .missing: return Sentence(.configNoFile, ["path": name])
    case .noPermission: return Sentence(.configForbidden, ["path": name])
    case .notAFile: return Sentence(.configNotAFile, ["path": name])
    case .failed(let error): return Sentence(.configUnreadable, ["path": name, "error": error])
    }
  }
}
