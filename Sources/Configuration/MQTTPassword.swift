import Foundation

extension Configuration.MQTT {
  /// The environment variable for the password, an alternative to a file.
  package static let passwordVariable = "GRAMPAD_MQTT_PASSWORD"

  /// The password of `username` from the environment, else the first line of `passwordFile`, else `nil`.
  ///
  /// - Parameters:
  ///   - environment: The environment of the process; an empty variable counts as absent.
  ///   - folder: The base folder for a relative path.
  /// - Throws: `PasswordError` if the file cannot be read or has no password.
  package func password(
    environment: [String: String] = ProcessInfo.processInfo.environment, folder: String
  ) throws(PasswordError) -> String? {
    guard username != nil else { return nil }
    let secret: Secret?
    do throws(SecretFileError) {
      secret = try Secret(
        variable: Self.passwordVariable, file: passwordFile, in: folder, environment: environment,
        limit: PasswordError.maximumBytes)
    } catch {
      throw PasswordError(path: error.path, reason: error.reason)
    }
    guard let secret else { return nil }
    func error(_ reason: String) -> PasswordError { PasswordError(path: secret.source, reason: reason) }
    guard let text = String(validating: secret.bytes, as: UTF8.self) else { throw error("is not UTF-8") }
    guard !text.isEmpty else { throw error("has no password on its first line") }
    guard secret.bytes.count <= PasswordError.maximumBytes else { throw error("is too long") }
    return text
  }
}

/// Why the password cannot be read; never contains any part of it.
package struct PasswordError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The absolute path of the file, or the environment variable.
  package var path: String
  /// What is wrong with it.
  package var reason: String

  /// The maximum length of a password in MQTT (MQTT 5, 3.1.3.6).
  fileprivate static let maximumBytes = 65_535

  /// What failed, on what, and what to do.
  package var description: String { "\(path) \(reason); see mqtt.password_file" }
}
