import Weighing

@testable import Messages

/// What xkeyboard-config 2.35.1 says of the layouts: for each character the keys and modifiers that type it.
///
/// Made with `xkbcli how-to-type --layout LAYOUT CODEPOINT` (libxkbcommon 1.5.0) for U+0021...007E, U+00A1...00FF and
/// U+20AC, without the lines that need Caps Lock or another modifier than Shift (`s`) and AltGr (`a`):
/// `CODEPOINT:KEY[s][a]`, with the key's number of linux/input-event-codes.h (8 less than that of XKB).
enum XKBTable {
  /// The presses of each character that a layout has.
  static func strokes(_ layout: KeyboardLayout) -> [Character: Set<KeyStroke>] {
    let text =
      switch layout {
      case .us: us
      case .de: de
      case .fr: fr
      }
    var strokes: [Character: Set<KeyStroke>] = [:]
    for entry in text.split(whereSeparator: \.isWhitespace) {
      let parts = entry.split(separator: ":")
      guard let code = UInt32(parts[0], radix: 16), let scalar = Unicode.Scalar(code),
        let key = UInt16(parts[1].filter(\.isNumber))
      else { fatalError("an entry of the table is damaged: \(entry)") }
      var modifiers: KeyStroke.Modifiers = []
      if parts[1].contains("s") { modifiers.insert(.shift) }
      if parts[1].contains("a") { modifiers.insert(.altGr) }
      strokes[Character(scalar), default: []].insert(KeyStroke(key: KeyCode(rawValue: key), modifiers: modifiers))
    }
    return strokes
  }

  private static let us = """
    0021:2s 0022:40s 0023:4s 0024:434 0024:5s 0025:6s 0026:8s 0027:40 0028:10s 0028:179 0029:11s 0029:180 002A:9s
    002B:13s 002C:51 002D:12 002E:52 002F:53 0030:11 0031:2 0032:3 0033:4 0034:5 0035:6 0036:7 0037:8 0038:9
    0039:10 003A:39s 003B:39 003C:51s 003C:86 003D:13 003E:52s 003E:86s 003F:53s 0040:3s 0041:30s 0042:48s
    0043:46s 0044:32s 0045:18s 0046:33s 0047:34s 0048:35s 0049:23s 004A:36s 004B:37s 004C:38s 004D:50s 004E:49s
    004F:24s 0050:25s 0051:16s 0052:19s 0053:31s 0054:20s 0055:22s 0056:47s 0057:17s 0058:45s 0059:21s 005A:44s
    005B:26 005C:43 005D:27 005E:7s 005F:12s 0060:41 0061:30 0062:48 0063:46 0064:32 0065:18 0066:33 0067:34
    0068:35 0069:23 006A:36 006B:37 006C:38 006D:50 006E:49 006F:24 0070:25 0071:16 0072:19 0073:31 0074:20
    0075:22 0076:47 0077:17 0078:45 0079:21 007A:44 007B:26s 007C:43s 007C:86a 007D:27s 007E:41s 00A6:86sa
    00B1:118 20AC:435
    """

  private static let de = """
    0021:2s 0022:3s 0023:43 0024:434 0024:5s 0025:6s 0026:37sa 0026:7s 0027:43s 0028:179 0028:9s 0029:10s 0029:180
    002A:27s 002B:27 002C:51 002D:53 002E:52 002F:8s 0030:11 0031:2 0032:3 0033:4 0034:5 0035:6 0036:7 0037:8
    0038:9 0039:10 003A:52s 003B:51s 003C:86 003D:11s 003E:86s 003F:12s 0040:16a 0041:30s 0042:48s 0043:46s
    0044:32s 0045:18s 0046:33s 0047:34s 0048:35s 0049:23s 004A:36s 004B:37s 004C:38s 004D:50s 004E:49s 004F:24s
    0050:25s 0051:16s 0052:19s 0053:31s 0054:20s 0055:22s 0056:47s 0057:17s 0058:45s 0059:44s 005A:21s 005B:9a
    005C:12a 005D:10a 005F:53s 0061:30 0062:48 0063:46 0064:32 0065:18 0066:33 0067:34 0068:35 0069:23 006A:36
    006B:37 006C:38 006D:50 006E:49 006F:24 0070:25 0071:16 0072:19 0073:31 0074:20 0075:22 0076:47 0077:17
    0078:45 0079:44 007A:21 007B:8a 007C:86a 007D:11a 007E:27a 00A1:2sa 00A2:46a 00A3:4sa 00A4:5sa 00A5:21sa
    00A7:17sa 00A7:4s 00A9:46sa 00AA:33sa 00AB:45a 00AC:7a 00AE:19sa 00AF:27sa 00B0:11sa 00B0:41s 00B1:10sa
    00B1:118 00B2:3a 00B3:4a 00B5:50a 00B6:19a 00B7:51a 00B9:2a 00BA:50sa 00BB:44a 00BC:5a 00BD:6a 00BF:12sa
    00C4:40s 00C6:30sa 00D0:32sa 00D6:39s 00D7:51sa 00D8:24sa 00DC:26s 00DE:25sa 00DF:12 00E4:40 00E6:30a 00F0:32a
    00F6:39 00F7:52sa 00F8:24a 00FC:26 00FE:25a 20AC:18a 20AC:18sa 20AC:435
    """

  private static let fr = """
    0021:53 0022:4 0023:4a 0024:27 0024:434 0024:5sa 0025:40s 0026:2 0026:37sa 0027:5 0028:179 0028:6 0029:12
    0029:180 002A:43 002B:13s 002C:50 002D:7 002E:51s 002F:52s 0030:11s 0031:2s 0032:3s 0033:4s 0034:5s 0035:6s
    0036:7s 0037:8s 0038:9s 0039:10s 003A:52 003B:51 003C:17sa 003C:86 003D:13 003E:45sa 003E:86s 003F:50s
    0040:11a 0040:30a 0041:16s 0042:48s 0043:46s 0044:32s 0045:18s 0046:33s 0047:34s 0048:35s 0049:23s 004A:36s
    004B:37s 004C:38s 004D:39s 004E:49s 004F:24s 0050:25s 0051:30s 0052:19s 0053:31s 0054:20s 0055:22s 0056:47s
    0057:44s 0058:45s 0059:21s 005A:17s 005B:6a 005C:9a 005D:12a 005E:10a 005F:9 0060:8a 0061:16 0062:48 0063:46
    0064:32 0065:18 0066:33 0067:34 0068:35 0069:23 006A:36 006B:37 006C:38 006D:39 006E:49 006F:24 0070:25
    0071:30 0072:19 0073:31 0074:20 0075:22 0076:47 0077:44 0078:45 0079:21 007A:17 007B:5a 007C:7a 007C:86a
    007D:13a 007E:3a 007E:41s 00A1:2sa 00A2:18sa 00A2:46a 00A3:27s 00A3:4sa 00A4:27a 00A5:21sa 00A6:86sa 00A7:53s
    00A9:46sa 00AA:33sa 00AB:17a 00AC:41a 00AC:41sa 00AE:19sa 00B0:11sa 00B0:12s 00B1:10sa 00B1:118 00B2:41
    00B5:39a 00B5:43s 00B6:19a 00B7:52a 00B9:2a 00BA:39sa 00BB:45a 00BF:12sa 00C6:16sa 00D0:32sa 00D7:51sa
    00D8:24sa 00DE:25sa 00DF:31a 00E0:11 00E6:16a 00E7:10 00E8:8 00E9:3 00F0:32a 00F7:52sa 00F8:24a 00F9:40
    00FE:25a 20AC:18a 20AC:435
    """
}
