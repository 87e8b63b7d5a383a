import Configuration
import Dashboard
import Foundation

extension Configuration.Dashboard {
  /// The token of the dashboard: from the environment, else the first line of `tokenFile`; `nil` if neither is set.
  ///
  /// - Parameters:
  ///   - environment: The variables of the process; an empty one counts as absent.
  ///   - folder: The directory that a relative path refers to.
  /// - Throws: `TokenError` if the file cannot be read or does not hold a token.
  package func token(
    environment: [String: String] = ProcessInfo.processInfo.environment, folder: String
  ) throws(TokenError) -> Token? {
    let secret: Secret?
    do throws(SecretFileError) {
      secret = try Secret(
        variable: Self.tokenVariable, file: tokenFile, in: folder, environment: environment, limit: 4096)
    } catch {
      throw TokenError(place: error.path, reason: error.reason)
    }
    guard let secret else { return nil }
    guard let token = Token(String(decoding: secret.bytes, as: UTF8.self)) else {
      throw TokenError(place: secret.source, reason: TokenError.unusable)
    }
    return token
  }
}

/// Why there is no token; never contains any part of a token.
package struct TokenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file, absolute, or the variable.
  package var place: String
  /// What is wrong with it.
  package var reason: String

  fileprivate static let unusable =
    "must hold a token of \(Token.fewestBytes) to 512 letters, digits or symbols in its first line"

  /// What failed, on what, and what to do.
  package var description: String { "\(place) \(reason); see dashboard.token_file" }
}
