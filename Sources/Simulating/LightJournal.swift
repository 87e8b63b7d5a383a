import Recordings
import Weighing

/// The records of a light device, in memory: four bytes each, because all but the time follows from device and sequence.
///
/// It has the semantics of the journal of an appliance: sequence numbers without gaps, records that stay due until the
/// broker has acknowledged them, and any range again for `command/resend`. It does not survive the process.
struct LightJournal {
  /// What all journals of a fleet share.
  struct Origin: Hashable, Sendable {
    /// Makes the masses, the identifiers and the losses.
    let seed: UInt64
    /// When the fleet started, since 1970 in UTC.
    let start: Instant
    /// The share of records that are never sent unless they are asked for, 0 to 1.
    let lostShare: Double
  }

  private let device: UInt64
  private let origin: Origin
  /// When each record was made, in milliseconds since the start of the fleet.
  private var times: [UInt32] = []
  /// The records that no broker has acknowledged, ascending.
  private var outbox: [Int] = []
  /// The records that were left out of the outbox.
  private(set) var lost: Set<Int> = []
  /// Records of the outbox up to this sequence were sent on this connection.
  private var sentThrough = 0

  init(device: Int, _ origin: Origin) {
    self.device = UInt64(device)
    self.origin = origin
  }

  /// The highest sequence number; 0 if there is none.
  var sequence: Int { times.count }
  /// Number of records that no broker has acknowledged, without the lost ones.
  var waiting: Int { outbox.count }
  /// Whether the outbox has records that were not sent on this connection.
  var hasUnsent: Bool { outbox.last ?? 0 > sentThrough }

  /// Makes a record.
  mutating func append(at time: Instant) {
    times.append(UInt32(clamping: (time - origin.start).nanoseconds / 1_000_000))
    var random = generator(of: sequence)
    if random.unit() < origin.lostShare {
      lost.insert(sequence)
    } else {
      outbox.append(sequence)
    }
  }

  /// A new connection: all of the outbox is sent again.
  mutating func connect() { sentThrough = 0 }

  /// Takes the oldest records of the outbox that were not sent on this connection.
  mutating func takeUnsent(_ count: Int) -> [Int] {
    // Few are in flight, and they are in front.
    let first = outbox.firstIndex { $0 > sentThrough } ?? outbox.endIndex
    let next = Array(outbox[first...].prefix(count))
    sentThrough = next.last ?? sentThrough
    return next
  }

  /// The broker has acknowledged a record; returns whether it is the first time.
  mutating func acknowledge(_ sequence: Int) -> Bool {
    if let index = outbox.firstIndex(of: sequence) {
      outbox.remove(at: index)
      return true
    }
    return lost.remove(sequence) != nil
  }

  /// A record: 0.1 g to 2 kg, some with a label.
  ///
  /// - Parameter sequence: 1 to `self.sequence`.
  func record(_ sequence: Int) -> RecordedWeighing {
    let time = origin.start + .milliseconds(Int(times[sequence - 1]))
    var random = generator(of: sequence)
    // The first number decides whether it is lost.
    _ = random.next()
    let net = DisplayedMass(steps: Int(random.next() % 20_000) + 1, division: Self.division)
    let label = Self.labels[Int(random.next() % UInt64(Self.labels.count))]
    return RecordedWeighing(
      id: WeighingID(time: time, randomness: (random.next(), random.next())), sequence: sequence, time: time,
      measurement: Measurement(
        gross: net, tare: DisplayedMass(steps: 0, division: Self.division), net: net, uncertainty: Grams(0.05),
        calibration: .user),
      label: label, source: .pad, calibrationCounter: 1, configurationHash: "5160a7e0", voids: nil, clock: .synchronised
    )
  }

  private static let division = Division(Grams(0.1)) ?? .gram
  private static let labels: [String?] = [nil, "flour", "beans", "rye"]

  private func generator(of sequence: Int) -> SplitMix64 {
    // Device and sequence in separate halves, so that no two records have the same numbers.
    var random = SplitMix64(seed: origin.seed ^ device << 32 ^ UInt64(sequence))
    return SplitMix64(seed: random.next())
  }
}
