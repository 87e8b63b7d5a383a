import CEvdev
import Glibc

/// A request of the kernel to upload or erase a force feedback effect, see linux/uinput.h.
///
/// The program that uses the effect waits in the kernel for the answer.
struct ShakeRequest {
  /// EV_UINPUT
  static let type: Int32 = 0x0101
  /// UI_FF_UPLOAD; the other is UI_FF_ERASE.
  private static let upload: UInt16 = 1
  /// UI_BEGIN_FF_UPLOAD, UI_END_FF_UPLOAD, UI_BEGIN_FF_ERASE and UI_END_FF_ERASE, macros that Swift does not import.
  private static let beginUpload: UInt = 0xc068_55c8
  private static let endUpload: UInt = 0x4068_55c9
  private static let beginErase: UInt = 0xc00c_55ca
  private static let endErase: UInt = 0x400c_55cb
  /// The sizes of `struct uinput_ff_upload` and `struct uinput_ff_erase`; both begin with the request's number.
  private static let uploadSize = 104
  private static let eraseSize = 12

  private let event: input_event
  private let descriptor: Int32

  init(_ event: input_event, _ descriptor: Int32) {
    self.event = event
    self.descriptor = descriptor
  }

  /// Accepts the request and returns `learned=NUMBER:STRONG/WEAK/MILLISECONDS` or `forgot=NUMBER`.
  func answer() throws(PadError) -> String {
    let isUpload = event.code == Self.upload
    var bytes = [UInt8](repeating: 0, count: isUpload ? Self.uploadSize : Self.eraseSize)
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: UInt32(bitPattern: event.value), as: UInt32.self) }
    try call(isUpload ? Self.beginUpload : Self.beginErase, &bytes)
    let words = bytes.withUnsafeBytes { bytes in
      guard isUpload else { return "forgot=\(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))" }
      let effect = bytes.loadUnaligned(fromByteOffset: 8, as: ff_effect.self)
      let rumble = effect.u.rumble
      return "learned=\(effect.id):\(rumble.strong_magnitude)/\(rumble.weak_magnitude)/\(effect.replay.length)"
    }
    try call(isUpload ? Self.endUpload : Self.endErase, &bytes)
    return words
  }

  private func call(_ request: UInt, _ bytes: inout [UInt8]) throws(PadError) {
    let result = bytes.withUnsafeMutableBytes { bytes in
      // Not nil, because the array is not empty.
      bytes.baseAddress.map { ioctl(descriptor, request, $0) } ?? -1
    }
    guard result >= 0 else { throw PadError("answering a shake", code: errno) }
  }
}
