extension CalibrationSession {
  /// Whether it measures and the load is still one of those before: the user has not put the mass on yet.
  package var awaitsChange: Bool {
    if case .measuring(let measurement) = activity { measurement.isUnchanged } else { false }
  }

  /// A request of the user.
  package enum Request: Hashable, Sendable {
    /// Measure the current step.
    case measure
    /// Keep a measurement that is probably wrong.
    case keep
    /// Discard it and measure the step again.
    case repeatStep
    /// Leave out the current step.
    case skip
    /// Make a step the current one.
    case select(Int)
    /// Correct the mass of a step and of all others with the same mass.
    case correct(step: Int, mass: Grams)
    /// Fit this shape; `nil` for the best one.
    case choose(CurveShape?)
    /// Weigh a known mass.
    case verify(Grams, tolerance: Grams?)
    /// Test repeatability, zero return and creep.
    case selfTest(Grams, rounds: Int, creepTime: Interval)
    /// Stop the measurement.
    case stop
  }

  /// Why a session is over.
  package enum End: Hashable, Sendable {
    /// The user has ended it.
    case closed
    /// No page or program has attended to it for too long.
    case abandoned
    /// The pad was disconnected, for this reason.
    case padLost(Sentence)
    /// The pad was gone when the session started, or is another one now.
    case noPad, otherPad
    /// The settings of the pad, the scale or the calibration were changed elsewhere.
    case reloaded
  }

  /// What the session does.
  package enum Activity: Hashable, Sendable {
    case ready
    case measuring(LoadMeasurement)
    case verifying(LoadingProcedure, Verification)
    case testing(LoadingProcedure, mass: Grams)
  }

  /// What the last request or measurement has led to.
  package enum Note: Hashable, Sendable {
    case answer(CalibrationProcedure.Answer)
    case failed(LoadingProcedure.Failure)
    /// Events of the pad were lost during a measurement.
    case gap
    /// The user has stopped a measurement.
    case stopped
  }

  /// The result of a verification.
  package struct Verification: Hashable, Sendable {
    /// The known mass.
    package let mass: Grams
    /// The maximum permitted error.
    package let tolerance: Grams
    /// What the calibration reads; `nil` before it is measured.
    package var reading: Grams?

    /// The error; `nil` before it is measured.
    package var error: Grams? { reading.map { $0 - mass } }

    /// Whether the error is within the tolerance.
    package var isWithinTolerance: Bool { error.map { $0.magnitude <= tolerance } ?? false }
  }
}
