import EvdevInput
import IIOInput
import Languages
import Linux
import Messages
import Weighing

/// The devices that can be chosen as the pad in the set-up: those that `grampad devices` lists.
enum PadList {
  /// Lists them: `[{"pad", "name", "can_weigh", "reason"}, ...]`. `pad` is the answer that selects the device; `reason` is why it cannot
  /// weigh or is not selected automatically, as the three fields of a sentence, or `null`.
  static func json() -> [UInt8] {
    JSONWriter.array { json in
      for entry in DeviceSurvey.scan(known: KnownPad.all).entries {
        let name = entry.description.flatMap { $0.name.isEmpty ? nil : $0.name } ?? entry.path
        add(name, as: name, entry.axis != nil, entry.reason, &json)
      }
      for entry in ConverterSurvey.scan().entries {
        let name = entry.names.first ?? entry.node
        add(name, as: "iio:" + name, !entry.channels.isEmpty, entry.automaticUnsuitability("voltage0")?.sentence, &json)
      }
    }
  }

  private static func add(
    _ name: String, as pad: String, _ canWeigh: Bool, _ reason: Sentence?, _ json: inout JSONWriter
  ) {
    json.object { json in
      json.fields(("pad", pad), ("name", printable(name)), ("can_weigh", canWeigh))
      json.sentence("reason", or: reason)
    }
  }
}
