import Appliance
import ArgumentParser
import Calibrating
import Glibc
import Weighing

/// Guides the user through a calibration: asks for each mass, measures it, and reports the result.
///
/// All output goes to standard error, line by line, so that it works on any terminal and from a script.
struct CalibrateGuide {
  /// One step of the calibration.
  private enum Step {
    case nothing(isLast: Bool)
    case mass(Grams)
    case again(Grams)

    var mass: Grams {
      switch self {
      case .nothing: .zero
      case .mass(let mass), .again(let mass): mass
      }
    }

    var order: String {
      switch self {
      case .nothing(let isLast):
        isLast
          ? "Take everything off again, to check that the pad returns to zero." : "Take everything off the pad."
      case .mass(let mass): "Put \(text(mass)) g on the centre of the pad and let go."
      case .again(let mass): "Put \(text(mass)) g on again, to check that it weighs the same."
      }
    }

    private func text(_ mass: Grams) -> String { CalibrateGuide.text(mass) }
  }

  private let feed: PadFeed
  /// The maximum time to wait for a stable load; hands shake and pads creep.
  private static let patience = Interval.seconds(30)

  /// Makes a guide for a pad.
  init(_ feed: PadFeed) {
    self.feed = feed
  }

  /// Measures all masses; asks for them if none are given.
  ///
  /// - Throws: A `Failure` if the pad is lost or a load never becomes stable; an `ExitCode` if the user quits.
  func observe(_ given: [Grams]?) throws -> [CalibrationObservation] {
    let name = feed.gauge.description?.name ?? "the pad"
    say("Calibrating \(name) (\(feed.path)). Nothing is written until you confirm at the end.")
    let masses = try given.flatMap { $0.isEmpty ? nil : $0 } ?? askForMasses()
    var steps: [Step] = [.nothing(isLast: false)] + masses.map { .mass($0) } + [.nothing(isLast: true)]
    if let first = masses.first { steps.append(.again(first)) }
    var results = [LoadRest?](repeating: nil, count: steps.count)
    var index = 0
    var latest: (index: Int, rest: LoadRest)?
    var trouble: CalibrationError?
    // The load that was on the pad when it should have been empty: the next measurement must differ from it.
    var rejected: LoadRest?
    while index < steps.count {
      say("\(index + 1) of \(steps.count): \(steps[index].order)")
      switch ask("  Measure? [Enter = measure, s = skip, b = back, q = quit] ")?.lowercased() {
      case nil, "q":
        if let trouble { throw Failure(.badData, "calibration refused: \(trouble)") }
        complain("cancelled; nothing written")
        throw ExitCode(1)
      case "s":
        results[index] = nil
        index += 1
      case "b": index = max(index - 1, 0)
      case "":
        // The last load is still on the pad until it is changed, unless the same step is measured again.
        var before = rejected.map { [$0] } ?? latest.map { $0.index == index ? [] : [$0.rest] } ?? []
        if steps[index].mass > .zero, let nothing = results[0] { before.append(nothing) }
        if let rest = try measure(steps[index], unlike: before, &trouble) {
          let observation = CalibrationObservation(mass: steps[index].mass, rest: rest)
          let isKept = try keeps(observation, after: observations(steps, results), &trouble)
          if case .notEmpty? = trouble { rejected = rest } else { rejected = nil }
          latest = (index, rest)
          results[index] = isKept ? rest : nil
          if isKept { index += 1 }
        }
      default: say("  Press Enter, or type s, b or q.")
      }
    }
    return observations(steps, results)
  }

  private func observations(_ steps: [Step], _ results: [LoadRest?]) -> [CalibrationObservation] {
    zip(steps, results).compactMap { step, rest in
      rest.map { CalibrationObservation(mass: step.mass, rest: $0) }
    }
  }

  /// Whether to keep an observation: it fits the earlier ones, or the user confirms it. Otherwise it is measured again.
  ///
  /// - Throws: A `Failure` with the objection if the user quits.
  private func keeps(
    _ observation: CalibrationObservation, after earlier: [CalibrationObservation], _ trouble: inout CalibrationError?
  ) throws -> Bool {
    let trial = CalibrationTrial(
      observations: earlier, capacity: feed.settings.capacity, division: feed.settings.division)
    let objection = trial.objection(
      to: observation, isBare: feed.settings.surface == .contacts && feed.gauge.axis?.kind != .plain,
      fullScale: feed.gauge.axis?.fullScale ?? .zero)
    guard let objection else { return true }
    say("  Please check: \(objection).")
    if case .notRising = objection {
      // Which of the two is wrong can only be decided at the end, when all masses are known.
      return true
    }
    while true {
      switch ask("  Measure again? [Enter = measure, k = keep, q = quit] ")?.lowercased() {
      case nil, "q": throw Failure(.badData, "calibration refused: \(objection)")
      case "k": return true
      case "":
        trouble = objection
        return false
      default: say("  Press Enter, or type k or q.")
      }
    }
  }

