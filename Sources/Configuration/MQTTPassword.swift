import Foundation
import Languages
import Weighing

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
      throw .unreadable(path: error.path)
    }
    guard let secret else { return nil }
    guard let text = String(validating: secret.bytes, as: UTF8.self) else { throw .encoding(path: secret.source) }
    guard !text.isEmpty else { throw .empty(path: secret.source) }
    guard secret.bytes.count <= PasswordError.maximumBytes else { throw .tooLong(path: secret.source) }
    return text
  }
}

/// Why the password cannot be read; never contains any part of it. With the absolute path of the file, or the environment
/// variable.
package enum PasswordError: SentenceError, Hashable {
  case unreadable(path: String)
  case encoding(path: String)
  case empty(path: String)
  case tooLong(path: String)

  /// The maximum length of a password in MQTT (MQTT 5, 3.1.3.6).
  fileprivate static let maximumBytes = 65_535

  /// What failed, on what, and what to do.
  package var sentence: Sentence {
    switch self {
    case .unreadable(let path): Sentence(.passwordUnreadable, ["path": path])
    case .encoding(let path): Sentence(.passwordEncoding, ["path": path])
    case .empty(let path): Sentence(.passwordEmpty, ["path": path])
    case .tooLong(let path): Sentence(.passwordTooLong, ["path": path])
    }
  }
}
