/// The printed tables.
struct RealTables {
  let figures: [Figure]

  /// Figures of which only the worst is printed; the others are in the JSON file.
  private static let unprinted: Set<String> = ["range_zeroed_after"]

  var all: [Table] { [compared, own] }

  /// One row for each quantity that peers have too, a column for each contender.
  private var compared: Table {
    let contenders = figures.map(\.contender).distinct
    let rows = rows { $0.count > 1 }
    var table = Table("Grampad, its peers and the recorded scale", columns: ["on", "what", "unit"] + contenders)
    for row in rows {
      let values = Dictionary(row.map { ($0.contender, $0.value) }) { first, _ in first }
      table.append(
        [row[0].on, row[0].what, row[0].unit] + contenders.map { name in values[name].map { Table.number($0) } ?? "" })
    }
    return table
  }

  /// One row for each quantity that only Grampad has.
  private var own: Table {
    var table = Table("Grampad", columns: ["on", "what", "value", "unit", "remark"])
    for row in rows(where: { $0.count == 1 }) {
      table.append([row[0].on, row[0].what, Table.number(row[0].value), row[0].unit, row[0].remark ?? ""])
    }
    return table
  }

  /// The figures of each quantity under the same conditions, in the order of their appearance.
  private func rows(where condition: ([Figure]) -> Bool) -> [[Figure]] {
    figures.filter { !Self.unprinted.contains($0.what) }.grouped { [$0.on, $0.what] }.filter(condition)
  }
}
