import SystemPackage

/// An open file for the records of all devices, as CSV; written at the end.
package struct LightRecordFile: Sendable {
  /// For messages.
  let path: String
  private let file: FileDescriptor

  /// Makes a file of a descriptor that is open for writing.
  package init(path: String, _ file: FileDescriptor) {
    (self.path, self.file) = (path, file)
  }

  /// Writes all records, one line each: device, sequence, id and net mass.
  func write(_ devices: [LightDevice]) throws(Errno) {
    do {
      for device in devices where device.journal.sequence > 0 {
        var lines = ""
        for sequence in 1...device.journal.sequence {
          let record = device.journal.record(sequence)
          lines += "\(device.id),\(sequence),\(record.id),\(record.measurement.net)\n"
        }
        try file.writeAll(lines.utf8)
      }
      try file.close()
    } catch {
      throw Errno(error)
    }
  }
}
