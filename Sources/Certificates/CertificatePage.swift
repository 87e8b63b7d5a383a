extension CalibrationCertificate {
  /// The certificate as an HTML page that prints on A4, up to the place of the digest.
  ///
  /// Self-contained: no script, no font, no other file.
  var page: String {
    var text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(escaped(Self.title))</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <main>
      <h1>\(escaped(Self.title))</h1>
      <p>\(escaped(statement, limit: 1000))</p>

      """
    for section in sections {
      text += "<section>\n<h2>\(escaped(section.title))</h2>\n"
      text += section.drawing
      if !section.fields.isEmpty {
        text += "<dl>\n"
        for field in section.fields {
          text += "<dt>\(escaped(field[0]))</dt><dd>\(escaped(field[1], limit: 1_000_000))</dd>\n"
        }
        text += "</dl>\n"
      }
      for table in section.tables { text += html(table) }
      for note in section.notes { text += "<p class=\"note\">\(escaped(note, limit: 1000))</p>\n" }
      text += "</section>\n"
    }
    return text
  }

  private func html(_ table: CertificateSection.Table) -> String {
    func row(_ cells: [String], _ tag: String) -> String {
      "<tr>"
        + cells.enumerated().map { column, cell in
          "<\(tag)\(table.rightAligned.contains(column) ? " class=\"number\"" : "")>\(escaped(cell))</\(tag)>"
        }.joined() + "</tr>\n"
    }
    return "<table>\n<thead>\n\(row(table.head, "th"))</thead>\n<tbody>\n"
      + table.rows.map { row($0, "td") }.joined() + "</tbody>\n</table>\n"
  }

  private static let style = """
    @page { size: A4; margin: 16mm 15mm }
    :root { color-scheme: light }
    body { margin: 0; background: #fff; color: #1b1f24; font: 14px/1.45 system-ui, sans-serif }
    main { max-width: 48rem; margin: 2rem auto; padding: 0 1rem }
    h1 { font-size: 1.7rem; margin: 0 0 .5rem }
    h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; border-bottom: 1px solid #9aa3ad; break-after: avoid }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0 }
    dt { color: #4c5661; max-width: 14rem } dd { margin: 0; overflow-wrap: anywhere }
    table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-variant-numeric: tabular-nums }
    th, td { padding: .2rem .5rem; text-align: left; border-bottom: 1px solid #d5dae0 }
    th { font-weight: 600; vertical-align: bottom } .number { text-align: right }
    .note { color: #4c5661; font-size: .92em; margin: .4rem 0 }
    svg { display: block; width: 100%; height: auto; margin: .5rem 0; break-inside: avoid }
    .digest { margin-top: 1.6rem; font-size: .92em } .digest code { overflow-wrap: anywhere }
    table, tr { break-inside: avoid } thead { display: table-header-group }
    @media print { body { font-size: 10.5px } main { max-width: none; margin: 0; padding: 0 } }
    """
}
