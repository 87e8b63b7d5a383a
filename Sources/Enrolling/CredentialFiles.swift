import Glibc
import Linux

/// The credentials of a device: certificate and key in one file, so that one rename replaces both.
///
/// ```
/// mqtt.pem.next: key --answer--> mqtt.pem.next: certificate and key --accepted by the broker--> mqtt.pem
/// ```
/// The key is in the draft before the request is sent. After a crash, the next attempt uses the same key, and gets the same
/// certificate. All files with the key have mode 0600.
package struct CredentialFiles: Hashable, Sendable {
  /// Certificate and key.
  package let credential: String
  /// The next certificate and key, until the broker has accepted them.
  package var draft: String { credential + ".next" }

  /// The files of a device.
  package init(credential: String) { self.credential = credential }

  /// Maximum size of a file in bytes.
  private static let maximumBytes = 64 * 1024

  /// The present certificate; `nil` if it cannot be read.
  package var certificate: ClientCertificate? {
    (try? fileBytes(credential, limit: Self.maximumBytes)).flatMap { ClientCertificate($0) }
  }

  /// The key of an earlier attempt, with whatever else is in the draft; `nil` without one.
  func draftedKey() throws(EnrollmentError) -> [UInt8]? {
    do throws(FileError) {
      return try fileBytes(draft, limit: Self.maximumBytes)
    } catch .missing {
      return nil
    } catch {
      throw .unreadable(draft, error)
    }
  }

  /// Replaces the draft.
  func write(draft bytes: [UInt8]) throws(EnrollmentError) { try Self.write(draft, bytes, permissions: 0o600) }

  /// Replaces certificate and key by the draft. `rename(2)`
  func commit() throws(EnrollmentError) {
    do {
      try FileSystem.rename(draft, to: credential)
    } catch {
      throw .notWritable(credential, FileError(error))
    }
    FileSystem.syncFolder(parentFolder(of: credential))
  }

  /// Copies a CA certificate.
  package static func copy(authority: String, to path: String) throws(EnrollmentError) {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try fileBytes(authority, limit: maximumBytes)
    } catch {
      throw .unreadable(authority, error)
    }
    try write(path, bytes, permissions: 0o644)
  }

  private static func write(_ path: String, _ bytes: [UInt8], permissions: mode_t) throws(EnrollmentError) {
    do throws(FileError) {
      try FileSystem.replaceFile(path, with: bytes, permissions: permissions)
    } catch {
      throw .notWritable(path, error)
    }
  }
}
