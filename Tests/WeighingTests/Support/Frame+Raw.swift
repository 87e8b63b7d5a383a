import Weighing

extension Frame {
  /// The counts of all contacts together.
  var raw: RawForce { contacts.reduce(.zero) { $0 + $1.raw } }
}
