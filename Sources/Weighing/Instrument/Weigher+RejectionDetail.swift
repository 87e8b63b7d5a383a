extension Weigher {
  /// The limit that a request has hit.
  ///
  /// - Parameter entry: The request as it was resolved; `nil` for one that is no longer queued.
  func detail(of rejection: Rejection, _ request: ActionRequest, _ entry: QueuedRequest? = nil) -> RejectionDetail {
    switch rejection {
    case .unstable: .notAtRest(within: settings.confirm.settle)
    case .overload: .overload(capacity: settings.scale.capacity)
    case .empty:
      if entry?.action == .count, gross.map({ $0 > .zero }) ?? false {
        .netNotPositive
      } else {
        gross == nil || entry?.action == .dose ? .nothingOnPad : .grossNotPositive
      }
    case .belowMinimum: massTooSmall(entry)
    case .padMissing: pad == nil ? .noPad : meter.isFrozen ? .noSignal : .loadCellNotCalibrated
    case .noTare: .noTare
    case .nothingToVoid:
      switch request.reference {
      case .last, .unknown: .nothingToVoid
      case .id, .sequence: .alreadyVoided(request.reference)
      }
    case .unknownWeighing: .unknownWeighing(request.reference)
    case .unknownContainer: unknownContainer(entry?.parameters ?? request.parameters)
    case .journalUnavailable: .journalUnavailable
    case .unknownAction: .unknownAction(request.name, known: Action.allCases.map(\.rawValue))
    case .badPayload: invalidParameter(entry)
    case .expired: .expired
    case .unknownOutput:
      if case .dose(.start(let dose))? = entry?.parameters {
        .unknownOutput(dose.output, known: settings.outputs.map(\.name))
      } else {
        .parameter(ActionArgumentError("output", .missing))
      }
    case .atTarget: .atTarget
    case .brokerUnavailable: .brokerUnavailable
    case .busy: .doseUnderWay
    }
  }

  private func massTooSmall(_ entry: QueuedRequest?) -> RejectionDetail {
    if case .count(.sample(let pieces, let spread))? = entry?.parameters, let net = reading.highResolution,
      let uncertainty = reading.uncertainty
    {
      let sample = PieceSample(
        net: net, uncertainty: uncertainty.without(commonUncertainty), pieces: pieces, spread: spread)
      return sample.advice(
        limit: max(settings.scale.capacity - reading.tare.mass, net), isCalibrated: reading.calibration != .nominal)
    }
    return reading.isUnderloaded
      ? .belowZero(ReadingComposer.lowestGross(minimum: settings.scale.minimum, division: settings.scale.division))
      : .belowMinimum(settings.scale.minimum)
  }

  private func unknownContainer(_ parameters: ActionArguments) -> RejectionDetail {
    func unknown(_ name: ContainerName) -> RejectionDetail {
      .unknownContainer(name, known: instruments.containers.containers.map(\.name))
    }
    return switch parameters {
    case .tare(.container(let name)): unknown(name)
    case .container(.remove(let name)):
      instruments.containers.tare(of: name) == nil ? unknown(name) : .containerIsConfigured
    case .none, .tare(.mass), .container(.store), .timer, .target, .count, .dose:
      .parameter(ActionArgumentError("container", .missing))
    }
  }

  private func invalidParameter(_ entry: QueuedRequest?) -> RejectionDetail {
    func aboveCapacity(_ parameter: String) -> RejectionDetail {
      .aboveCapacity(parameter: parameter, settings.scale.capacity)
    }
    if let target = entry?.target, target.mass > settings.scale.capacity { return aboveCapacity("target_g") }
    switch entry?.parameters ?? .none {
    case .tare: return aboveCapacity("tare_g")
    case .target, .dose: return aboveCapacity("target_g")
    case .count: return aboveCapacity("piece_g")
    case .container: return .tooManyContainers(maximum: Container.maximumStored)
    case .none, .timer: return .parameter(ActionArgumentError(entry?.action.requiredParameter ?? "label", .missing))
    }
  }
}

extension Action {
  /// The parameter without which the action cannot be performed.
  fileprivate var requiredParameter: String {
    switch self {
    case .timer: "do"
    case .container: "name"
    case .tare, .clearTare, .zero, .commit, .void, .relabel, .target, .count, .dose: "label"
    }
  }
}
