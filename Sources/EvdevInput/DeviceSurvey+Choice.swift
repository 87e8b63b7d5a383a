import Languages
import Weighing

/// Which device is used as the pad, and why.
package enum PadChoice: Hashable, Sendable {
  /// This device.
  case chosen(DeviceSurvey.Entry, because: Sentence)
  /// No device.
  case none(reason: Sentence)
}

extension DeviceSurvey {
  /// Selects the device that the configuration asks for; deterministic for a given survey.
  ///
  /// A device that measures force is preferred, and one that reports the area of a contact as pressure comes last
  /// (`PadMeasurement`). Among equal ones, a device whose driver reports counts per gram is preferred, then one that reports each
  /// contact separately (ABS_MT_PRESSURE), then the one with the larger range, then the lowest node. A doubtful
  /// device is used only if it is selected by path, name or number and no device without doubts matches. With automatic selection, a device
  /// selected by a udev rule precedes all others, even if it is doubtful.
  package func choose(_ selector: PadSelector) -> PadChoice {
    if let failure, entries.isEmpty { return .none(reason: failure.sentence) }
    let accepted = entries.filter(selector.accepts)
    let candidates = accepted.compactMap { PadRank($0, selector) }.sorted { $0 > $1 }
    guard let best = candidates.first else { return .none(reason: refusal(of: accepted, selector)) }
    guard let second = candidates.dropFirst().first else {
      return .chosen(best.entry, because: Sentence(selector == .automatic ? .choiceOnly : .choiceOnlyMatch))
    }
    return .chosen(best.entry, because: best.advantage(over: second))
  }

  private func refusal(of accepted: [Entry], _ selector: PadSelector) -> Sentence {
    if case .path = selector, let only = accepted.first, let reason = only.reason { return reason.about(only.path) }
    if selector != .automatic, let first = accepted.first, let reason = first.reason {
      return Sentence(.deviceCannotWeigh, ["reason": reason]).about(first.path)
    }
    if selector == .automatic, entries.isEmpty { return Sentence(.choiceNone) }
    let unreadable = entries.compactMap { entry in
      if case .unreadable(let error) = entry.finding { error } else { nil }
    }
    // The name of an unreadable device is unknown: it may be the one.
    return switch (selector, unreadable.first) {
    case (.automatic, nil): Sentence(.choiceNoneWeighs, ["count": entries.count])
    case (.automatic, let error?):
      Sentence(
        .choiceNoneWeighsUnreadable,
        ["count": entries.count, "unreadable": unreadable.count, "error": error.sentence])
    case (_, nil): Sentence(.choiceNotFound, ["device": selector])
    case (_, let error?):
      Sentence(
        .choiceNotFoundUnreadable, ["device": selector, "count": unreadable.count, "error": error.sentence])
    }
  }
}

/// The rank of a device; higher is better.
private struct PadRank: Comparable {
  let entry: DeviceSurvey.Entry
  private let axis: LoadAxis
  private let isAppointed: Bool
  private let isFaultless: Bool
  private let measurement: PadMeasurement
  private let node: Int

  /// Ranks a device; `nil` if it is not a candidate.
  init?(_ entry: DeviceSurvey.Entry, _ selector: PadSelector) {
    isAppointed = selector == .automatic && entry.isAppointed
    switch entry.finding {
    case .weighs(_, let axis):
      self.axis = axis
      isFaultless = true
    case .doubtful(_, let axis, _):
      guard isAppointed || selector != .automatic else { return nil }
      self.axis = axis
      isFaultless = false
    case .unsuitable, .unreadable:
      return nil
    }
    self.entry = entry
    measurement = entry.measurement ?? .unknown
    node = nodeNumber(entry.path) ?? .max
  }

  private var tellsContactsApart: Bool { axis.code == .multitouchPressure }

  static func < (a: PadRank, b: PadRank) -> Bool { a.key.lexicographicallyPrecedes(b.key) }
  static func == (a: PadRank, b: PadRank) -> Bool { a.key == b.key }

  private var key: [Int] {
    [
      isAppointed ? 1 : 0, isFaultless ? 1 : 0, quantityRank, axis.countsPerGram == nil ? 0 : 1,
      tellsContactsApart ? 1 : 0,
      axis.fullScale.counts, -node,
    ]
  }

  private var quantityRank: Int {
    switch measurement.quantity {
    case .force: 2
    case .unknown: 1
    case .area: 0
    }
  }

  /// The first criterion in which it beats another.
  func advantage(over other: PadRank) -> Sentence {
    if isAppointed != other.isAppointed { return Sentence(.choiceRule) }
    if isFaultless != other.isFaultless {
      return Sentence(
        .choiceDoubtful, ["path": other.entry.path, "reason": other.entry.reason ?? .verbatim("")])
    }
    if quantityRank != other.quantityRank, axis.countsPerGram == nil || other.axis.countsPerGram != nil {
      return measurement.quantity == .force
        ? Sentence(.choiceForce, ["reason": measurement.reason ?? .verbatim("")])
        : Sentence(.choiceNotArea, ["path": other.entry.path])
    }
    if let counts = axis.countsPerGram, other.axis.countsPerGram == nil {
      return entry.description?.isBalanceBoard == true
        ? Sentence(.choiceBalanceBoard) : Sentence(.choiceResolution, ["counts": Int(counts)])
    }
    if tellsContactsApart != other.tellsContactsApart { return Sentence(.choiceContacts) }
    if axis.fullScale != other.axis.fullScale {
      return Sentence(
        .choiceRange, ["counts": axis.fullScale.counts, "other": other.axis.fullScale.counts])
    }
    return Sentence(.choiceLowest)
  }
}

/// The number at the end of the path of a node: 12 for `/dev/input/event12`.
func nodeNumber(_ path: String) -> Int? {
  let digits = path.reversed().prefix { $0.isASCII && $0.isNumber }
  return Int(String(digits.reversed()))
}
