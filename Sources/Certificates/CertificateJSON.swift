import Languages
import Messages
import Weighing

extension CalibrationCertificate {
  /// The certificate as a JSON object on one line, without a newline at the end.
  var json: String {
    let json = JSONWriter.object { json in
      json.field("type", "calibration_certificate")
      json.field("guide", "EURAMET cg-18 v4.0 (11/2015)")
      json.field("statement", statement)
      json.field("traceable", results.isTraceable)
      json.object("scale") { json in
        for (name, value) in scale.fields {
          json.field(Texts.english(name).lowercased().replacing(" ", with: "_"), value.description)
        }
        json.field("capacity_g", results.capacity)
        json.field("division_g", results.division)
        json.field("resolution_g", measurements.resolution)
      }
      writeConditions(&json)
      writeErrors(&json)
      writeTests(&json)
      writeUse(&json)
    }
    return String(decoding: json, as: UTF8.self)
  }

  private func writeConditions(_ json: inout JSONWriter) {
    json.field("date", measurements.date)
    json.array("temperature_c", measurements.temperatures) { json, celsius in json.number(celsius, decimals: 2) }
    json.field("conditions", measurements.conditions)
    json.field("adjusted", measurements.isAdjusted)
    json.array("masses", measurements.masses) { json, mass in
      json.object { json in
        json.field("name", mass.name)
        json.field("nominal_g", mass.nominal)
        json.field("value_g", mass.value)
        json.field("class", mass.weightClass?.rawValue)
        json.field("evidence", mass.evidenceText)
        json.field("traceable", mass.isTraceable)
        json.field("standard_uncertainty_g", mass.valueUncertainty)
      }
    }
  }

  private func writeErrors(_ json: inout JSONWriter) {
    json.array("errors", results.errors) { json, error in
      json.object { json in
        json.field("load", error.load.name)
        json.field("reference_g", error.load.value)
        json.field("up_g", error.up)
        json.field("down_g", error.down)
        json.field("error_up_g", error.errorUp)
        json.field("error_down_g", error.errorDown)
        json.field("error_g", error.error)
        json.budget(error.budget)
        let freedom = error.budget.degreesOfFreedom
        json.field("degrees_of_freedom", freedom.isFinite ? Grams(freedom) : nil)
        json.field("k", Grams(error.budget.coverage))
        json.field("expanded_uncertainty_g", error.budget.expanded)
      }
    }
  }

  private func writeTests(_ json: inout JSONWriter) {
    json.array("repeatability", Array(zip(measurements.repeatability, results.tests.repeatability))) { json, pair in
      json.object { json in
        json.field("load", pair.0.load.name)
        json.field("load_g", pair.0.load.value)
        json.field("standard_deviation_g", pair.1.deviation)
        json.readings("readings_g", pair.0.indications)
      }
    }
    if let eccentricity = measurements.eccentricity {
      json.object("eccentricity") { json in
        json.field("load", eccentricity.load.name)
        json.field("load_g", eccentricity.load.value)
        json.field("largest_difference_g", eccentricity.largestDifference)
        json.array("positions", eccentricity.placements) { json, placement in
          json.object { json in
            json.field("name", placement.name)
            json.field("x", placement.position.map { Grams($0.x) })
            json.field("y", placement.position.map { Grams($0.y) })
            json.field("reading_g", placement.indication)
            json.field("difference_g", eccentricity.difference(of: placement))
          }
        }
      }
    }
    json.object("zero") { json in
      json.field("return_g", results.zeroReturn)
      json.readings("readings_g", measurements.zeros)
    }
    guard let creep = measurements.creep else { return }
    json.object("creep") { json in
      json.field("load", creep.load.name)
      json.field("load_g", creep.load.value)
      json.field("change_g", creep.change)
      json.array("samples", creep.samples) { json, sample in
        json.object { json in
          json.field("after_s", Grams(sample.after.seconds))
          json.field("reading_g", sample.mass)
        }
      }
    }
  }

  private func writeUse(_ json: inout JSONWriter) {
    let inUse = results.inUse
    json.object("in_use") { json in
      json.field("k", Grams(UncertaintyInUse.coverage))
      for (name, linear) in [("corrected", inUse.linear), ("as_shown", inUse.linearWithErrors)] {
        json.object(name) { json in
          json.field("alpha_g", linear.alpha)
          json.field("beta", Grams(linear.beta))
        }
      }
      json.array("readings", [0, 0.25, 0.5, 0.75, 1].map { Grams(results.capacity.value * $0) }) { json, reading in
        json.object { json in
          json.field("reading_g", reading)
          json.budget(inUse.budget(at: reading))
          json.field("expanded_uncertainty_g", inUse.expanded(at: reading))
        }
      }
    }
    json.array("minimum_weight", CertificateResults.minimumWeightShares) { json, share in
      json.object { json in
        json.field("share", Grams(share))
        json.field("weight_g", inUse.minimumWeight(share: share))
      }
    }
  }
}

extension JSONWriter {
  /// A mass, or another number, to nine decimals.
  fileprivate mutating func field(_ name: String, _ value: Grams?) {
    field(name, value?.value, decimals: 9)
  }

  fileprivate mutating func readings(_ name: String, _ masses: [Grams]) {
    array(name, masses) { json, mass in json.number(mass.value, decimals: 9) }
  }

  fileprivate mutating func budget(_ budget: UncertaintyBudget) {
    array("budget", budget.lines) { json, line in
      json.object { json in
        json.field("source", line.source.rawValue)
        json.field("standard_uncertainty_g", line.uncertainty)
      }
    }
    field("standard_uncertainty_g", budget.combined)
  }
}
