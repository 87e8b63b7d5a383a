import Appliance
import ArgumentParser
import Calibrating
import Capture
import Commands
import Configuration
import EvdevInput
import Glibc
import Languages
import Linux
import Recordings
import Terminal
import Weighing

/// `diagnose`
struct Diagnose: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Observe a pad for 10 seconds: sample rate, gaps, noise, saturation, range, drift, and what to do about it.",
    discussion: """
      Put a mass of about half the capacity on the pad before the start and leave it there: a pad that nothing touches is \
      silent. A running appliance that uses the pad exclusively has to be stopped first.

      The exit code is 0 whether or not there is advice.

      Examples:
        grampad diagnose
        grampad diagnose --device /dev/input/event5 --seconds 60
        grampad diagnose --json --config scale.yaml
        grampad diagnose --replay press.evemu
      """)

  @OptionGroup var options: ConfigurationOptions
  @Option(help: "The device: a path, iio:NAME, or auto. Default: pad.device of the configuration.", completion: .device)
  var device: String?
  @Option(parsing: .unconditional, help: "Observe the pad for this many seconds.")
  var seconds = 10.0
  @Option(
    help: "Evaluate an evemu recording instead of the pad, from its first to its last event.", completion: .recording)
  var replay: String?
  @Flag(help: "Print a JSON object.")
  var json = false
  @OptionGroup var log: LogOptions

  /// The most seconds of a diagnosis: 600 s at 2 kHz are 29 MB.
  static let maximumSeconds = 600.0

  func validate() throws {
    if !(seconds >= 1 && seconds <= Self.maximumSeconds) {
      throw ValidationError("--seconds must be between 1 and \(Int(Self.maximumSeconds)).")
    }
    if replay != nil && device != nil { throw ValidationError("--replay and --device cannot be combined.") }
  }

  func run() throws {
    try failing {
      var configuration = try options.file()?.current ?? Configuration()
      if let device {
        configuration.pad.device =
          switch device {
          case "auto": .input(.automatic)
          case _ where device.hasPrefix("iio:"): .converter(String(device.dropFirst(4)))
          default: .input(.path(absolutePath(device, in: workingFolder())))
          }
      }
      let outcome = try observe(configuration)
      if let loss = outcome.loss {
        printMessage(.diagnoseLost, ["seconds": outcome.diagnosis.duration.seconds, "reason": loss])
      }
      let listing = DiagnosisListing(outcome, texts: .ofUser)
      try printAll(json ? listing.json : listing.text)
    }
  }

  private func observe(_ configuration: Configuration) throws -> PadSampler.Outcome {
    if let replay { return try PadObservation.evaluate(recording: replay, configuration) }
    let stop = Signal()
    let signals = SignalHandler([SIGINT, SIGTERM]) { _ in stop.raise() }
    defer { signals.cancel() }
    let bar = ProgressBar()
    defer { bar.clear() }
    return try PadObservation.observe(configuration, for: .seconds(seconds), until: stop, log) { count, time in
      bar.show(
        time.seconds / seconds,
        Texts.ofUser(Sentence(.diagnoseProgress, ["samples": count, "seconds": Int(time.seconds)])))
    }
  }
}

/// Observes the configured pad or a recording, with failures as exit codes.
enum PadObservation {
  /// Observes the configured pad.
  static func observe(
    _ configuration: Configuration, for duration: Interval, until stop: Signal, _ log: LogOptions,
    progress: (Int, Interval) -> Void = { _, _ in }
  ) throws -> PadSampler.Outcome {
    do {
      if configuration.pad.device != .simulated { try MeasurementSession.check(configuration.pad) }
      var sampler = PadSampler(settings: try configuration.scaleSettings())
      return try sampler.observe(
        try configuration.pad.source(logger: log.logger(default: .error)), for: duration, until: stop,
        progress: progress)
    } catch let error as EvdevError {
      var failure = Failure(error)
      if case .grabbed = error {
        failure.append(.padGrabbedDiagnose, ["stop": "systemctl stop grampad"])
      }
      throw failure
    } catch let error as PadSampler.SamplingError {
      throw Failure(.noInput, error.sentence)
    } catch let error as UnsuitablePadError {
      throw Failure(.noInput, .padCannotWeigh, ["reason": error.sentence])
    }
  }

  /// Evaluates a recording.
  static func evaluate(recording path: String, _ configuration: Configuration) throws -> PadSampler.Outcome {
    let recording = try readRecording(path)
    do {
      guard let pad = recording.description else { throw Failure(.badData, Sentence(.recordingNoDevice).about(path)) }
      guard let start = recording.events.first?.time, let end = recording.events.last?.time else {
        throw Failure(.badData, Sentence(.recordingNoEvents).about(path))
      }
      let settings = try configuration.scaleSettings()
      var events = try InputFrames(
        recordingOf: pad, axis: settings.axis, rotation: configuration.pad.rotation, buttons: [])
      var frames: [Frame] = []
      for event in recording.events {
        events.handle(event) { event in
          if case .frame(let frame) = event { frames.append(frame) }
        }
      }
      var sampler = PadSampler(settings: settings)
      return try sampler.evaluate(frames, of: pad, path: path, from: start, until: end)
    } catch let error as UnsuitablePadError {
      throw Failure(.badData, error.sentence.about(path))
    } catch let error as PadSampler.SamplingError {
      throw Failure(.badData, error.sentence.about(path))
    }
  }
}
