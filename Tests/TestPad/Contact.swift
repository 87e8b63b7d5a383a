/// One touch on the pad, in the units of its axes.
struct Contact: Equatable {
  var slot: Int32
  var x: Int32
  var y: Int32
  var pressure: Int32

  init(slot: Int32, x: Int32, y: Int32, pressure: Int32) {
    self.slot = slot
    self.x = x
    self.y = y
    self.pressure = pressure
  }

  /// Reads `SLOT:X,Y,PRESSURE`.
  init(_ text: String) throws(PadError) {
    let numbers = text.split { $0 == ":" || $0 == "," }.compactMap { Int32($0) }
    guard numbers.count == 4 else { throw PadError("`\(text)` is no contact; write SLOT:X,Y,PRESSURE") }
    self.init(slot: numbers[0], x: numbers[1], y: numbers[2], pressure: numbers[3])
  }

  /// Returns the contact after `step` of `count` steps on a straight line to `end`.
  func moved(to end: Contact, step: Int, of count: Int) -> Contact {
    func between(_ from: Int32, _ to: Int32) -> Int32 {
      from + Int32((Double(to - from) * Double(step) / Double(count)).rounded())
    }
    return Contact(
      slot: slot, x: between(x, end.x), y: between(y, end.y), pressure: between(pressure, end.pressure))
  }
}
