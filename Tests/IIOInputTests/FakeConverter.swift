import Foundation
import Glibc

/// The folder of an IIO device in a temporary sysfs, with attributes as its driver has them.
///
/// An attribute is a plain file, or a FIFO: a read of a FIFO blocks until something is written, as one of a driver that
/// waits for a conversion does.
final class FakeConverter: Sendable {
  /// The folder of all devices.
  let devices: String
  /// The folder of this device.
  let path: String

  /// Makes the first device of a new folder, or another one of that folder.
  init(number: Int = 0, in devices: String? = nil, name: String, _ attributes: [String: String] = [:]) throws {
    let folder = devices ?? "\(Self.root)/\(UUID().uuidString)"
    self.devices = folder
    path = "\(folder)/iio:device\(number)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try set("name", name)
    for (name, text) in attributes { try set(name, text) }
  }

  /// The folder of all tests, removed at the end of the process: a sampling thread may outlive its test.
  private static let root: String = {
    atexit { try? FileManager.default.removeItem(atPath: FakeConverter.root) }
    return FileManager.default.temporaryDirectory.appending(path: "iio-input-\(getpid())").path
  }()

  /// An HX711 on a supply of 5 V; the raw values of its channels are FIFOs.
  static func hx711(number: Int = 0, in devices: String? = nil) throws -> FakeConverter {
    let device = try FakeConverter(
      number: number, in: devices, name: "hx711",
      [
        "in_voltage_scale": "0.002327", "in_voltage0_scale_available": "0.002327 0.004655 ",
        "scan_elements/in_voltage0_type": "le:u24/32>>0", "scan_elements/in_voltage0_en": "0",
      ])
    try device.makeFIFO("in_voltage0_raw")
    return device
  }

  /// An ADS1115, whose driver returns the last conversion.
  static func ads1115() throws -> FakeConverter {
    try FakeConverter(
      name: "ads1015",
      [
        "in_voltage0_raw": "1000", "in_voltage0-voltage1_raw": "-200", "in_voltage0_scale": "0.062500000",
        "in_voltage0_sampling_frequency": "128", "scale_available": "0.1875 0.125 0.0625 0.03125 0.015625 0.007813",
        "sampling_frequency_available": "8 16 32 64 128 250 475 860",
        "scan_elements/in_voltage0_type": "le:s16/16>>0",
      ])
  }

  /// Replaces the text of an attribute in one step, so that no reader sees a part of it.
  func set(_ name: String, _ text: String) throws {
    let file = URL(filePath: "\(path)/\(name)")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("\(text)\n".utf8).write(to: file, options: .atomic)
  }

  /// Makes an attribute whose read blocks until `answer`.
  func makeFIFO(_ name: String) throws {
    guard mkfifo("\(path)/\(name)", 0o600) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  /// Answers one read of a FIFO; waits until there is one.
  func answer(_ name: String = "in_voltage0_raw", _ text: String) throws {
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer { close(descriptor) }
    let bytes = Array("\(text)\n".utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else { throw POSIXError(.EIO) }
  }

  /// Removes the device, as the kernel does when the driver is unloaded.
  func remove() throws { try FileManager.default.removeItem(atPath: path) }
}
