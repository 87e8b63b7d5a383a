import Foundation
import Synchronization
import Testing

/// A sysfs with one HX711 in a temporary folder. umockdev's library shows it to a program instead of /sys.
final class FakeConverter: Sendable {
  let folder: TemporaryFolder
  private let path = "sys/devices/platform/weight/iio:device0"
  /// The count without noise; `nil` while a read blocks or the device is unplugged.
  private let count = Mutex<Int?>(nil)

  init() throws {
    folder = try TemporaryFolder()
    Thread.detachNewThread { [weak self] in
      var random = SystemRandomNumberGenerator()
      // The time between two samples: without noise it would be a converter that hangs.
      while self?.renew(&random) != nil { usleep(10_000) }
    }
    try FileManager.default.createDirectory(atPath: "\(folder.path)/dev", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/sys/bus/iio/devices", withIntermediateDirectories: true)
    try plug(count: 8_388_608)
  }

  /// The environment in which a program sees this sysfs.
  var environment: [String: String] { ["LD_PRELOAD": "libumockdev-preload.so.0", "UMOCKDEV_DIR": folder.path] }

  func plug(count: Int) throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/\(path)/scan_elements", withIntermediateDirectories: true)
    try folder.write("\(path)/name", "hx711\n")
    try folder.write("\(path)/in_voltage_scale", "0.002327\n")
    try folder.write("\(path)/in_voltage0_scale_available", "0.002327 0.004655\n")
    try folder.write("\(path)/scan_elements/in_voltage0_type", "le:u24/32>>0\n")
    try set(count)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/sys/bus/iio/devices/iio:device0",
      withDestinationPath: "../../../devices/platform/weight/iio:device0")
  }

  func unplug() throws {
    count.withLock { $0 = nil }
    try FileManager.default.removeItem(atPath: "\(folder.path)/sys/bus/iio/devices/iio:device0")
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(path)")
  }

  func set(_ new: Int) throws {
    try count.withLock {
      try folder.write("\(path)/in_voltage0_raw", "\(new)\n")
      $0 = new
    }
  }

  /// Lets the following samples have another count; the converter has to be there.
  func move(to new: Int) { count.withLock { if $0 != nil { $0 = new } } }

  /// Replaces the count by one with noise of a few counts; the ends of the range have none.
  private func renew(_ random: inout SystemRandomNumberGenerator) {
    count.withLock { count in
      guard let count, count > 0, count < 16_777_215 else { return }
      let noise = Int.random(in: -2...2, using: &random) + Int.random(in: -2...2, using: &random)
      let file = "\(folder.path)/\(path)/in_voltage0_raw"
      let writer = open("\(file).new", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      guard writer >= 0 else { return }
      let text = "\(count + noise)\n"
      let written = write(writer, text, text.utf8.count)
      close(writer)
      if written == text.utf8.count { rename("\(file).new", file) }
    }
  }

  /// From now on a read of the count blocks. The attribute exists at every moment: otherwise the device would look removed.
  func hang() throws {
    count.withLock { $0 = nil }
    let file = "\(folder.path)/\(path)/in_voltage0_raw"
    try #require(mkfifo("\(file).fifo", 0o600) == 0)
    try #require(rename("\(file).fifo", file) == 0)
  }

  /// Lets a read that blocks end with a count; the next one does not block.
  func answer(_ count: Int) throws {
    let writer = open("\(folder.path)/\(path)/in_voltage0_raw", O_WRONLY)
    try #require(writer >= 0)
    defer { close(writer) }
    try set(count)
    let text = "\(count)\n"
    try #require(write(writer, text, text.utf8.count) == text.utf8.count)
  }
}
