import GRDB
import Weighing

/// The columns of a weighing.
extension RecordedWeighing {
  /// The chain link at its position.
  func link(position: Int) -> ChainLink {
    ChainLink(
      table: .weighings,
      values: [
        ColumnValue(position), ColumnValue(sequence), ColumnValue(id.description), .integer(time.nanoseconds),
        ColumnValue(measurement.gross.mass.value), ColumnValue(measurement.tare.mass.value),
        ColumnValue(measurement.net.mass.value), ColumnValue(measurement.net.division.step.value),
        ColumnValue(measurement.uncertainty?.value), ColumnValue(label), ColumnValue(source.rawValue),
        ColumnValue(measurement.calibration.rawValue), ColumnValue(calibrationCounter),
        ColumnValue(configurationHash), ColumnValue(voids?.description),
        ColumnValue(ChainLink.version), ColumnValue(kind.rawValue),
        ColumnValue(amends?.description), ColumnValue(measurement.pieces), ColumnValue(clock?.rawValue),
      ])
  }

  /// Reads the columns of a link; `nil` if they are not those of a weighing.
  init?(_ link: ChainLink) {
    let values = link.values
    guard link.table == .weighings, let sequence = values[1].integer,
      let id = values[2].text.flatMap({ WeighingID($0) }),
      let time = values[3].integer, let gross = values[4].real, let tare = values[5].real, let net = values[6].real,
      let division = values[7].real.flatMap({ Division(Grams($0)) }),
      let source = values[10].text.flatMap(ActionSource.init),
      let calibration = values[11].text.flatMap(Calibration.Origin.init), let counter = values[12].integer,
      let configuration = values[13].text
    else { return nil }
    func displayed(_ grams: Double) -> DisplayedMass {
      DisplayedMass(steps: division.steps(nearest: Grams(grams)), division: division)
    }
    let measurement = Measurement(
      gross: displayed(gross), tare: displayed(tare), net: displayed(net), uncertainty: values[8].real.map(Grams.init),
      pieces: values[18].integer, calibration: calibration)
    // Negated in a void.
    if let pieces = measurement.pieces, pieces == .min { return nil }
    self.init(
      id: id, sequence: sequence, time: Instant(nanoseconds: Int64(time)), measurement: measurement,
      label: values[9].text, source: source, calibrationCounter: counter, configurationHash: configuration,
      voids: values[14].text.flatMap { WeighingID($0) }, amends: values[17].text.flatMap { WeighingID($0) },
      clock: values[19].text.flatMap(ClockState.init))
    guard values[16].text == kind.rawValue else { return nil }
  }
}

extension AuditRecord {
  /// The chain link.
  var link: ChainLink {
    ChainLink(
      table: .audit,
      values: [
        ColumnValue(position), ColumnValue(sequence), .integer(time.nanoseconds), ColumnValue(entry.kind.rawValue),
        ColumnValue(counter), ColumnValue(entry.detail),
      ])
  }

  /// Reads the columns of a link; `nil` if they are not those of an audit entry.
  init?(_ link: ChainLink) {
    let values = link.values
    guard link.table == .audit, let position = values[0].integer, let sequence = values[1].integer,
      let time = values[2].integer, let kind = values[3].text.flatMap(AuditKind.init), let counter = values[4].integer,
      let detail = values[5].text
    else { return nil }
    self.init(
      position: position, sequence: sequence, time: Instant(nanoseconds: Int64(time)),
      entry: AuditEntry(kind: kind, detail: detail), counter: counter)
  }
}

extension ChainLink {
  /// Reads the columns of `table.selection` from the start of a row.
  init(_ table: Table, _ row: Row) { self.init(table: table, values: table.columns.indices.map { row[$0] }) }
}

/// A record that cannot be decoded: the file was altered or damaged.
struct Unreadable: Error {
  var description: String

  init(_ description: String) { self.description = description }
}
