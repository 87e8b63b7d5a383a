import Glibc
import Linux

/// An IIO device as its folder in sysfs describes it, without asking its driver.
package struct ConverterEntry: Hashable, Sendable {
  /// The path of its folder, `/sys/bus/iio/devices/iio:device0`.
  package let path: String
  /// The name of the kind, `hx711`; otherwise the name that the driver gives it; `""` without one.
  package let name: String
  /// All names that select it: those of the driver, of the device tree and of the bus.
  package let names: [String]
  /// The voltage inputs, `voltage0`.
  package let channels: [String]
  /// The folder above it, which is the same after each start: `1-002a`, `hx711`.
  package let parent: String
  /// Distinguishes it from an earlier device with the same path.
  let identity: FolderIdentity
  /// What the table of kinds says of it.
  let kind: KnownConverter?

  /// Reads the names in a folder.
  ///
  /// - Throws: `IIOError`.
  init(path: String) throws(IIOError) {
    self.path = path
    let folder = AttributeFolder(path: path)
    guard let identity = FolderIdentity(path) else {
      throw IIOError(errno: errno, path: path, doing: "querying the device")
    }
    self.identity = identity
    channels = try folder.names().compactMap(Self.channel)
    let target = FileSystem.target(ofLink: path)?.split(separator: "/") ?? []
    parent = target.dropLast().last.map(String.init) ?? ""
    // The I2C drivers name the device after its address, 1-002a; the chip is the name of the I2C client above it.
    let own = ["name", "label", "../name"].compactMap(folder.optionalText)
    let driver = FileSystem.target(ofLink: folder.file("../driver"))?.split(separator: "/").last.map(String.init)
    let last = path.split(separator: "/").last.map(String.init)
    names = own + [driver, parent.isEmpty ? nil : parent, last].compactMap(\.self)
    let known = KnownConverter.named(own.reversed() + [driver].compactMap(\.self))
    kind = known?.kind
    name = known?.name ?? own.first ?? ""
  }

  /// The channel of an attribute `in_voltage0_raw`; `nil` for any other attribute.
  private static func channel(_ attribute: String) -> String? {
    guard attribute.hasPrefix("in_voltage"), attribute.hasSuffix("_raw") else { return nil }
    return String(attribute.dropFirst(3).dropLast(4))
  }

  /// The last part of the path, `iio:device0`.
  package var node: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Why it cannot weigh; `nil` if it can.
  package func unsuitability(_ channel: String) -> UnsuitableConverterError? {
    if channels.isEmpty { return .noVoltage }
    return channels.contains(channel) ? nil : .noSuchChannel(channel, available: channels)
  }

  /// Why `pad.device: auto` does not select it; `nil` if it may.
  package func automaticUnsuitability(_ channel: String) -> UnsuitableConverterError? {
    unsuitability(channel) ?? (kind == nil ? .unknownKind : nil)
  }

  package static func == (a: Self, b: Self) -> Bool { a.path == b.path && a.identity == b.identity }
  package func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(identity)
  }
}

/// The identity of a folder in sysfs, which a new device with the same path does not have. See stat(2).
struct FolderIdentity: Hashable, Sendable {
  private let device: dev_t
  private let node: ino_t

  /// Follows symbolic links; `nil` if there is no such folder.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    node = status.st_ino
  }
}
