import Linux
import Weighing

extension CalibrationCertificate {
  /// Columns of a budget next to each other; more loads continue in the next table, so that it fits a page.
  private static let budgetColumns = 5

  var budgetSection: CertificateSection {
    let errors = results.errors
    let starts = stride(from: 0, to: errors.count, by: Self.budgetColumns)
    return CertificateSection(
      title: "Uncertainty budgets of the errors of indication",
      tables: starts.map { start in
        budgetTable(
          errors[start..<min(start + Self.budgetColumns, errors.count)].map {
            (grams($0.load.nominal), $0.budget)
          })
      },
      notes: [
        """
        Standard uncertainties in grams (cg-18, 7.1). U = k u. Convection matters only for weights of class F1 and better; \
        the masses have the temperature of the room.
        """
      ])
  }

  private func budgetTable(_ columns: [(name: String, budget: UncertaintyBudget)]) -> CertificateSection.Table {
    let sources = columns.first?.budget.lines.map(\.source) ?? []
    var rows = sources.indices.map { index in
      [sources[index].rawValue] + columns.map { uncertainty($0.budget.lines[index].uncertainty) }
    }
    rows.append(["combined u"] + columns.map { uncertainty($0.budget.combined) })
    rows.append(
      ["degrees of freedom"]
        + columns.map { column in
          let freedom = column.budget.degreesOfFreedom
          return freedom < 1000 ? DecimalText.fixed(freedom.rounded(.down), decimals: 0) : "infinite"
        })
    rows.append(["k"] + columns.map { DecimalText.fixed($0.budget.coverage, decimals: 2) })
    rows.append(["U"] + columns.map { uncertainty($0.budget.expanded) })
    return table(["Contribution"] + columns.map(\.name), rows)
  }

  var useSection: CertificateSection {
    let inUse = results.inUse
    let readings = [0.0, 0.25, 0.5, 0.75, 1].map { Grams(results.capacity.value * $0) }
    var budget = budgetTable(readings.map { (grams($0), inUse.budget(at: $0)) })
    // In use the coverage factor is 2.
    budget.rows.removeLast(3)
    budget.rows.append(["U (k = 2)"] + readings.map { uncertainty(inUse.expanded(at: $0)) })
    return CertificateSection(
      title: "Uncertainty of a weighing in use",
      fields: [
        ["Corrected", "U = \(formula(inUse.linear)), for readings R less the error of indication"],
        ["As shown", "U = \(formula(inUse.linearWithErrors)), for readings R as they are shown, errors included"],
      ],
      tables: [budget],
      notes: [
        """
        Linear approximations (cg-18, 7.5), k = 2, for single readings with the division of the scale at the temperatures \
        stated. The table lists the standard uncertainties at readings up to the capacity (7.4).
        """
      ])
  }

  private func formula(_ linear: UncertaintyInUse.Linear) -> String {
    "\(uncertainty(linear.alpha)) g + \(DecimalText.significant(linear.beta, digits: 2)) R"
  }

  var minimumWeightSection: CertificateSection {
    CertificateSection(
      title: "Minimum weight",
      fields: CertificateResults.minimumWeightShares.map { share in
        let weight = results.inUse.minimumWeight(share: share)
        let text =
          weight.map { "\(DecimalText.significant($0.value, digits: 3)) g" } ?? "not reached up to the capacity"
        return ["For \(DecimalText.trimmed(share * 100, decimals: 3)) %", text]
      },
      notes: ["The least net weight whose expanded uncertainty, as shown, is at most this share (cg-18, appendix G)."])
  }

  var seriesSection: CertificateSection {
    var fields = measurements.repeatability.map { series in
      ["Repeatability, \(printable(series.load.name, limit: 40))", list(series.indications)]
    }
    fields.append(["Empty pad", list(measurements.zeros)])
    if let creep = measurements.creep {
      let samples = creep.samples.map {
        "\(DecimalText.trimmed($0.after.seconds, decimals: 1)) s: \(indication($0.mass))"
      }
      fields.append(["Creep, \(printable(creep.load.name, limit: 40))", samples.joined(separator: ", ")])
    }
    return CertificateSection(
      title: "Raw series", fields: fields,
      notes: ["Indications in grams. The series of eccentricity and of the errors are in their tables."])
  }

  private func list(_ indications: [Grams]) -> String { indications.map { indication($0) }.joined(separator: ", ") }
}
