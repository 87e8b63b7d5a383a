import Foundation

/// Files as bytes.
enum Bytes {
  static func read(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
  static func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }
  static func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }
}
