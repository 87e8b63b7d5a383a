extension Weigher {
  /// What to do about a rejected action; `nil` if the reason says it.
  func detail(of rejection: Rejection, _ parameters: ActionArguments) -> RejectionDetail? {
    switch (rejection, parameters) {
    case (.padMissing, _): return pad == nil ? nil : .loadCellNotCalibrated
    case (.belowMinimum, .count(.sample(let pieces, let spread))):
      guard let net = reading.highResolution, let uncertainty = reading.uncertainty else { return nil }
      let sample = PieceSample(
        net: net, uncertainty: uncertainty.without(commonUncertainty), pieces: pieces, spread: spread)
      return sample.advice(
        limit: max(settings.capacity - reading.tare.mass, net), isCalibrated: reading.calibration != .nominal)
    case (.badPayload, .container(.store)): return .tooManyContainers(maximum: Container.maximumStored)
    case (.unknownContainer, .container(.remove(let name))):
      return instruments.containers.tare(of: name) == nil ? nil : .containerIsConfigured
    default: return nil
    }
  }
}
