import Glibc

/// Writes plain files one after the other as a tar archive.
struct TarWriter {
  private let target: OpenFile
  private let folder: String
  private let time: Int

  /// Begins an archive.
  ///
  /// - Parameters:
  ///   - folder: The one folder that all files are in.
  ///   - time: When all files were made, in seconds since 1970.
  init(to target: OpenFile, folder: String, time: Int) {
    (self.target, self.folder, self.time) = (target, folder, time)
  }

  /// Adds a file of these bytes.
  func add(_ name: String, _ bytes: [UInt8]) throws(BackupError) {
    let header = TarHeader(name: "\(folder)/\(name)", size: bytes.count, time: time)
    try target.write(header.block + bytes + [UInt8](repeating: 0, count: header.padding))
  }

  /// Adds the whole of an open file, which has that many bytes.
  func add(_ name: String, _ source: OpenFile, size: Int) throws(BackupError) {
    guard size < TarHeader.sizeLimit else { throw .file(FileFault(target.name, .write, EFBIG)) }
    let header = TarHeader(name: "\(folder)/\(name)", size: size, time: time)
    try target.write(header.block)
    var left = size
    while left > 0 {
      let piece = try source.read(atMost: left)
      // It has become shorter than it was.
      guard !piece.isEmpty else { throw .file(FileFault(source.name, .read, EIO)) }
      try target.write(piece)
      left -= piece.count
    }
    try target.write([UInt8](repeating: 0, count: header.padding))
  }

  /// Ends the archive: two blocks of zeros.
  func end() throws(BackupError) {
    try target.write([UInt8](repeating: 0, count: 2 * TarHeader.blockSize))
  }
}
