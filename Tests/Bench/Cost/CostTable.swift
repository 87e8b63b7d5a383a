extension Report {
  /// One row for each quantity: the median and the quartiles of each program, and the ratios of Grampad to the two peers.
  var costTable: Table {
    let peers: [CostProgram] = [.c, .python]
    var table = Table(
      "Medians [quartiles]",
      columns: ["what", "on", "unit"] + CostProgram.allCases.map(\.rawValue) + peers.map { "to \($0.rawValue)" })
    for alike in figures.grouped(by: { [$0.what, $0.on, $0.unit] }) {
      let grampad = alike.first { $0.contender == CostProgram.grampad.rawValue }
      table.append(
        [alike[0].what, alike[0].on, alike[0].unit]
          + CostProgram.allCases.map { program in
            alike.first { $0.contender == program.rawValue }.map(Self.cell) ?? ""
          } + peers.map { grampad?.ratios[$0.rawValue].map(Table.number) ?? "" })
    }
    return table
  }

  private static func cell(_ figure: Figure) -> String {
    let value = Table.number(figure.value)
    guard let spread = figure.spread, spread.high > spread.low else { return value }
    return "\(value) [\(Table.number(spread.low)) \(Table.number(spread.high))]"
  }
}
