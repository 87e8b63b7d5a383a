extension Frame {
  /// The load: raw summed over the contacts for which `weighs` holds.
  @inlinable
  public func raw(where weighs: (Contact) -> Bool = { _ in true }) -> RawForce {
    var sum = RawForce.zero
    for contact in contacts where weighs(contact) { sum = sum + contact.raw }
    return sum
  }
}
