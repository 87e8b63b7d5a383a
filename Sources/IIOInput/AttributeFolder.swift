import Glibc
import Linux

/// The attributes of an IIO device, files in its folder in sysfs.
struct AttributeFolder: Hashable, Sendable {
  /// The path of the folder.
  let path: String

  /// The path of an attribute.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Whether there is an attribute.
  func has(_ name: String) -> Bool { FileSystem.exists(file(name)) }

  /// The names of the attributes and folders, sorted.
  func names() throws(IIOError) -> [String] {
    do {
      return try FileSystem.names(in: path).sorted()
    } catch {
      throw IIOError(errno: error.rawValue, path: path, doing: "listing the folder")
    }
  }

  /// The text of an attribute without white space at its ends; may block as long as the driver does. `read(2)`
  ///
  /// - Throws: `.notFound`, `.removed`, `.notPermitted`, `.busy` or `.system`.
  func text(_ name: String) throws(IIOError) -> String {
    let path = file(name)
    guard let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)) else {
      throw IIOError(errno: errno, path: path, doing: "opening the attribute")
    }
    // An attribute has at most one page; sysfs(5).
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(file.number, &bytes, bytes.count)
    guard count >= 0 else { throw IIOError(errno: errno, path: path, doing: "reading the attribute") }
    return String(decoding: bytes.prefix(count).trimmed, as: UTF8.self)
  }

  /// The text of an attribute; `nil` if it cannot be read or is empty.
  func optionalText(_ name: String) -> String? {
    guard let text = try? text(name), !text.isEmpty else { return nil }
    return text
  }

  /// The first of several attributes that exists, as a number.
  func number(_ names: [String]) -> Double? { names.first(where: has).flatMap(optionalText).flatMap(Double.init) }

  /// A count; may block as long as the driver does.
  ///
  /// - Throws: As `text`, and `.malformed`.
  func count(_ name: String) throws(IIOError) -> Int64 {
    let text = try text(name)
    guard let count = Int64(text) else { throw .malformed(path: file(name), found: text) }
    return count
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without white space and zeros at the ends.
  fileprivate var trimmed: ArraySlice<UInt8> {
    func isWord(_ byte: UInt8) -> Bool { byte > 32 }
    guard let first = firstIndex(where: isWord), let last = lastIndex(where: isWord) else { return [] }
    return self[first...last]
  }
}
