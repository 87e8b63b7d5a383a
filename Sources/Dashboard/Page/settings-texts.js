// Every sentence of the settings that a user sees.

export const texts = {
  title: 'Settings', close: 'Close', save: 'Save', undo: 'Undo last change', reset: 'Reset to the configuration',
  saved: 'Settings saved', undone: 'Last change of the settings undone', unchanged: 'Nothing to save',
  restart: keys => `Takes effect after a restart of the service: ${keys.join(', ')}`,
  faults: n => `${n === 1 ? 'One value is' : `${n} values are`} invalid. Nothing was saved.`,
  missing: 'This scale runs without a configuration file and cannot store settings',
  silent: 'No response from the scale. The settings may not be saved: load them again.',
  discard: ['Discard the changes?', 'They are not saved.', 'Discard', 'Keep editing'],
  conflict: 'Another user changed the settings meanwhile. They were loaded again; your changes are lost.',
  file: path => `Saved in ${path}. These settings override the configuration file.`,
  source: { default: 'Default', configuration: 'From the configuration file', page: 'Set in the page' },
  parts: { 'pad.zones': 'Zones', 'pad.controls': 'Controls' },
  configured: value => `Configuration: ${value}`,
  groups: { general: 'Scale', stability: 'Stability', zones: 'Zones', containers: 'Containers', actions: 'Quick actions', broker: 'Broker' },
  fields: {
    'device.name': 'Name', 'scale.unit': 'Unit of the display', 'scale.minimum_g': 'Minimum, g',
    'stability.motion_g': 'Largest motion of a stable load, g', 'stability.time_ms': 'Time at rest, ms',
    containers_auto: 'Tare a known container when it is put on the empty scale',
  },
  zones: {
    drawing: 'Pad with its zones', hint: 'Drag a zone or its corners, or use the arrow keys on a corner. Shift moves it further.',
    plate: 'This pad carries a plate: zones have no effect.', action: 'Action', name: 'Name of the control',
    edges: { left: 'Left', right: 'Right', top: 'Top', bottom: 'Bottom' },
    corners: { nw: 'top left', ne: 'top right', sw: 'bottom left', se: 'bottom right' },
    corner: (zone, corner) => `Corner ${corner} of ${zone}`, move: zone => `Move ${zone}`,
    addZone: 'Add zone', addControl: 'Add control', remove: zone => `Remove ${zone}`, history: 'History', control: 'Control',
    overlaps: other => `Overlaps ${other}`, outside: 'Use fractions from 0 to 1, the second one larger', twice: 'Each action or control has one zone',
    none: 'No zones: the whole pad weighs.',
  },
  containers: { name: 'Name', tare: 'Tare, g', add: 'Add container', remove: name => `Remove the container ${name}`, none: 'No containers.' },
  actions: {
    type: 'Type', title: 'Title', subtitle: 'Description', icon: 'Icon', run: 'Performs', label: 'Label of the weighing',
    target: 'Target, g', tolerance: 'Tolerance, g', add: 'Add quick action', remove: name => `Remove ${name}`, one: n => `Quick action ${n}`,
    none: 'No quick actions.', typeHint: 'Letters, digits, _ and -; used in topics and commands',
  },
  broker: {
    kind: 'Broker', embedded: 'Embedded, on this machine only', external: 'External', urls: 'Addresses, one per line',
    example: 'mqtt://broker.example.org or mqtts://broker.example.org:8883; the first one that responds is used',
    secret: 'User name and password are not set here: set mqtt.username and mqtt.password_file in the configuration file.',
    connected: address => `Connected to ${address}`, disconnected: reason => `Not connected: ${reason}. The page stays available.`, unknown: 'State of the connection unknown',
  },
  actionNames: {
    commit: 'Commit', tare: 'Tare', zero: 'Zero', void: 'Void', relabel: 'Relabel', clear_tare: 'Clear tare', timer: 'Timer',
    target: 'Target', count: 'Counting', container: 'Container', history: 'History',
  },
};
