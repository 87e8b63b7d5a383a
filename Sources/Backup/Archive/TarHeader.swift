/// The header block of a file in a tar archive (POSIX.1-2017, pax, "ustar Interchange Format"), for plain files only.
///
/// ```
/// name 100 | mode 8 | uid 8 | gid 8 | size 12 | mtime 12 | chksum 8 | typeflag 1 | linkname 100 | magic 6 | version 2 | ...
/// ```
struct TarHeader: Hashable, Sendable {
  /// The name of the file with its folder, at most 99 bytes of ASCII.
  var name: String
  /// Its size in bytes, below 8 GiB.
  var size: Int
  /// Its modification time in seconds since 1970.
  var time: Int

  /// The size of a block; files are padded to whole blocks.
  static let blockSize = 512
  /// The first size that does not fit in eleven octal digits.
  static let sizeLimit = 1 << 33

  /// The 512 bytes.
  var block: [UInt8] {
    var block = [UInt8](repeating: 0, count: Self.blockSize)
    func put(_ text: String, _ offset: Int) {
      block.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    put(name, 0)
    // Mode 0600: after unpacking, only the owner can read the files.
    put("0000600", 100)
    put("0000000", 108)
    put("0000000", 116)
    put(Self.octal(size, digits: 11), 124)
    put(Self.octal(time, digits: 11), 136)
    put("        ", 148)
    put("0", 156)
    put("ustar", 257)
    put("00", 263)
    // The sum of all bytes, with spaces in the checksum field.
    let sum = block.reduce(0) { $0 + Int($1) }
    put(Self.octal(sum, digits: 6), 148)
    block[154] = 0
    return block
  }

  /// Parses a block; `nil` if it differs in any byte from the output of `block`, because it is another kind of file or damaged.
  init?(_ block: [UInt8]) {
    guard block.count == Self.blockSize, let size = Self.number(block[124..<135]),
      let time = Self.number(block[136..<147])
    else { return nil }
    let name = block[..<100].prefix { $0 != 0 }
    guard name.count < 100, name.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
    self.init(name: String(decoding: name, as: UTF8.self), size: size, time: time)
    guard self.block == block else { return nil }
  }

  /// Makes a header.
  init(name: String, size: Int, time: Int) { (self.name, self.size, self.time) = (name, size, time) }

  /// The number of padding bytes after the file.
  var padding: Int { (Self.blockSize - size % Self.blockSize) % Self.blockSize }

  private static func octal(_ number: Int, digits: Int) -> String {
    let text = String(max(number, 0), radix: 8)
    return String(repeating: "0", count: max(digits - text.utf8.count, 0)) + text.suffix(digits)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 << 3 | Int($1 & 7) }
  }
}
