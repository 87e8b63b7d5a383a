/// Reads an archive written by `TarWriter`. Rejects everything else: folders, links, devices, other modes or owners.
///
/// The names in the archive are never used as paths: the caller states which file must come next.
struct TarReader {
  private let source: OpenFile
  private let folder: String
  private var waiting: TarHeader?

  /// Makes a reader.
  init(_ source: OpenFile, folder: String) { (self.source, self.folder) = (source, folder) }

  /// The header of the next file; `nil` at the end. Throws if data follows the end.
  mutating func next() throws(BackupError) -> TarHeader? {
    if let waiting { return waiting }
    let block = try bytes(TarHeader.blockSize)
    if block.allSatisfy({ $0 == 0 }) {
      guard try bytes(TarHeader.blockSize).allSatisfy({ $0 == 0 }) else { throw .refused(.foreign) }
      guard try source.read(atMost: 1).isEmpty else { throw .refused(.trailing) }
      return nil
    }
    guard let header = TarHeader(block) else {
      throw .refused(block.starts(with: [0x1f, 0x8b]) ? .compressed : .foreign)
    }
    waiting = header
    return header
  }

  /// Reads the file with this name, which must come next.
  mutating func file(_ name: String, limit: Int) throws(BackupError) -> [UInt8] {
    let header = try begin(name, limit: limit)
    let file = try bytes(header.size)
    try end(header)
    return file
  }

  /// Reads the file with this name, which must come next, in pieces.
  mutating func file(
    _ name: String, size: Int, to body: ([UInt8]) throws(BackupError) -> Void
  ) throws(BackupError) {
    let header = try begin(name, limit: size)
    guard header.size == size else { throw .refused(.altered(name)) }
    var left = size
    while left > 0 {
      let piece = try bytes(min(left, 1 << 16))
      try body(piece)
      left -= piece.count
    }
    try end(header)
  }

  private mutating func begin(_ name: String, limit: Int) throws(BackupError) -> TarHeader {
    guard let header = try next() else { throw .refused(.missing(name)) }
    guard header.name == "\(folder)/\(name)" else {
      throw .refused(.unexpected(header.name, insteadOf: .verbatim(name)))
    }
    guard header.size <= limit else { throw .refused(.tooLarge(name)) }
    waiting = nil
    return header
  }

  private func end(_ header: TarHeader) throws(BackupError) {
    guard try bytes(header.padding).allSatisfy({ $0 == 0 }) else { throw .refused(.foreign) }
  }

  private func bytes(_ count: Int) throws(BackupError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      let piece = try source.read(atMost: count - bytes.count)
      if piece.isEmpty { throw .refused(.truncated) }
      bytes += piece
    }
    return bytes
  }
}
