import EventLoop
import Glibc

/// The file with what `calibrate` has measured.
package struct CalibrationFile: Sendable {
  /// Its absolute path.
  package let path: String

  /// The file at a path, absolute or from a folder.
  package init(_ path: String, in folder: String) {
    self.path = absolutePath(path, in: folder)
  }

  /// Where the one before is kept.
  package var previous: String { path + ".previous" }

  /// What it says; `nil` where there is no such file yet.
  ///
  /// - Throws: `ConfigurationError`: what is wrong with it.
  package func read() throws(ConfigurationError) -> CalibrationRecord? {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try fileBytes(path, limit: YAMLDocument.mostBytes)
    } catch {
      switch error {
      case .missing: return nil
      case .noPermission: throw .noPermission(path: path)
      case .notAFile: throw .notAFile(path: path)
      case .failed(let number): throw .unreadable(path: path, errno: number)
      }
    }
    return try CalibrationRecord.parse(bytes: bytes, file: path)
  }
}

extension CalibrationFile {
  /// Puts a record in the place of what is there, which is kept beside it.
  ///
  /// Whoever reads the file meanwhile, or after the power has failed, finds the old or the new one, whole: each is written to
  /// a new file, brought to the disk and renamed; fsync(2), rename(2).
  ///
  /// - Throws: `CalibrationFileFault`.
  package func write(_ record: CalibrationRecord) throws(CalibrationFileFault) {
    let place = target
    do throws(FileError) {
      let old = try fileBytes(place, limit: YAMLDocument.mostBytes)
      try replace(place + ".previous", with: old)
    } catch {
      // A first calibration has none before it; one that cannot be read is nobody's loss but must not be lost silently.
      guard error == .missing else { throw fault(error) }
    }
    do throws(FileError) {
      try replace(place, with: Array(record.yaml().utf8))
    } catch {
      throw fault(error)
    }
  }

  /// The file itself, where the path is a symbolic link.
  private var target: String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private func fault(_ refusal: FileError) -> CalibrationFileFault {
    let number: CInt =
      switch refusal {
      case .missing: ENOENT
      case .noPermission: EACCES
      case .notAFile: EISDIR
      case .failed(let number): number
      }
    return CalibrationFileFault(path: path, errno: number)
  }

  private func replace(_ place: String, with bytes: [UInt8]) throws(FileError) {
    let draft = "\(place).\(getpid()).new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileError(errno) }
    var refusal: FileError?
    if !writeAll(bytes, to: descriptor) || fsync(descriptor) != 0 { refusal = FileError(errno) }
    close(descriptor)
    if refusal == nil, rename(draft, place) != 0 { refusal = FileError(errno) }
    if let refusal {
      unlink(draft)
      throw refusal
    }
    // The name is on the disk, too, once its folder is.
    let folder = open(parentFolder(of: place), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  private func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { return false }
      written += max(count, 0)
    }
    return true
  }
}

/// Why a calibration file cannot be written.
package struct CalibrationFileFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  package var path: String
  /// The system's error number.
  package var errno: CInt

  /// What failed, on what, and what to do.
  package var description: String {
    "\(path): cannot be written: \(systemText(errno)); specify another file with --output, or run the command as a user with write permission"
  }
}
