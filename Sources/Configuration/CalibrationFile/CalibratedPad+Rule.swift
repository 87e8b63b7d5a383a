import Languages
import Weighing

extension ValueRule<CalibratedPad> {
  /// The pad of a calibration.
  static var calibratedPad: Self {
    let expected = Sentence(.acceptsMapping, ["form": "{name: ..., vendor: ..., product: ..., axis: ...}"])
    let (identity, end) = (ValueRule<UInt16>.identity, ValueRule<Int32>.axisEnd)
    let (name, axis) = (ValueRule<String>.text(maximumBytes: 256), ValueRule<AxisChoice>.axisChoice)
    return ValueRule(
      expected,
      schema: .objectSchema(
        [
          "name": name.schema().described("Its name."), "bus": identity.schema().described("Its bus."),
          "vendor": identity.schema().described("Its vendor."), "product": identity.schema().described("Its product."),
          "version": identity.schema().described("Its version."),
          "unique": name.schema().described("Its serial number."), "axis": axis.schema(),
          "minimum": end.schema().described("The lower end of the axis."),
          "maximum": end.schema().described("The upper end of the axis."),
        ],
        required: []),
      output: { pad in
        .record([
          "name": pad.name.isEmpty ? nil : .text(pad.name), "bus": .hexadecimal(pad.id.bus),
          "vendor": .hexadecimal(pad.id.vendor), "product": .hexadecimal(pad.id.product),
          "version": .hexadecimal(pad.id.version), "unique": pad.unique.isEmpty ? nil : .text(pad.unique),
          "axis": .axes(pad.axes), "minimum": .integer(Int(pad.minimum)), "maximum": .integer(Int(pad.maximum)),
        ])
      }
    ) { node, reporter in
      var pad = CalibratedPad(
        name: "", id: PadIdentity(), unique: "", axes: [.multitouchPressure], minimum: 0, maximum: 0)
      var choice = AxisChoice.automatic
      var item = SectionReader(item: node, expected, reporter)
      item.read("name", name, into: &pad.name)
      item.read("bus", identity, into: &pad.id.bus)
      item.read("vendor", identity, into: &pad.id.vendor)
      item.read("product", identity, into: &pad.id.product)
      item.read("version", identity, into: &pad.id.version)
      item.read("unique", name, into: &pad.unique)
      item.read("axis", axis, into: &choice)
      item.read("minimum", end, into: &pad.minimum)
      item.read("maximum", end, into: &pad.maximum)
      switch choice {
      case .automatic: break
      case .named(let code): pad.axes = [code]
      case .sum(let codes): pad.axes = codes
      }
      return item.finish() ? pad : nil
    }
  }
}

extension CalibratedPad {
  /// For the documentation.
  static let example = CalibratedPad(
    name: "Sensel Morph", id: PadIdentity(bus: 3, vendor: 0x2c2f, product: 4, version: 0x0111), unique: "",
    axes: [.multitouchPressure], minimum: 0, maximum: 1000)
}

extension ValueRule<UInt16> {
  fileprivate static var identity: Self { ValueRule<Int>.integer(0...0xffff).map({ UInt16($0) }, { Int($0) }) }
}

extension ValueRule<Int32> {
  fileprivate static var axisEnd: Self {
    ValueRule<Int>.integer(Int(Int32.min)...Int(Int32.max)).map({ Int32($0) }, { Int($0) })
  }
}
