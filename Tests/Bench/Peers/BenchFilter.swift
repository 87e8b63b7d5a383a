import Weighing

/// One sample of a pad, as every filter receives it.
///
/// evdev drops repeated values. Grampad reads the events; the peers receive every sample.
struct BenchSample {
  /// The time of the sample.
  var time: Instant
  /// The calibrated load in grams; 0 without contact.
  var grams: Double
  /// The events of the sample; empty if the counts have not changed.
  var events: ArraySlice<InputEvent>
}

/// A filter that turns samples into readings.
protocol BenchFilter {
  /// The name of the filter.
  var name: BenchFilterName { get }
  /// Resets the filter; called when a load is put on the empty pad.
  mutating func restart()
  /// Processes the next sample.
  mutating func process(_ sample: BenchSample)
  /// The current reading in grams, not rounded.
  var level: Double { get }
  /// When the filter reports a load as stable; `nil` if its description does not define that.
  var criterion: StabilityCriterion? { get }
  /// The time since which it reports the load as stable; `nil` while it does not.
  var stableSince: Instant? { get }
  /// The displayed value in grams, rounded; `nil` if its description does not define that.
  var displayed: Double? { get }
}

extension BenchFilter {
  var criterion: StabilityCriterion? { nil }
  var stableSince: Instant? { nil }
  var displayed: Double? { nil }
}

/// A load is stable if it moves by less than a limit for a time.
struct StabilityCriterion: Sendable {
  var limit: Double
  var time: Interval
}

/// All filters, in the order of the tables.
enum BenchFilterName: String, CaseIterable, Sendable {
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
  /// The mean of all samples since rest. Not a peer: a real filter cannot know when the load came to rest.
  case bound

  /// All filters that Grampad is compared with.
  static let peers = published + tuned
  /// Peers with their published parameters.
  static let published: [BenchFilterName] = [.trackWeight, .hx711, .espHome, .kalman, .oneEuro, .alphaBeta]
  /// Peers with parameters tuned to these loads and the pad.
  static let tuned: [BenchFilterName] = [.tunedKalman, .tunedOneEuro, .tunedAlphaBeta]

  /// The heading of its column.
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

  /// Where its description was published, and its parameters.
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
