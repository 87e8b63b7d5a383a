import Glibc
import Linux
import Weighing

/// Reads the counts of a channel: from sysfs, or from the buffer of the converter if it is enabled.
///
/// Used on the thread of the converter; a read may block as long as the driver does.
enum CountReader: ~Copyable {
  /// One count for each read of the attribute.
  case attribute(AttributeFolder, name: String)
  /// The counts of a buffer, filled by a trigger.
  case buffer(BufferReader)

  /// Opens the buffer if it is enabled for the channel, otherwise the attribute.
  ///
  /// The buffer is enabled by the udev rule or by the user: the service cannot write to sysfs.
  ///
  /// - Throws: `IIOError`.
  init(_ converter: Converter, nodes: String) throws(IIOError) {
    let folder = AttributeFolder(path: converter.entry.path)
    let isEnabled = folder.optionalText("buffer/enable") == "1"
    if isEnabled, folder.optionalText("scan_elements/in_\(converter.channel)_en") == "1" {
      self = .buffer(try BufferReader(converter, node: "\(nodes)/\(converter.entry.node)"))
    } else {
      self = .attribute(folder, name: converter.countAttribute)
    }
  }

  /// Whether each read waits for new conversions, so that none is read twice.
  var waits: Bool {
    switch self {
    case .attribute: false
    case .buffer: true
    }
  }

  /// Reads the next counts; none if the buffer has been empty for a while.
  ///
  /// - Throws: `IIOError`.
  func read(_ body: (Sample) -> Void) throws(IIOError) {
    switch self {
    case .attribute(let folder, let name):
      let count = try folder.count(name)
      body(Sample(count: count, time: .now()))
    case .buffer(let buffer): try buffer.read(body)
    }
  }
}

/// Reads the buffer of a converter, a character device. Documentation/iio/iio_devbuf.rst of the kernel
struct BufferReader: ~Copyable {
  private let descriptor: Descriptor
  private let path: String
  private let layout: ScanLayout
  private let period: Interval?

  /// How long a read waits for the first scan, so that the thread can be stopped.
  private static let patience: Int32 = 500

  /// Opens the character device; only one process can.
  init(_ converter: Converter, node: String) throws(IIOError) {
    let layout = try ScanLayout(AttributeFolder(path: converter.entry.path), channel: converter.channel)
    guard let descriptor = Descriptor(open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) else {
      throw IIOError(errno: errno, path: node, doing: "opening the buffer")
    }
    self.descriptor = descriptor
    self.layout = layout
    path = node
    period = converter.rate?.period
  }

  /// Reads all scans that wait in the buffer, after waiting for the first one.
  func read(_ body: (Sample) -> Void) throws(IIOError) {
    var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, Self.patience) > 0 else { return }
    var bytes = [UInt8](repeating: 0, count: layout.size * 64)
    let count = Glibc.read(descriptor.number, &bytes, bytes.count)
    guard count >= 0 else {
      if errno == EAGAIN || errno == EINTR { return }
      throw IIOError(errno: errno, path: path, doing: "reading the buffer")
    }
    let now = Instant.now()
    let scans = count / layout.size
    for index in 0..<scans {
      let scan = bytes[(index * layout.size)..<((index + 1) * layout.size)]
      // The last scan has just been taken, the others a period before each other.
      let age = period.map { $0 * (scans - 1 - index) } ?? .zero
      let time = layout.time(in: scan) ?? Instant(nanoseconds: now.nanoseconds - age.nanoseconds)
      body(Sample(count: layout.count(in: scan), time: min(time, now)))
    }
  }
}

/// Where the enabled elements of a scan are in the buffer.
struct ScanLayout: Hashable {
  /// The number of bytes of a scan.
  private(set) var size = 0
  private var start = 0
  private var type: ScanType
  /// Where the time on CLOCK_MONOTONIC starts; `nil` if the scans have none.
  private var timeStart: Int?

  /// Reads the enabled elements of `scan_elements`.
  ///
  /// Each element starts at a multiple of its size, and so does the next scan (iio_compute_scan_bytes in
  /// drivers/iio/industrialio-buffer.c).
  ///
  /// - Throws: `IIOError`.
  init(_ device: AttributeFolder, channel: String) throws(IIOError) {
    let folder = AttributeFolder(path: device.file("scan_elements"))
    var elements: [(index: Int, name: String, type: ScanType)] = []
    for attribute in try folder.names() where attribute.hasSuffix("_en") {
      let name = String(attribute.dropLast(3))
      guard try folder.text(attribute) == "1" else { continue }
      let (index, type) = (try folder.count("\(name)_index"), try folder.text("\(name)_type"))
      guard let type = ScanType(type) else { throw .malformed(path: folder.file("\(name)_type"), found: type) }
      elements.append((Int(index), name, type))
    }
    guard let own = elements.first(where: { $0.name == "in_\(channel)" }) else {
      throw .notFound(path: folder.file("in_\(channel)_en"))
    }
    type = own.type
    let isMonotonic = device.optionalText("current_timestamp_clock") == "monotonic"
    for element in elements.sorted(by: { $0.index < $1.index }) {
      let alignment = element.type.storageBytes
      size = (size + alignment - 1) / alignment * alignment
      if element.name == own.name { start = size }
      if element.name == "in_timestamp", isMonotonic { timeStart = size }
      size += alignment * element.type.count
    }
    let largest = elements.map(\.type.storageBytes).max() ?? 1
    size = (size + largest - 1) / largest * largest
  }

  /// The count of the channel in a scan.
  func count(in scan: ArraySlice<UInt8>) -> Int64 { type.count(in: scan.dropFirst(start).prefix(type.storageBytes)) }

  /// The time of a scan, if it has one.
  func time(in scan: ArraySlice<UInt8>) -> Instant? {
    guard let timeStart else { return nil }
    let word = scan.dropFirst(timeStart).prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Instant(nanoseconds: Int64(bitPattern: word))
  }
}
