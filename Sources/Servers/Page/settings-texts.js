// Every sentence of the settings that a user sees.

export const texts = {
  title: '«pageSettings»', close: '«pageClose»', save: '«pageSave»', undo: '«settingsUndo»', reset: '«settingsReset»',
  saved: '«settingsSaved»', undone: '«settingsUndone»', unchanged: '«settingsUnchanged»',
  restart: keys => `«settingsRestart keys=${keys.join(', ')}»`,
  faults: n => `«settingsFaults count=${n}»`,
  missing: '«settingsMissing»',
  silent: '«settingsSilent»', away: '«pageNotLoaded»',
  discard: ['«settingsAskDiscard»', '«settingsNotSaved»', '«settingsDiscard»', '«settingsKeepEditing»'],
  conflict: '«settingsConflict»',
  file: path => `«settingsFile path=${path}»`,
  demo: '«settingsDemo»',
  source: { default: '«settingsDefault»', configuration: '«settingsFromFile»', page: '«settingsFromPage»' },
  configured: value => `«settingsConfigured value=${value}»`,
  zones: {
    drawing: '«settingsDrawing»', hint: '«settingsZoneHint»',
    plate: '«settingsPlate»', action: '«settingsAction»', name: '«settingsControlName»',
    edges: { left: '«settingsLeft»', right: '«settingsRight»', top: '«settingsTop»', bottom: '«settingsBottom»' },
    corners: { nw: '«settingsTopLeft»', ne: '«settingsTopRight»', sw: '«settingsBottomLeft»', se: '«settingsBottomRight»' },
    corner: (zone, corner) => `«settingsCorner corner=${corner} zone=${zone}»`, move: zone => `«settingsMove zone=${zone}»`,
    addZone: '«settingsAddZone»', addControl: '«settingsAddControl»', remove: zone => `«pageRemoveIt name=${zone}»`, history: '«pageHistory»', control: '«settingsControl»',
    overlaps: other => `«settingsOverlaps zone=${other}»`, outside: '«settingsOutside»', twice: '«settingsTwice»',
    none: '«settingsNoZones»',
  },
  containers: { name: '«settingsName»', tare: '«settingsTare»', add: '«settingsAddContainer»', remove: name => `«pageRemoveIt name=${name}»`, none: '«pageNoContainers»' },
  actions: {
    type: '«settingsType»', title: '«settingsTitle»', subtitle: '«settingsDescription»', icon: '«settingsIcon»', run: '«settingsPerforms»', label: '«settingsWeighingLabel»',
    target: '«settingsTarget»', tolerance: '«settingsTolerance»', add: '«settingsAddAction»', remove: name => `«pageRemoveIt name=${name}»`, one: n => `«settingsOneAction number=${n}»`,
    none: '«settingsNoActions»', typeHint: '«settingsTypeHint»',
  },
  broker: {
    kind: '«pageBroker»', embedded: '«settingsEmbedded»', external: '«settingsExternal»', urls: '«settingsAddresses»', none: '«settingsNoAddress»',
    example: '«settingsExample»',
    secret: '«settingsSecret»',
    connected: address => `«settingsConnected broker=${address}»`, disconnected: reason => `«settingsDisconnected reason=${reason}»`, unknown: '«settingsConnectionUnknown»',
  },
};
