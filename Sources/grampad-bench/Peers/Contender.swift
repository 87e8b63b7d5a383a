import Weighing

/// One sample of a pad, as every contender sees it.
///
/// evdev drops repeated values; the peers, which know nothing of that, are given each sample all the same.
struct PadSample {
  /// When the pad took it.
  var time: Instant
  /// What the calibration makes of its counts, in grams; 0 while nothing presses.
  var grams: Double
  /// What evdev reports of it: nothing when the counts are those of the sample before.
  var events: ArraySlice<InputEvent>
}

/// A way from samples to a reading.
protocol Contender {
  /// Who it is.
  var name: ContenderName { get }
  /// Something was put on the empty pad: forget what was.
  mutating func restart()
  /// Takes the next sample of the pad.
  mutating func take(_ sample: PadSample)
  /// What it would show now, unrounded, in grams.
  var level: Double { get }
  /// What it calls settled; `nil` where its description has no such thing.
  var criterion: StabilityCriterion? { get }
  /// Since when it has called the load settled; `nil` while it does not.
  var stableSince: Instant? { get }
  /// What it displays, rounded; `nil` where its description says nothing of that.
  var displayed: Double? { get }
}

extension Contender {
  var criterion: StabilityCriterion? { nil }
  var stableSince: Instant? { nil }
  var displayed: Double? { nil }
}

/// Motion below a limit for a time.
struct StabilityCriterion: Sendable {
  var limit: Double
  var time: Interval
}

/// Everyone who is measured, in the order of the tables.
enum ContenderName: String, CaseIterable, Sendable {
  case grampad
  case trackWeight = "trackweight"
  case hx711
  case espHome = "esphome"
  case kalman
  case oneEuro = "one_euro"
  case alphaBeta = "alpha_beta"
  case tunedKalman = "kalman_tuned"
  case tunedOneEuro = "one_euro_tuned"
  case tunedAlphaBeta = "alpha_beta_tuned"
  /// Not a peer: a real filter cannot know when the load came to rest.
  case bound

  /// All filters that Grampad is compared with.
  static let peers = published + tuned
  /// Peers with their published parameters.
  static let published: [ContenderName] = [.trackWeight, .hx711, .espHome, .kalman, .oneEuro, .alphaBeta]
  /// Peers with parameters tuned to these loads and the pad.
  static let tuned: [ContenderName] = [.tunedKalman, .tunedOneEuro, .tunedAlphaBeta]

  /// What it is called at the head of a column.
  var title: String {
    switch self {
    case .grampad: "Grampad"
    case .trackWeight: "TrackWeight"
    case .hx711: "HX711"
    case .espHome: "ESPHome"
    case .kalman: "Kalman"
    case .tunedKalman: "K. tuned"
    case .oneEuro: "1-Euro"
    case .tunedOneEuro: "1-E. tuned"
    case .alphaBeta: "a-b"
    case .tunedAlphaBeta: "a-b tuned"
    case .bound: "bound"
    }
  }

  /// Where its description was published, and with which parameters it is used.
  var source: String {
    switch self {
    case .grampad: "Sources/Weighing/Scale/ScaleMachine.swift, its defaults: motion 1 g, 300 ms"
    case .trackWeight:
      "github.com/KrishKrosh/TrackWeight at e322cae, TrackWeight/WeighingViewModel.swift: the mean of 10 samples;"
        + " settled after 3 s within 2 g of where they began"
    case .hx711:
      "github.com/bogde/HX711 0.7.5, src/HX711.cpp, read_average and get_units: ten samples are read, then their mean"
        + " is returned; 10 as in examples/HX711_full_example"
    case .espHome:
      "github.com/esphome/esphome, esphome/components/sensor/filter.cpp at 003b0a8 and __init__.py at 0099fcc: median"
        + " (window_size 5, send_every 5, its defaults), then sliding_window_moving_average (window_size 15, its default;"
        + " sending every value, faster than its default send_every of 15)"
    case .kalman:
      "R. E. Kalman, Trans. ASME, J. Basic Eng. 82, 1960, 35-45, as implemented by github.com/denyssene/SimpleKalmanFilter 0.2,"
        + " src/SimpleKalmanFilter.cpp: (2, 2, 0.01), as in examples/BasicKalmanFilterExample and its README"
    case .tunedKalman: "Kalman, its process noise tuned on these loads to the noise and the rate of the pad"
    case .oneEuro:
      "G. Casiez, N. Roussel, D. Vogel, CHI 2012, and github.com/casiez/OneEuroFilter at b992684: mincutoff 1 Hz, beta 0.1,"
        + " dcutoff 1 Hz, as in all of its examples"
    case .tunedOneEuro: "1-Euro, tuned on these loads to the noise and the rate of the pad"
    case .alphaBeta:
      "T. R. Benedict, G. W. Bordner, IRE Trans. Automatic Control 7, 1962, 27-32: beta = alpha^2 / (2 - alpha);"
        + " alpha 0.3, chosen because the source recommends no value"
    case .tunedAlphaBeta: "alpha-beta, tuned on these loads to the noise and the rate of the pad"
    case .bound: "sigma / sqrt(n): the mean of the n samples since the load came to rest, with the time of rest known"
    }
  }
}
