import Foundation
import Glibc
import Testing
import Weighing

@testable import IIOInput

/// Counts from the buffer of a converter.
@Suite struct BufferTests {
  /// Two channels and a time, of which the second channel and the time are enabled.
  private func device(clock: String = "monotonic", timestamp: String = "1") throws -> FakeConverter {
    try FakeConverter(
      name: "ads1015",
      [
        "in_voltage0_raw": "1", "in_voltage1_raw": "2", "buffer/enable": "1", "current_timestamp_clock": clock,
        "scan_elements/in_voltage0_en": "0", "scan_elements/in_voltage0_index": "0",
        "scan_elements/in_voltage0_type": "le:s16/16>>0", "scan_elements/in_voltage1_en": "1",
        "scan_elements/in_voltage1_index": "1", "scan_elements/in_voltage1_type": "le:s12/16>>4",
        "scan_elements/in_timestamp_en": timestamp, "scan_elements/in_timestamp_index": "8",
        "scan_elements/in_timestamp_type": "le:s64/64>>0", "sampling_frequency": "100",
      ])
  }

  @Test func isAlignedAsTheKernelDoes() throws {
    let layout = try ScanLayout(AttributeFolder(path: device().path), channel: "voltage1")
    #expect(layout.size == 16)
    let scan: [UInt8] = [0xf0, 0xff, 9, 9, 9, 9, 9, 9, 1, 1, 0, 0, 0, 0, 0, 0]
    #expect(layout.count(in: scan[...]) == -1)
    #expect(layout.time(in: scan[...]) == Instant(nanoseconds: 257))
    let bare = try ScanLayout(AttributeFolder(path: device(timestamp: "0").path), channel: "voltage1")
    #expect(bare.size == 2 && bare.time(in: scan[0..<2]) == nil)
    let realtime = try ScanLayout(AttributeFolder(path: device(clock: "realtime").path), channel: "voltage1")
    #expect(realtime.size == 16 && realtime.time(in: scan[...]) == nil)
    #expect(throws: IIOError.self) { try ScanLayout(AttributeFolder(path: device().path), channel: "voltage0") }
  }

  @Test func isReadInsteadOfTheAttribute() throws {
    let device = try device(timestamp: "0")
    // The node: a FIFO, written before it is read.
    let node = "\(device.devices)/iio:device0.node"
    try FileManager.default.createDirectory(atPath: node, withIntermediateDirectories: true)
    #expect(mkfifo("\(node)/iio:device0", 0o600) == 0)
    let writer = open("\(node)/iio:device0", O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try #require(writer >= 0)
    defer { close(writer) }
    // 12 bits in the upper part of 16: 1, 2, 3.
    #expect(write(writer, [0x10, 0, 0x20, 0, 0x30, 0] as [UInt8], 6) == 6)
    let feed = Feed(ConverterSettings(name: "ads1015", channel: "voltage1"), of: device, nodes: node)
    let frames = [try feed.frame(), try feed.frame(), try feed.frame()]
    #expect(frames.map(\.raw.counts) == [2049, 2050, 2051])
    // The buffer was read in one piece: the samples are a period apart.
    let times = frames.map(\.time.nanoseconds)
    #expect(zip(times, times.dropFirst()).map { $1 - $0 } == [10_000_000, 10_000_000])
    #expect(write(writer, [0x40, 0] as [UInt8], 2) == 2)
    #expect(try feed.frame().raw == RawForce(2052))
  }
}
