import Languages
import Weighing

/// What the dashboard needs from the appliance.
package struct DashboardSources: Sendable {
  /// Performs an action; returns the payload of the result, as on the topic `result`, or `nil` if too many actions are
  /// waiting.
  package var act: @Sendable (ActionRequest) async -> [UInt8]?
  /// The newest records: `[{"weighing": {...}, "voided_by": id or null, "relabelled_by": id or null, "label": text or
  /// null}, ...]`, newest first.
  package var weighings: @Sendable () -> [UInt8]
  /// A page of all weighings as CSV, or why it cannot be read.
  package var table: TableSource
  /// The totals of all weighings, or why they cannot be read: `{"sequence", "weighings", "net_g", "complete", "groups":
  /// [{"day", "label", "weighings", "net_g"}, ...]}`, newest day first.
  package var totals: @Sendable () async -> Result<[UInt8], TableError>
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
    table: @escaping TableSource, totals: @escaping @Sendable () async -> Result<[UInt8], TableError>,
    calibration: @escaping @Sendable () -> [UInt8], curve: @escaping @Sendable (WeighingID) -> [UInt8],
    manifest: @escaping @Sendable (Language) -> [UInt8], calibrating: CalibratingSource? = nil,
    settings: SettingsSource? = nil,
    touchPad: (@Sendable ([UInt8]) -> String?)? = nil
  ) {
    self.act = act
    self.weighings = weighings
    self.table = table
    self.totals = totals
    self.calibration = calibration
    self.curve = curve
    self.manifest = manifest
    self.calibrating = calibrating
    self.settings = settings
    self.touchPad = touchPad
  }
}
