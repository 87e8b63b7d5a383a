import EventLoop
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
    if let password = environment[Self.passwordVariable], !password.isEmpty { return password }
    guard let passwordFile else { return nil }
    let path = absolutePath(passwordFile, in: folder)
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try fileBytes(path, limit: PasswordError.mostBytes)
    } catch {
      throw PasswordError(path: path, reason: "cannot be read")
    }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard let text = String(validating: line, as: UTF8.self) else {
      throw PasswordError(path: path, reason: "is not UTF-8")
    }
    guard !text.isEmpty else { throw PasswordError(path: path, reason: "has no password on its first line") }
    guard line.count <= PasswordError.mostBytes else { throw PasswordError(path: path, reason: "is too long") }
    return text
  }
}

/// Why the password cannot be read; never contains any part of it.
package struct PasswordError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The absolute path of the file.
  package var path: String
  /// What is wrong with it.
  package var reason: String

  /// The maximum length of a password in MQTT (MQTT 5, 3.1.3.6).
  fileprivate static let mostBytes = 65_535

  /// What failed, on what, and what to do.
  package var description: String { "\(path) \(reason); see mqtt.password_file" }
}
