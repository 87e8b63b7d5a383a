/// A value of TOML, as far as the project's files have them.
enum TOMLValue: Hashable {
  case text(String)
  case number(Int)
  case flag(Bool)
  case list([TOMLValue])

  /// The elements of a list.
  var items: [TOMLValue]? { if case .list(let items) = self { items } else { nil } }
}

/// A table of a TOML file: `[name]` or `[[name]]` with the values below it, one a line.
///
/// A small part of TOML 1.0; whatever else stands in a line is a fault.
struct TOMLTable {
  var name: String
  var values: [String: TOMLValue] = [:]

  /// The line that cannot be read.
  struct Fault: Error { let line: String }

  /// The tables of a file, in its order.
  static func read(_ text: String) throws -> [TOMLTable] {
    var tables: [TOMLTable] = []
    /// The key and the lines so far of a text between `'''` and `'''`.
    var open: (key: String, lines: [Substring])?
    for line in text.split(separator: "\n") {
      if let (key, lines) = open {
        open = line == "'''" ? nil : (key, lines + [line])
        if open == nil { tables[tables.count - 1].values[key] = .text(lines.joined(separator: "\n") + "\n") }
        continue
      }
      let line = line.drop { $0 == " " }
      if line.isEmpty || line.hasPrefix("#") { continue }
      if let match = line.wholeMatch(of: /\[\[?([a-z_.]+)\]?\]/) {
        tables.append(TOMLTable(name: String(match.1)))
        continue
      }
      guard let match = line.wholeMatch(of: /([a-z_]+) = (.+)/), !tables.isEmpty,
        tables[tables.count - 1].values[String(match.1)] == nil
      else { throw Fault(line: String(line)) }
      if match.2 == "'''" {
        open = (String(match.1), [])
      } else {
        tables[tables.count - 1].values[String(match.1)] = try value(match.2)
      }
    }
    return tables
  }

  private static func value(_ text: Substring) throws -> TOMLValue {
    if text == "true" || text == "false" { return .flag(text == "true") }
    if let number = Int(text) { return .number(number) }
    if let match = text.wholeMatch(of: /"([^"\\]*)"/) { return .text(String(match.1)) }
    guard text.hasPrefix("["), text.hasSuffix("]") else { throw Fault(line: String(text)) }
    return .list(try text.dropFirst().dropLast().split(separator: ", ").map(value))
  }
}
