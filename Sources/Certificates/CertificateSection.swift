/// A part of a certificate, which is written as text and as HTML alike.
struct CertificateSection: Hashable, Sendable {
  /// A table: its head and its rows, all with the same number of cells.
  struct Table: Hashable, Sendable {
    var head: [String]
    var rows: [[String]]
    /// The columns with numbers.
    var rightAligned: Set<Int>
  }

  /// Its heading.
  var title: String
  /// An SVG element that only the HTML page shows; empty for none.
  var drawing = ""
  /// Names and values.
  var fields: [[String]] = []
  /// The tables.
  var tables: [Table] = []
  /// Paragraphs below the tables.
  var notes: [String] = []
}
