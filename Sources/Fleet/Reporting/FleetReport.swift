import Messages

/// The devices of the database, for `grampad fleet`.
package struct FleetReport: Hashable, Sendable {
  /// The columns of `device_status`.
  package struct Device: Hashable, Sendable {
    var id = ""
    /// RFC 3339 in UTC, and how long ago that was by the clock of the database, in seconds.
    var lastSeen: String?
    var lastSeenAge: Int?
    var weighings = 0
    var highestSequence = 0
    var missing = 0
    var lost = 0
    var conflicts = 0
    var idConflicts = 0
    /// `synchronised` or `unsynchronised`.
    var clock: String?
    /// `user`, `kernel`, `known` or `nominal`; `simulated` for a simulated pad.
    var calibration: String?
    /// When it was made, as `lastSeen`.
    var calibrated: String?
    var calibratedAge: Int?
    var version: String?
  }

  /// By identifier.
  package var devices: [Device]

  /// Whether records are missing that are known to exist and that their devices may still have.
  package var isIncomplete: Bool { devices.contains { $0.missing > 0 } }

  init(devices: [Device]) { self.devices = devices }

  /// Reads the devices. The role needs to read the views only.
  ///
  /// - Parameter url: A connection string of libpq.
  package init(database url: String) throws(FleetError) {
    let connection = try FleetDatabase.connect(url)
    switch try FleetDatabase.version(of: connection) {
    case 0: throw .noSchema
    case Schema.version: break
    case let found: throw .newerSchema(found, known: Schema.version)
    }
    do throws(PostgresError) {
      devices = try connection.perform(Self.query).map(Device.init)
    } catch {
      throw error.isDenied ? .denied(error) : .database(error)
    }
  }

  private static func text(_ time: String) -> String {
    #"to_char((\#(time)) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), extract(epoch FROM now() - (\#(time)))::bigint"#
  }

  /// A device may call any text the time of its calibration, `infinity` too, and there is no time since then.
  private static let query = """
    SELECT id, \(text("last_seen")), weighings, highest_sequence, missing, lost, conflicts, clock, calibration,
      \(text("CASE WHEN isfinite(calibrated) THEN calibrated END")), version, id_conflicts
    FROM device_status ORDER BY id
    """
}

extension FleetReport.Device {
  fileprivate init(_ row: [String?]) {
    func number(_ column: Int) -> Int? { row[column].flatMap { Int($0) } }
    id = row[0] ?? ""
    (lastSeen, lastSeenAge) = (row[1], number(2))
    (weighings, highestSequence) = (number(3) ?? 0, number(4) ?? 0)
    (missing, lost, conflicts) = (number(5) ?? 0, number(6) ?? 0, number(7) ?? 0)
    (clock, calibration) = (row[8], row[9])
    (calibrated, calibratedAge) = (row[10], number(11))
    (version, idConflicts) = (row[12], number(13) ?? 0)
  }
}

extension FleetReport {
  /// A JSON array with an object for each device, and a line break.
  package var json: [UInt8] {
    JSONWriter.array { json in
      for device in devices {
        json.object { json in
          json.fields(
            ("device", device.id), ("last_seen", device.lastSeen), ("weighings", device.weighings),
            ("highest_sequence", device.highestSequence), ("missing", device.missing), ("lost", device.lost),
            ("conflicts", device.conflicts), ("id_conflicts", device.idConflicts), ("clock", device.clock),
            ("calibration", device.calibration), ("calibration_time", device.calibrated), ("version", device.version))
        }
      }
    } + [UInt8(ascii: "\n")]
  }
}
