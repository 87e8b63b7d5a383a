import Languages
import Linux
import Weighing

/// A password or token, from the environment or from the first line of a file.
package struct Secret: Sendable {
  /// The secret without the line end; may be empty, and one byte longer than the limit.
  package let bytes: [UInt8]
  /// Its source: the variable, or the absolute path of the file.
  package let source: String

  /// Reads a secret; `nil` if it is neither in the environment nor in a file.
  ///
  /// - Parameters:
  ///   - variable: The environment variable; it takes precedence over the file, and an empty one counts as absent.
  ///   - file: The path of the file, if configured.
  ///   - folder: The base folder for a relative path.
  ///   - environment: The environment of the process.
  ///   - limit: The maximum length of the secret in bytes.
  /// - Throws: `SecretFileError` if the file cannot be read.
  package init?(
    variable: String, file: String?, in folder: String, environment: [String: String], limit: Int
  ) throws(SecretFileError) {
    if let text = environment[variable], !text.isEmpty {
      (bytes, source) = (Array(text.utf8), variable)
      return
    }
    guard let file else { return nil }
    let path = absolutePath(file, in: folder)
    do throws(FileError) {
      bytes = Array(try fileBytes(path, limit: limit).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
    } catch {
      throw SecretFileError(path: path)
    }
    source = path
  }
}

/// A file with a secret cannot be read.
package struct SecretFileError: SentenceError, Hashable {
  /// The absolute path.
  package var path: String

  /// What failed, on what.
  package var sentence: Sentence { Sentence(.secretUnreadable, ["path": path]) }
}
