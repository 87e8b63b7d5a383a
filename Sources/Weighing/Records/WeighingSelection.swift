/// Which weighings of a journal to show; without any condition, all of them.
package struct WeighingSelection: Hashable, Sendable {
  /// Only records of this time since 1970 in UTC and later.
  package var from: Instant?
  /// Only records before this time since 1970 in UTC.
  package var until: Instant?
  /// The label as amended; empty for weighings without a label.
  package var label: String?
  /// A part of the label as amended, in upper or lower case.
  package var text: String?
  /// Whether the weighing is voided. The record that voids it belongs to it.
  package var isVoided: Bool?

  /// Makes a selection.
  package init(
    from: Instant? = nil, until: Instant? = nil, label: String? = nil, text: String? = nil, isVoided: Bool? = nil
  ) {
    (self.from, self.until) = (from, until)
    (self.label, self.text, self.isVoided) = (label, text, isVoided)
  }

  /// Whether there is a condition for the label.
  package var dependsOnLabel: Bool { label != nil || text != nil }

  /// Whether a label, as amended, fulfils the conditions for it.
  package func includes(label other: String?) -> Bool {
    if let label, other ?? "" != label { return false }
    guard let text else { return true }
    return text.isEmpty || (other ?? "").lowercased().contains(text.lowercased())
  }
}
