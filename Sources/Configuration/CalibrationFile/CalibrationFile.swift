import Glibc
import Languages
import Linux
import SystemPackage
import Weighing

/// The file that `calibrate` writes.
package struct CalibrationFile: Sendable {
  /// Its absolute path.
  package let path: String

  /// Makes a file from a path, absolute or relative to a folder.
  package init(_ path: String, in folder: String) { self.path = absolutePath(path, in: folder) }

  /// The path of the previous file.
  package var previous: String { path + ".previous" }

  /// Reads the file; `nil` if it does not exist.
  ///
  /// - Throws: `ConfigurationError` if it is invalid.
  package func read() throws(ConfigurationError) -> StoredCalibration? {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try fileBytes(path, limit: YAMLDocument.maximumBytes)
    } catch {
      switch error {
      case .missing: return nil
      case .noPermission: throw .noPermission(path: path)
      case .notAFile: throw .notAFile(path: path)
      case .failed(let error): throw .unreadable(path: path, errno: error)
      }
    }
    return try StoredCalibration.parse(bytes: bytes, file: path)
  }
}

extension CalibrationFile {
  /// Replaces the file by a calibration; the previous file is kept.
  ///
  /// A process that reads the file during the write, or after a power failure, finds either the old or the new file
  /// complete: each is written to a new file, synced and renamed; fsync(2), rename(2).
  ///
  /// - Throws: `CalibrationFileError`.
  package func write(_ stored: StoredCalibration) throws(CalibrationFileError) {
    let path = target
    do throws(FileError) {
      let old = try fileBytes(path, limit: YAMLDocument.maximumBytes)
      try FileSystem.replaceFile(path + ".previous", with: old, permissions: 0o644)
    } catch {
      // A first calibration has no previous file. If the previous file cannot be read, that must not be ignored.
      guard error == .missing else { throw writeError(error) }
    }
    do throws(FileError) {
      try FileSystem.replaceFile(path, with: Array(stored.yaml().utf8), permissions: 0o644)
    } catch {
      throw writeError(error)
    }
  }

  /// The file itself if the path is a symbolic link.
  private var target: String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private func writeError(_ error: FileError) -> CalibrationFileError {
    CalibrationFileError(path: path, errno: error.errno)
  }
}

/// Why a calibration file cannot be written.
package struct CalibrationFileError: SentenceError, Hashable {
  /// The file.
  package var path: String
  /// The system's error.
  package var errno: Errno

  /// What failed, on what, and what to do.
  package var sentence: Sentence { Sentence(.fileNotWritable, ["path": path, "error": errno]) }
}
