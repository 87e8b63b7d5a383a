import CCrypto
import Glibc
import Languages
import Linux
import Messages
import SystemPackage
import Weighing

/// A certificate or key file that cannot be used.
package struct TLSFileError: SentenceError, Hashable {
  /// What the file is for.
  package enum Role: Hashable, Sendable {
    case authority, certificate, key
  }

  /// What the file is for.
  package var role: Role
  /// The path as configured.
  package var path: String
  /// What is wrong with the file, and what to do.
  package var reason: Sentence
  /// Why the file cannot be opened; `nil` if its content is at fault.
  package var errno: Errno?

  /// What failed, on what, and what to do.
  package var sentence: Sentence { Sentence(.linkUnusableFile, ["path": path, "reason": reason]) }
}

extension TLSSettings {
  /// Reads the files and checks that a connection can use them, without connecting.
  ///
  /// OpenSSL reads them only when a connection is made, which is too late for a reloaded configuration. Whether a
  /// certificate has expired is not checked, because that depends on the clock.
  package func check() throws(TLSFileError) {
    if let caFile { _ = try certificate(.authority, caFile) }
    guard let certificateFile, let keyFile else { return }
    let certificate = try certificate(.certificate, certificateFile)
    let key = try privateKey(keyFile)
    if X509_check_private_key(certificate.pointer, key.pointer) != 1 {
      ERR_clear_error()
      throw TLSFileError(
        role: .key, path: keyFile, reason: Sentence(.tlsMismatch, ["certificate": certificateFile]))
    }
  }

  /// An OpenSSL object, freed with this value.
  private struct Owned: ~Copyable {
    let pointer: OpaquePointer
    let free: (OpaquePointer?) -> Void

    deinit { free(pointer) }
  }

  private func open(_ role: TLSFileError.Role, _ path: String) throws(TLSFileError) -> Owned {
    errno = 0
    guard let file = BIO_new_file(path, "r") else {
      defer { ERR_clear_error() }
      let error = errno
      throw TLSFileError(
        role: role, path: path, reason: Sentence(.tlsUnreadable, ["error": systemText(error)]),
        errno: Errno(rawValue: error))
    }
    return Owned(pointer: file) { _ = BIO_free($0) }
  }

  /// The first certificate of a file.
  private func certificate(_ role: TLSFileError.Role, _ path: String) throws(TLSFileError) -> Owned {
    let file = try open(role, path)
    guard let certificate = PEM_read_bio_X509_AUX(file.pointer, nil, nil, nil) else {
      ERR_clear_error()
      throw TLSFileError(role: role, path: path, reason: Sentence(.tlsNoCertificate))
    }
    return Owned(pointer: certificate) { X509_free($0) }
  }

  private func privateKey(_ path: String) throws(TLSFileError) -> Owned {
    let file = try open(.key, path)
    var isEncrypted = false
    let key = withUnsafeMutablePointer(to: &isEncrypted) { isEncrypted in
      // Called only if the key is encrypted; without a callback OpenSSL would prompt on the terminal.
      PEM_read_bio_PrivateKey(
        file.pointer, nil,
        { _, _, _, isEncrypted in
          isEncrypted?.assumingMemoryBound(to: Bool.self).pointee = true
          return -1
        }, isEncrypted)
    }
    guard let key else {
      ERR_clear_error()
      throw TLSFileError(
        role: .key, path: path,
        reason: isEncrypted
          ? Sentence(.tlsEncryptedKey, ["command": "openssl pkey -in \(path) -out NEW"]) : Sentence(.tlsNoKey))
    }
    return Owned(pointer: key) { EVP_PKEY_free($0) }
  }
}
