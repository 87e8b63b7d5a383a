import Languages
import Weighing

extension CalibrationSession {
  /// The state as the fields of a JSON object; its form is in `HTTP.md`.
  package func write(_ json: inout JSONWriter, at now: Instant) {
    json.fields(("state", end == nil ? "active" : "ended"), ("attended", isAttended))
    json.reason("end", end.map { ($0.code, $0.sentence) })
    json.fields(("pad", pad.map { "\($0.name), \($0.range)" }), ("activity", activity.name), ("waiting", awaitsChange))
    json.sentence("instruction", or: instruction)
    writeLoad(&json, now)
    writeTasks(&json, now)
    writeSteps(&json)
    json.field("calibration", calibration?.origin.rawValue)
    json.reason("note", note.map { ($0.code, $0.sentence) })
    json.sentence("question", or: procedure.objection?.sentence)
    writeFit(&json)
    json.field("applied", appliedCurve != nil)
    writeVerification(&json)
    writeSelfTest(&json)
  }

  private var instruction: Sentence? {
    switch activity {
    case .ready, .measuring: procedure.step?.instruction
    case .verifying(let loading, _), .testing(let loading, _): loading.task?.instruction
    }
  }

  // MARK: Load

  private func writeLoad(_ json: inout JSONWriter, _ now: Instant) {
    json.key("load")
    guard let gauge else { return json.null() }
    let (rest, isResting): (LoadRest, Bool)
    switch gauge.state {
    case .noPad: return json.null()
    case .settling(let load): (rest, isResting) = (load, false)
    case .resting(let load): (rest, isResting) = (load, true)
    }
    json.object { json in
      json.fields(
        ("counts", rest.counts), ("spread", rest.spread), ("deviation", rest.deviation), ("drift", rest.drift))
      json.field("duration_s", rest.duration.seconds, decimals: 3)
      json.field("grams", calibration?.mass(atCounts: rest.counts).value, decimals: 3)
      json.field("share", gauge.axis.map { rest.counts / Double(max($0.largestSum.counts, 1)) } ?? 0, decimals: 4)
      json.field("progress", isResting ? 1 : min(rest.duration.seconds / gauge.time.seconds, 1), decimals: 2)
      json.fields(("resting", isResting), ("at_maximum", rest.isAtMaximum))
    }
  }

  private func writeTasks(_ json: inout JSONWriter, _ now: Instant) {
    let loading: LoadingProcedure? =
      switch activity {
      case .ready, .measuring: nil
      case .verifying(let loading, _), .testing(let loading, _): loading
      }
    json.object("task", loading) { json, loading in
      json.fields(("number", loading.index + 1), ("count", loading.tasks.count))
      json.field("progress", loading.observed(at: now), decimals: 2)
    }
  }

  // MARK: Steps

  private func writeSteps(_ json: inout JSONWriter) {
    json.array("steps", zip(procedure.steps, procedure.states)) { json, step in
      let (step, state) = step
      json.object { json in
        json.fields(("kind", step.name), ("mass_g", step.mass.value), ("state", state.name))
        if let rest = state.rest {
          json.field("counts", rest.counts, decimals: 2)
          json.field("spread", rest.spread, decimals: 2)
          json.field("drift", rest.drift, decimals: 3)
        }
      }
    }
    json.fields(("step", procedure.step == nil ? nil : procedure.index), ("curve", procedure.shape?.rawValue))
  }

  // MARK: Results

  private func writeFit(_ json: inout JSONWriter) {
    json.key("fit")
    switch outcome {
    case nil: json.null()
    case .failure(let error)?:
      json.object { json in
        json.fields(("ok", false), ("reason", error.code))
        json.sentence("detail", error.sentence)
        json.field("suspect_g", error.suspect?.value)
      }
    case .success(let outcome)?: json.object { write(outcome, &$0) }
    }
  }

  private func write(_ outcome: CalibrationTrial.Outcome, _ json: inout JSONWriter) {
    let curve = outcome.choice.curve
    json.fields(("ok", true), ("curve", curve.shape.rawValue))
    json.sentence("explanation", outcome.choice.sentence)
    json.sentence("doubt", or: outcome.doubt?.sentence)
    json.field("suspect_g", outcome.doubt?.suspect?.value)
    json.field("uncertainty_g", curve.residual.value, decimals: 3)
    json.field("extrapolated_above_g", outcome.guessedBeyond?.value, decimals: 3)
    json.array("points", curve.points.indices) { json, index in
      let point = curve.points[index]
      json.object { json in
        json.field("mass_g", point.mass.value)
        json.field("counts", point.counts, decimals: 2)
        json.field("residual_g", outcome.misses[index].value, decimals: 3)
        json.field("left_out_g", outcome.leftOut[index]?.value, decimals: 3)
        json.field("uncertainty_g", uncertainty(of: point, curve).value, decimals: 3)
      }
    }
  }

  /// One standard uncertainty of a point, from the noise of its measurements.
  private func uncertainty(of point: CalibrationPoint, _ curve: CalibrationCurve) -> Grams {
    let deviations = procedure.trial.observations.filter { $0.mass == point.mass }.map(\.rest.deviation)
    guard !deviations.isEmpty else { return .zero }
    let sum = deviations.reduce(0) { $0 + $1 * $1 }.squareRoot() / Double(deviations.count)
    return Grams(sum * curve.slope(at: RawForce(Int(point.counts))))
  }

  private func writeVerification(_ json: inout JSONWriter) {
    json.key("verification")
    guard let verification, let reading = verification.reading, let error = verification.error else {
      return json.null()
    }
    json.object { json in
      json.field("mass_g", verification.mass.value, decimals: 3)
      json.field("reads_g", reading.value, decimals: 3)
      json.field("error_g", error.value, decimals: 3)
      json.field("tolerance_g", verification.tolerance.value, decimals: 3)
      json.field("ok", verification.isWithinTolerance)
    }
  }

  private func writeSelfTest(_ json: inout JSONWriter) {
    json.object("self_test", selfTest) { json, selfTest in
      let (test, mass, _) = selfTest
      json.field("mass_g", mass.value)
      json.array("loads_g", test.loads) { json, load in json.number(load.value, decimals: 3) }
      let results = [
        ("repeatability", test.repeatability, test.limits.repeatability, test.isRepeatable),
        ("zero_return", test.zeroReturn, test.limits.zeroReturn, test.returnsToZero),
        ("creep", test.creepReach, test.limits.creep, test.keepsStill),
      ]
      json.array("results", results) { json, result in
        let (name, found, limit, isWithin) = result
        json.object { json in
          json.field("name", name)
          json.field("found_g", found.value, decimals: 3)
          json.field("limit_g", limit.value, decimals: 3)
          json.field("ok", isWithin)
        }
      }
      json.field("ok", test.passes)
    }
  }
}

extension JSONWriter {
  /// Writes a key and `{"reason", "detail"}`, or `null`.
  fileprivate mutating func reason(_ name: String, _ reason: (code: String, detail: Sentence)?) {
    object(name, reason) { json, reason in
      json.field("reason", reason.code)
      json.sentence("detail", reason.detail)
    }
  }
}
