import Languages
import Messages
import Weighing

extension CalibrationCertificate {
  /// The certificate as a JSON object on one line, without a newline at the end.
  var json: String {
    var json = JSONWriter()
    json.object { json in
      json.field("type", "calibration_certificate")
      json.field("guide", "EURAMET cg-18 v4.0 (11/2015)")
      json.field("statement", statement)
      json.field("traceable", results.isTraceable)
      json.key("scale")
      json.object { json in
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
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func writeConditions(_ json: inout JSONWriter) {
    json.field("date", measurements.date)
    json.list("temperature_c", measurements.temperatures) { json, celsius in json.number(celsius, decimals: 2) }
    json.field("conditions", measurements.conditions)
    json.field("adjusted", measurements.isAdjusted)
    json.list("masses", measurements.masses) { json, mass in
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
    json.list("errors", results.errors) { json, error in
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
    json.list("repeatability", Array(zip(measurements.repeatability, results.tests.repeatability))) { json, pair in
      json.object { json in
        json.field("load", pair.0.load.name)
        json.field("load_g", pair.0.load.value)
        json.field("standard_deviation_g", pair.1.deviation)
        json.readings("readings_g", pair.0.indications)
      }
    }
    if let eccentricity = measurements.eccentricity {
      json.key("eccentricity")
      json.object { json in
        json.field("load", eccentricity.load.name)
        json.field("load_g", eccentricity.load.value)
        json.field("largest_difference_g", eccentricity.largestDifference)
        json.list("positions", eccentricity.placements) { json, placement in
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
    json.key("zero")
    json.object { json in
      json.field("return_g", results.zeroReturn)
      json.readings("readings_g", measurements.zeros)
    }
    guard let creep = measurements.creep else { return }
    json.key("creep")
    json.object { json in
      json.field("load", creep.load.name)
      json.field("load_g", creep.load.value)
      json.field("change_g", creep.change)
      json.list("samples", creep.samples) { json, sample in
        json.object { json in
          json.field("after_s", Grams(sample.after.seconds))
          json.field("reading_g", sample.mass)
        }
      }
    }
  }

  private func writeUse(_ json: inout JSONWriter) {
    let inUse = results.inUse
    json.key("in_use")
    json.object { json in
      json.field("k", Grams(UncertaintyInUse.coverage))
      for (name, linear) in [("corrected", inUse.linear), ("as_shown", inUse.linearWithErrors)] {
        json.key(name)
        json.object { json in
          json.field("alpha_g", linear.alpha)
          json.field("beta", Grams(linear.beta))
        }
      }
      json.list("readings", [0, 0.25, 0.5, 0.75, 1].map { Grams(results.capacity.value * $0) }) { json, reading in
        json.object { json in
          json.field("reading_g", reading)
          json.budget(inUse.budget(at: reading))
          json.field("expanded_uncertainty_g", inUse.expanded(at: reading))
        }
      }
    }
    json.list("minimum_weight", CertificateResults.minimumWeightShares) { json, share in
      json.object { json in
        json.field("share", Grams(share))
        json.field("weight_g", inUse.minimumWeight(share: share))
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func field(_ name: String, _ value: String?) {
    key(name)
    if let value { string(value) } else { null() }
  }

  fileprivate mutating func field(_ name: String, _ value: Bool) {
    key(name)
    boolean(value)
  }

  /// A mass, or another number, to nine decimals.
  fileprivate mutating func field(_ name: String, _ value: Grams?) {
    key(name)
    if let value { number(value.value, decimals: 9) } else { null() }
  }

  fileprivate mutating func list<Item>(_ name: String, _ items: [Item], _ body: (inout JSONWriter, Item) -> Void) {
    key(name)
    array { json in for item in items { body(&json, item) } }
  }

  fileprivate mutating func readings(_ name: String, _ masses: [Grams]) {
    list(name, masses) { json, mass in json.number(mass.value, decimals: 9) }
  }

  fileprivate mutating func budget(_ budget: UncertaintyBudget) {
    list("budget", budget.lines) { json, line in
      json.object { json in
        json.field("source", line.source.rawValue)
        json.field("standard_uncertainty_g", line.uncertainty)
      }
    }
    field("standard_uncertainty_g", budget.combined)
  }
}
