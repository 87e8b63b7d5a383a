import EventLoop
import Foundation

/// A configuration file and its last valid content.
package struct ConfigurationFile: Sendable {
  /// The file name as given.
  package let path: String
  /// The configuration in effect, with paths as in the file.
  package private(set) var current: Configuration
  /// The absolute base folder for relative paths in it.
  package let folder: String
  /// The absolute path of the file.
  package let location: String

  /// The absolute paths of its files: the file itself and the calibration file, if configured.
  package var locations: [String] { [location] + (current.calibrationFile(in: folder).map { [$0.path] } ?? []) }

  /// The size limit of a configuration or calibration file, in bytes.
  package static let maximumBytes = YAMLDocument.maximumBytes

  private let checks: Configuration.Checks

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
    self.path = path
    self.folder = folder
    location = absolute
    checks = Configuration.Checks(
      file: { unreadable($0, in: folder) },
      isConfiguration: { isSameFile(absolutePath($0, in: folder), absolute) },
      tls: { tls($0.resolvingPaths(in: folder)) })
    current = try Self.read(absolute, name: path, checks)
  }

  /// Reads the file again; the configuration in effect changes only if the new one is valid.
  package mutating func reload() -> Result<Configuration, ConfigurationError> {
    do throws(ConfigurationError) {
      current = try Self.read(location, name: path, checks)
      return .success(current)
    } catch {
      return .failure(error)
    }
  }

  /// Whether the file differs from the configuration in effect or is invalid.
  package var hasChanged: Bool {
    var again = self
    guard case .success(let read) = again.reload() else { return true }
    return read != current
  }

  private static func read(
    _ path: String, name: String, _ checks: Configuration.Checks
  ) throws(ConfigurationError) -> Configuration {
    let bytes = try configurationFileBytes(path, name: name)
    var configuration = try Configuration.parse(bytes: bytes, file: name, checks: checks)
    try configuration.readCalibrationFile(in: parentFolder(of: path))
    return configuration
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
private func unreadable(_ path: String, in folder: String) -> String? {
  do throws(FileError) {
    _ = try fileBytes(absolutePath(path, in: folder), limit: 1)
    return nil
  } catch {
    let name = printable(absolutePath(path, in: folder), limit: 4096)
    switch error {
    case .missing: return "no such file: \(name)"
    case .noPermission: return "permission denied: \(name)"
    case .notAFile: return "not a file: \(name)"
    case .failed(let error): return "\(name) cannot be read: \(error)"
    }
  }
}