  /// Measures the load on the pad; `nil` if it must be measured again.
  private func measure(
    _ step: Step, unlike before: [LoadRest], _ trouble: inout CalibrationError?
  ) throws -> LoadRest? {
    switch try feed.measure(unlike: before, patience: Self.patience) {
    case .rest(let rest) where rest.isAtMaximum:
      say("  Above the range of the pad. Type s to skip this mass, or use a lighter one.")
      return nil
    case .rest(let rest):
      trouble = nil
      say("  \(Self.text(step.mass)) g: \(describe(rest))")
      return rest
    case .restless(let rest):
      let moved = Grams((rest.drift * rest.duration.seconds).magnitude * gramsPerCount(at: rest))
      trouble = .unstable(mass: step.mass, moved: moved)
      say("  Unstable: \(describe(rest))")
      say("  Keep the table still, make sure that nothing touches the pad, and press Enter to measure again.")
      return nil
    case .unchanged(let rest):
      say("  The reading has not changed: \(fixed(rest.counts, 1)) counts.")
      say("  Change the load and press Enter.")
      return nil
    }
  }

  /// Asks the user to correct, repeat or leave out a mass that does not fit, so that the other measurements are kept; `nil`
  /// if the user quits.
  func correct(
    _ observations: [CalibrationObservation], _ mass: Grams, _ refusal: CalibrationError
  ) throws -> [CalibrationObservation]? {
    say("\(refusal)")
    let name = mass == .zero ? "the empty pad" : "\(Self.text(mass)) g"
    let correction = mass == .zero ? "" : "grams = the correct mass, "
    while true {
      let answer = ask("  Correct \(name)? [\(correction)m = measure again, s = leave out, q = quit] ")?.lowercased()
      switch answer {
      case nil, "q": return nil
      case "s": return observations.filter { $0.mass != mass }
      case "m":
        let step = mass == .zero ? Step.nothing(isLast: false) : .mass(mass)
        say(step.order)
        guard ask("  Measure? [Enter] ") != nil else { return nil }
        var trouble: CalibrationError?
        if let rest = try measure(step, unlike: [], &trouble) {
          return observations.filter { $0.mass != mass } + [CalibrationObservation(mass: mass, rest: rest)]
        }
      default:
        if let real = answer.flatMap({ typedMass($0) }), mass > .zero, real > .zero, real != mass {
          return observations.map { $0.mass == mass ? CalibrationObservation(mass: real, rest: $0.rest) : $0 }
        }
      }
    }
  }

  /// Asks whether to write the file; if there is a doubt, Enter means no.
  func agrees(toWriting path: String, inDoubt: Bool) -> Bool {
    switch ask("Write \(path)? \(inDoubt ? "[y/N]" : "[Y/n]") ")?.lowercased() {
    case "y", "yes": true
    case "": !inDoubt
    default: false
    }
  }

  private func askForMasses() throws -> [Grams] {
    say("Which masses do you have? Use at least two, better five, with the heaviest near the capacity.")
    while true {
      guard let answer = ask("  Masses in grams, separated by spaces, for example 50 100 200 385: "), answer != "q"
      else {
        complain("cancelled; nothing written")
        throw ExitCode(1)
      }
      if let masses = CalibrateMeasure.list(answer), masses.count >= 2 { return masses }
      say("  Enter at least two numbers above 0.")
    }
  }

  /// Asks on standard error; `nil` at the end of standard input.
  private func ask(_ question: String) -> String? {
    _ = Array(question.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    let line = readLine().map { $0.trimming(while: \.isWhitespace) }
    // Input that is not typed on a terminal does not end the line.
    if isatty(STDIN_FILENO) == 0 || line == nil { _ = write(STDERR_FILENO, "\n", 1) }
    return line
  }

  private func describe(_ rest: LoadRest) -> String {
    guard rest.counts > 0 || rest.spread > 0 else { return "the pad is empty" }
    return """
      \(fixed(rest.counts, 2)) counts, spread \(fixed(rest.spread, 2)), drift \(fixed(rest.drift, 3)) per second, \
      over \(fixed(rest.duration.seconds, 1)) s
      """
  }

  private func gramsPerCount(at rest: LoadRest) -> Double {
    1 / max(feed.gauge.counts(of: Grams(1), at: rest), .leastNormalMagnitude)
  }

  private func fixed(_ number: Double, _ decimals: Int) -> String { DecimalText.fixed(number, decimals: decimals) }

  private static func text(_ mass: Grams) -> String {
    let text = mass.value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension String {
  /// The text without such characters at either end.
  fileprivate func trimming(while isEdge: (Character) -> Bool) -> String {
    var text = self[...].drop(while: isEdge)
    while let last = text.last, isEdge(last) { text.removeLast() }
    return String(text)
  }
}
