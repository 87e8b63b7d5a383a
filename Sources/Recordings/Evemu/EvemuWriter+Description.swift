public import Weighing

extension EvemuWriter {
  /// Appends the header of a device in the format of `evemu-describe`.
  ///
  /// - Parameter remarks: Further comment lines, such as `Kernel: 6.1.0`.
  public func append(_ pad: PadDescription, remarks: [String] = [], to text: inout [UInt8]) {
    let name = Self.oneLine(pad.name)
    text.append("# EVEMU 1.3\n")
    for remark in remarks { text.append("# \(Self.oneLine(remark))\n") }
    text.append("# Input device name: \"\(name)\"\n# Input device ID: bus ")
    text.append(prefixed: pad.id.bus)
    text.append(" vendor ")
    text.append(prefixed: pad.id.vendor)
    text.append(" product ")
    text.append(prefixed: pad.id.product)
    text.append(" version ")
    text.append(prefixed: pad.id.version)
    text.append("\n")
    appendSize(of: pad, to: &text)
    appendEvents(of: pad, to: &text)
    text.append("N: \(name)\nI:")
    for number in [pad.id.bus, pad.id.vendor, pad.id.product, pad.id.version] {
      text.append(UInt8(ascii: " "))
      text.append(hexadecimal: number, width: 4)
    }
    text.append("\n")
    Self.append(mask: pad.properties, byteCount: 8, head: "P:", to: &text)
    text.append("B: 00 0b 00 00 00 00 00 00 00\n")
    for type in 1..<DescriptionBuilder.types {
      var head: [UInt8] = Array("B: ".utf8)
      head.append(hexadecimal: type, width: 2)
      let codes = Self.codes(of: EventType(rawValue: type), in: pad)
      Self.append(mask: codes, byteCount: Self.bytes(of: type), head: String(decoding: head, as: UTF8.self), to: &text)
    }
    for (code, range) in Self.axes(of: pad) {
      text.append("A: ")
      text.append(hexadecimal: code.rawValue, width: 2)
      for number in [range.minimum, range.maximum, range.fuzz, range.flat, range.resolution] {
        text.append(UInt8(ascii: " "))
        text.append(decimal: Int64(number))
      }
      text.append("\n")
    }
  }

  private func appendSize(of pad: PadDescription, to text: inout [UInt8]) {
    func millimetres(_ code: AxisCode) -> Int64 {
      guard let range = pad.axes[code], range.resolution != 0 else { return 0 }
      return (Int64(range.maximum) - Int64(range.minimum)) / Int64(range.resolution)
    }
    let (width, height) = (millimetres(.x), millimetres(.y))
    if width != 0 && height != 0 { text.append("# Size in mm: \(width)x\(height)\n") }
  }

  private func appendEvents(of pad: PadDescription, to text: inout [UInt8]) {
    text.append("# Supported events:\n")
    for type in 0..<DescriptionBuilder.types {
      let type = EventType(rawValue: type)
      let codes = type == .synchronization ? [0, 1, 3] : Self.codes(of: type, in: pad).sorted()
      guard !codes.isEmpty else { continue }
      text.append("#   Event type \(type.rawValue) (\(EvemuNames.type(type)))\n")
      for code in codes {
        text.append("#     Event code \(code) (\(EvemuNames.code(code, of: type)))\n")
        guard type == .absolute, let range = pad.axes[AxisCode(rawValue: code)] else { continue }
        let lines = [
          ("Value  ", 0), ("Min    ", range.minimum), ("Max    ", range.maximum), ("Fuzz   ", range.fuzz),
          ("Flat   ", range.flat),
        ]
        for (what, number) in lines {
          text.append("#       \(what) ")
          text.append(decimal: Int64(number), width: 6)
          text.append("\n")
        }
        text.append("#       Resolution ")
        text.append(decimal: Int64(range.resolution), width: 3)
        text.append("\n")
      }
    }
    text.append("# Properties:\n")
    for code in pad.properties.sorted() where code < DescriptionBuilder.maximumCodes {
      text.append("#   Property  type \(code) (\(EvemuNames.property(code)))\n")
    }
  }

  /// The number of bytes of codes that evemu writes for a type although no code is set, from the counts in
  /// linux/input-event-codes.h, in whole lines; 0 for a type that it omits then.
  private static func bytes(of type: UInt16) -> Int {
    switch type {
    case 0x01: 96
    case 0x02, 0x03, 0x04, 0x05, 0x11, 0x12, 0x14: 8
    case 0x15: 16
    default: 0
    }
  }

  private static func codes(of type: EventType, in pad: PadDescription) -> Set<UInt16> {
    var codes = pad.otherCodes[type] ?? []
    if type == .key { codes = Set(pad.keys.map(\.rawValue)) }
    if type == .absolute { codes = Set(axes(of: pad).map(\.key.rawValue)) }
    return codes.filter { $0 < DescriptionBuilder.maximumCodes }
  }

  private static func axes(of pad: PadDescription) -> [(key: AxisCode, value: AxisRange)] {
    pad.axes.filter { $0.key.rawValue < DescriptionBuilder.maximumAxes }.sorted { $0.key < $1.key }
  }

  private static func append(mask codes: Set<UInt16>, byteCount: Int, head: String, to text: inout [UInt8]) {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    for code in codes where code < DescriptionBuilder.maximumCodes {
      while bytes.count <= Int(code) / 8 { bytes.append(contentsOf: repeatElement(0, count: 8)) }
      bytes[Int(code) / 8] |= 1 << UInt8(code % 8)
    }
    for start in stride(from: 0, to: bytes.count, by: 8) {
      text.append(head)
      for byte in bytes[start..<start + 8] {
        text.append(UInt8(ascii: " "))
        text.append(hexadecimal: UInt16(byte), width: 2)
      }
      text.append("\n")
    }
  }

  private static func oneLine(_ name: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      let blank = scalar.value < 0x20 || scalar.value == 0x7f || scalar == " "
      if !(blank && scalars.isEmpty) { scalars.append(blank ? " " : scalar) }
    }
    return String(scalars)
  }
}
