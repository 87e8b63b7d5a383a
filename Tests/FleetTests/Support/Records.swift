import Messages
import Weighing

@testable import Fleet

/// Records as appliances publish them.
enum Records {
  /// The payload of a record.
  ///
  /// - Parameter milliseconds: When it was made, since 1970.
  static func payload(
    _ sequence: Int, id: WeighingID? = nil, kind: String = "weighing", net: String = "23.40", label: String? = nil,
    voids: WeighingID? = nil, amends: WeighingID? = nil, milliseconds: Int = 1_795_000_000_000
  ) -> [UInt8] {
    func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
    let id = id ?? Self.id(sequence, milliseconds: milliseconds)
    let time = WallClock.recorded.text(Instant(nanoseconds: Int64(milliseconds) * 1_000_000))
    return Array(
      """
      {"id":"\(id)","sequence":\(sequence),"kind":"\(kind)","time":"\(time)","clock":"synchronised","gross_g":\(net),\
      "tare_g":0,"net_g":\(net),"uncertainty_g":0.05,"pieces":null,"label":\(quoted(label)),"source":"mqtt",\
      "calibration":"user","calibration_counter":1,"configuration_hash":"ab","historical":false,\
      "voids":\(quoted(voids?.description)),"amends":\(quoted(amends?.description))}
      """.utf8)
  }

  /// An identifier that depends on the sequence and the salt only.
  static func id(_ sequence: Int, salt: UInt64 = 0, milliseconds: Int = 1_795_000_000_000) -> WeighingID {
    WeighingID(
      time: Instant(nanoseconds: Int64(milliseconds) * 1_000_000), randomness: (salt, UInt64(sequence)))
  }

  static func record(_ device: String, _ sequence: Int, salt: UInt64 = 0) throws -> CollectedRecord {
    // Each device has identifiers of its own.
    let id = id(sequence, salt: salt + device.utf8.reduce(0) { ($0 * 31 + UInt64($1)) & 0xff0 })
    return try CollectedRecord(device: device, payload: payload(sequence, id: id))
  }
}

extension FleetStore {
  /// Stores the health of devices as it arrives from them.
  mutating func save(health: [String: [UInt8]]) throws {
    try save(health: health.mapValues { try CollectedHealth($0, isRetained: false) })
  }
}
