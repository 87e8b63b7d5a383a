/// Writes regular files to a tar archive.
struct TarWriter {
  private let target: OpenFile
  private let folder: String
  private let time: Int

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - folder: The folder in the archive that contains all files.
  ///   - time: The modification time of all files in seconds since 1970.
  init(to target: OpenFile, folder: String, time: Int) {
    (self.target, self.folder, self.time) = (target, folder, time)
  }

  /// Adds a file with this content.
  func add(_ name: String, _ bytes: [UInt8]) throws(BackupError) {
    let header = TarHeader(name: "\(folder)/\(name)", size: bytes.count, time: time)
    try target.write(header.block + bytes + [UInt8](repeating: 0, count: header.padding))
  }

  /// Adds an open file of this size.
  func add(_ name: String, _ source: OpenFile, size: Int) throws(BackupError) {
    guard size < TarHeader.sizeLimit else { throw .file(FileFailure(target.name, .write, .fileTooLarge)) }
    let header = TarHeader(name: "\(folder)/\(name)", size: size, time: time)
    try target.write(header.block)
    var left = size
    while left > 0 {
      let piece = try source.read(atMost: left)
      // The file was truncated meanwhile.
      guard !piece.isEmpty else { throw .file(FileFailure(source.name, .read, .ioError)) }
      try target.write(piece)
      left -= piece.count
    }
    try target.write([UInt8](repeating: 0, count: header.padding))
  }

  /// Ends the archive: two blocks of zeros.
  func end() throws(BackupError) { try target.write([UInt8](repeating: 0, count: 2 * TarHeader.blockSize)) }
}
