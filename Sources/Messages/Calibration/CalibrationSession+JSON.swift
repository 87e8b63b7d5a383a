import Languages
import Weighing

extension CalibrationSession {
  /// The state as the fields of a JSON object; its form is in `HTTP.md`.
  package func write(_ json: inout JSONWriter, at now: Instant) {
    json.key("state")
    json.string(end == nil ? "active" : "ended")
    writeEnd(&json)
    json.key("pad")
    json.string(pad.map { "\($0.name), \($0.range)" })
    json.key("activity")
    json.string(activity.name)
    json.key("waiting")
    json.boolean(awaitsChange)
    json.sentence("instruction", or: instruction)
    writeLoad(&json, now)
    writeTasks(&json, now)
    writeSteps(&json)
    json.key("calibration")
    json.string(calibration?.origin.rawValue)
    json.key("note")
    if let note { json.reason(note.code, note.sentence) } else { json.null() }
    json.sentence("question", or: procedure.objection?.sentence)
    writeFit(&json)
    json.key("applied")
    json.boolean(appliedCurve != nil)
    writeVerification(&json)
    writeSelfTest(&json)
  }

  private func writeEnd(_ json: inout JSONWriter) {
    json.key("end")
    if let end { json.reason(end.code, end.sentence) } else { json.null() }
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
      for (key, value) in [
        ("counts", rest.counts), ("spread", rest.spread), ("deviation", rest.deviation), ("drift", rest.drift),
      ] {
        json.key(key)
        json.number(value)
      }
      json.key("duration_s")
      json.number(rest.duration.seconds, decimals: 3)
      json.key("grams")
      if let calibration {
        json.number(calibration.mass(atCounts: rest.counts).value, decimals: 3)
      } else {
        json.null()
      }
      json.key("share")
      json.number(gauge.axis.map { rest.counts / Double(max($0.largestSum.counts, 1)) } ?? 0, decimals: 4)
      json.key("progress")
      json.number(isResting ? 1 : min(rest.duration.seconds / gauge.time.seconds, 1), decimals: 2)
      json.key("resting")
      json.boolean(isResting)
      json.key("at_maximum")
      json.boolean(rest.isAtMaximum)
    }
  }

  private func writeTasks(_ json: inout JSONWriter, _ now: Instant) {
    let loading: LoadingProcedure? =
      switch activity {
      case .ready, .measuring: nil
      case .verifying(let loading, _), .testing(let loading, _): loading
      }
    json.key("task")
    guard let loading else { return json.null() }
    json.object { json in
      json.key("number")
      json.integer(loading.index + 1)
      json.key("count")
      json.integer(loading.tasks.count)
      json.key("progress")
      if let part = loading.observed(at: now) { json.number(part, decimals: 2) } else { json.null() }
    }
  }

  // MARK: Steps

  private func writeSteps(_ json: inout JSONWriter) {
    json.key("steps")
    json.array { json in
      for (step, state) in zip(procedure.steps, procedure.states) {
        json.object { json in
          json.key("kind")
          json.string(step.name)
          json.key("mass_g")
          json.number(step.mass.value)
          json.key("state")
          json.string(state.name)
          if let rest = state.rest {
            for (key, value, decimals) in [
              ("counts", rest.counts, 2), ("spread", rest.spread, 2), ("drift", rest.drift, 3),
            ] {
              json.key(key)
              json.number(value, decimals: decimals)
            }
          }
        }
      }
    }
    json.key("step")
    if procedure.step == nil { json.null() } else { json.integer(procedure.index) }
    json.key("curve")
    json.string(procedure.shape?.rawValue)
  }

  // MARK: Results

  private func writeFit(_ json: inout JSONWriter) {
    json.key("fit")
    switch outcome {
    case nil: json.null()
    case .failure(let error)?:
      json.object { json in
        json.key("ok")
        json.boolean(false)
        json.key("reason")
        json.string(error.code)
        json.sentence("detail", error.sentence)
        json.key("suspect_g")
        if let suspect = error.suspect { json.number(suspect.value) } else { json.null() }
      }
    case .success(let outcome)?: json.object { write(outcome, &$0) }
    }
  }

  private func write(_ outcome: CalibrationTrial.Outcome, _ json: inout JSONWriter) {
    let curve = outcome.choice.curve
    json.key("ok")
    json.boolean(true)
    json.fields(("curve", curve.shape.rawValue))
    json.sentence("explanation", outcome.choice.sentence)
    json.sentence("doubt", or: outcome.doubt?.sentence)
    json.key("suspect_g")
    if let suspect = outcome.doubt?.suspect { json.number(suspect.value) } else { json.null() }
    json.key("uncertainty_g")
    json.number(curve.residual.value, decimals: 3)
    json.key("extrapolated_above_g")
    if let beyond = outcome.guessedBeyond { json.number(beyond.value, decimals: 3) } else { json.null() }
    json.key("points")
    json.array { json in
      for (index, point) in curve.points.enumerated() {
        json.object { json in
          json.key("mass_g")
          json.number(point.mass.value)
          json.key("counts")
          json.number(point.counts, decimals: 2)
          json.key("residual_g")
          json.number(outcome.misses[index].value, decimals: 3)
          json.key("left_out_g")
          if let miss = outcome.leftOut[index] { json.number(miss.value, decimals: 3) } else { json.null() }
          json.key("uncertainty_g")
          json.number(uncertainty(of: point, curve).value, decimals: 3)
        }
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
      for (key, mass) in [
        ("mass_g", verification.mass), ("reads_g", reading), ("error_g", error),
        ("tolerance_g", verification.tolerance),
      ] {
        json.key(key)
        json.number(mass.value, decimals: 3)
      }
      json.key("ok")
      json.boolean(verification.isWithinTolerance)
    }
  }

  private func writeSelfTest(_ json: inout JSONWriter) {
    json.key("self_test")
    guard let (test, mass, _) = selfTest else { return json.null() }
    json.object { json in
      json.key("mass_g")
      json.number(mass.value)
      json.key("loads_g")
      json.array { json in for load in test.loads { json.number(load.value, decimals: 3) } }
      json.key("results")
      json.array { json in
        for (name, found, limit, isWithin) in [
          ("repeatability", test.repeatability, test.limits.repeatability, test.isRepeatable),
          ("zero_return", test.zeroReturn, test.limits.zeroReturn, test.returnsToZero),
          ("creep", test.creepReach, test.limits.creep, test.keepsStill),
        ] {
          json.object { json in
            json.key("name")
            json.string(name)
            json.key("found_g")
            json.number(found.value, decimals: 3)
            json.key("limit_g")
            json.number(limit.value, decimals: 3)
            json.key("ok")
            json.boolean(isWithin)
          }
        }
      }
      json.key("ok")
      json.boolean(test.passes)
    }
  }
}

extension JSONWriter {
  /// Writes `{"reason", "detail"}`.
  fileprivate mutating func reason(_ code: String, _ detail: Sentence) {
    object { json in
      json.fields(("reason", code))
      json.sentence("detail", detail)
    }
  }
}
