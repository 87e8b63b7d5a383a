import Weighing

extension PadInput: PadSource {
  package var descriptor: Int32? { fileDescriptor }
  package var nextDeadline: Instant? { nil }

  package func process(at now: Instant, _ body: (PadEvent) -> Void) { process(body) }
}
