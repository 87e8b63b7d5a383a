import Configuration
import Foundation
import Languages
import Servers
import Weighing

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
      throw .unreadable(path: error.path)
    }
    guard let secret else { return nil }
    guard let token = Token(String(decoding: secret.bytes, as: UTF8.self)) else { throw .unusable(path: secret.source) }
    return token
  }
}

/// Why there is no token; never contains any part of a token. With the absolute path of the file, or the environment
/// variable.
package enum TokenError: SentenceError, Hashable {
  /// The file cannot be read.
  case unreadable(path: String)
  /// It does not hold a token.
  case unusable(path: String)

  /// What failed, on what, and what to do.
  package var sentence: Sentence {
    switch self {
    case .unreadable(let path): Sentence(.tokenUnreadable, ["path": path])
    case .unusable(let path):
      Sentence(.tokenUnusable, ["path": path, "least": Token.fewestBytes, "most": 512])
    }
  }
}
