import Languages
import Messages
import Weighing

/// The question before a void at a terminal, and the weighing that it is about.
package struct VoidQuestion: Hashable, Sendable {
  /// The weighing that the question names: one that is recorded before the answer is not voided.
  package let reference: WeighingReference
  /// `Void weighing #12 (73 g, rye)?`
  package let text: Sentence

  /// Makes a question.
  ///
  /// - Parameters:
  ///   - reference: The weighing that the user has named.
  ///   - last: The newest weighing that is not voided: the payload of `weighing/last`; `nil` without one.
  ///   - display: How the configuration displays masses.
  package init(_ reference: WeighingReference, last: [UInt8]?, display: DisplayUnit) {
    let json = last.flatMap { try? JSONValue($0, maximumBytes: 1 << 16) } ?? .null
    let id = json["id"]?.text.flatMap { WeighingID($0) }
    let number = json["sequence"]?.number.flatMap { Int(exactly: $0) }
    guard let id, let number, [.last, .id(id), .sequence(number)].contains(reference) else {
      self.reference = reference
      text =
        switch reference {
        case .last, .unknown: Sentence(.askVoidLast)
        case .id(let id): Sentence(.askVoidNumber, ["number": id])
        case .sequence(let number): Sentence(.askVoidNumber, ["number": "#\(number)"])
        }
      return
    }
    self.reference = .id(id)
    let label = json["label"]?.text.map { ", " + $0 } ?? ""
    let mass = TerminalUnit(display).text(json["net_g"]?.number)
    text = Sentence(.askVoid, ["number": "#\(number)", "weighing": mass + label])
  }
}
