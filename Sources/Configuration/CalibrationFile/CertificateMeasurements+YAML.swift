import Weighing

extension CertificateMeasurements {
  /// The file of the series as YAML; `parse` reads it.
  package func yaml() -> String {
    let content = OutputValue.record([
      "date": date.map { .text($0) },
      "temperature_c": temperatures.isEmpty ? nil : .list(temperatures.map { .number($0) }),
      "conditions": conditions.map { .text($0) }, "resolution_g": .number(resolution.value),
      "adjusted": isAdjusted ? .flag(true) : nil, "masses": .list(masses.map(\.output)),
      "repeatability": .list(
        repeatability.map { .record(["load": $0.load.output, "readings_g": .readings($0.indications)]) }),
      "eccentricity": eccentricity.map { eccentricity in
        .section([
          OutputEntry("load", eccentricity.load.output),
          OutputEntry("positions", .list(eccentricity.placements.map(\.output))),
        ])
      },
      "errors": .list(
        steps.map { step in
          .record([
            "load": step.load.output, "up_g": step.up.map { .number($0.value) },
            "down_g": step.down.map { .number($0.value) },
          ])
        }),
      "zero_g": .readings(zeros),
      "creep": creep.map { creep in
        .section([
          OutputEntry("load", creep.load.output),
          OutputEntry(
            "samples",
            .list(
              creep.samples.map {
                .record(["after_s": .number($0.after.seconds), "reading_g": .number($0.mass.value)])
              })),
        ])
      },
    ])
    let head = """
      # The raw series of a certificate, written by grampad calibrate certificate. To evaluate it again:
      # grampad calibrate certificate --from FILE

      """
    return head + content.entries.map { $0.value.lines(key: $0.key, indent: "") }.joined()
  }
}

extension ReferenceMass {
  fileprivate var output: OutputValue {
    var (certificate, expanded, coverage, tolerance): (String?, Grams?, Double?, Grams?)
    switch evidence {
    case .certificate(let number, let uncertainty, let k): (certificate, expanded, coverage) = (number, uncertainty, k)
    case .weightClass(_, let number): certificate = number
    case .nominal(let given): tolerance = given
    }
    return .record([
      "name": .text(name), "nominal_g": .number(nominal.value), "value_g": expanded.map { _ in .number(value.value) },
      "class": weightClass.map { .text($0.rawValue) }, "certificate": certificate.map { .text($0) },
      "uncertainty_g": expanded.map { .number($0.value) }, "k": coverage.map { .number($0) },
      "tolerance_g": tolerance.map { .number($0.value) },
    ])
  }
}

extension TestLoad {
  fileprivate var output: OutputValue { .list(masses.map { .text($0.name) }) }
}

extension CertificateMeasurements.Placement {
  fileprivate var output: OutputValue {
    .record([
      "name": .text(name), "x": position.map { .number($0.x) }, "y": position.map { .number($0.y) },
      "reading_g": .number(indication.value),
    ])
  }
}

extension OutputValue {
  fileprivate static func readings(_ masses: [Grams]) -> OutputValue { .list(masses.map { .number($0.value) }) }
}
