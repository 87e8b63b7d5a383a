import Languages
import Weighing

/// What the dashboard needs from the appliance.
package struct DashboardSources: Sendable {
  /// Performs an action; returns the payload of the result, as on the topic `result`, or `nil` if too many actions are
  /// waiting.
  package var act: @Sendable (ActionRequest) async -> [UInt8]?
  /// The newest records: `[{"weighing": {...}, "voided_by": id or null, "relabelled_by": id or null, "label": text or
  /// null, "day": "2026-11-21"}, ...]`, newest first.
  package var weighings: @Sendable () -> [UInt8]
  /// A page of the records of a selection as CSV, or why it cannot be read.
  package var table: @Sendable (WeighingSelection, TablePosition) async -> Result<TablePage, TableError>
  /// The totals of a selection, or why they cannot be read: `{"sequence", "next", "weighings", "net_g", "complete", "groups":
  /// [{"day", "label", "weighings", "net_g"}, ...]}`, newest day first. Until `next` is null, only weighings from that number on
  /// are included.
  package var totals: @Sendable (WeighingSelection) async -> Result<[UInt8], TableError>
  /// Weighings of the whole journal, or why they cannot be read: `{"sequence", "next", "weighings": [...]}`, newest first, each
  /// as in `weighings`. Less than the limit with a `next` that is not null: the search took too long.
  package var history: @Sendable (HistoryQuery) async -> Result<[UInt8], TableError>
  /// The calibration with its points, its curve and its residuals.
  package var calibration: @Sendable () -> [UInt8]
  /// The calibration under way; `nil` if the appliance cannot be calibrated here.
  package var calibrating: CalibratingSource?
  /// The settings that users change in the page; `nil` if there is no configuration file.
  package var settings: SettingsSource?
  /// The load around a weighing, see `LoadCurves`.
  package var curve: @Sendable (WeighingID) -> [UInt8]
  /// The web app manifest, with the quick actions as shortcuts.
  package var manifest: @Sendable (Language) -> [UInt8]
  /// Moves the loads of the simulated pad; returns what is wrong with the payload, or `nil`. `nil` on all other pads.
  package var touchPad: (@Sendable ([UInt8]) -> String?)?

  /// Makes the sources.
  package init(
    act: @escaping @Sendable (ActionRequest) async -> [UInt8]?, weighings: @escaping @Sendable () -> [UInt8],
    table: @escaping @Sendable (WeighingSelection, TablePosition) async -> Result<TablePage, TableError>,
    totals: @escaping @Sendable (WeighingSelection) async -> Result<[UInt8], TableError>,
    history: @escaping @Sendable (HistoryQuery) async -> Result<[UInt8], TableError>,
    calibration: @escaping @Sendable () -> [UInt8], curve: @escaping @Sendable (WeighingID) -> [UInt8],
    manifest: @escaping @Sendable (Language) -> [UInt8], calibrating: CalibratingSource? = nil,
    settings: SettingsSource? = nil,
    touchPad: (@Sendable ([UInt8]) -> String?)? = nil
  ) {
    self.act = act
    self.weighings = weighings
    self.table = table
    self.totals = totals
    self.history = history
    self.calibration = calibration
    self.curve = curve
    self.manifest = manifest
    self.calibrating = calibrating
    self.settings = settings
    self.touchPad = touchPad
  }
}
