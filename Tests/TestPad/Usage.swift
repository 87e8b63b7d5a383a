let usage = """
  usage: testpad < COMMANDS

  A force pad made by the kernel (/dev/uinput), for tests. One command a line on standard input, one answer a line on
  standard output: `ok COMMAND ...` or `error: COMMAND: WHY`. The answer comes when the kernel has taken everything, so
  it serves as a handshake. The pad vanishes when the input ends.

    create [KEY=VALUE ...]     makes the pad; answers node=/dev/input/eventN
        kind=multitouch        protocol B with single-touch emulation (default), `single` for one touch only,
                               `plain` for a pad without any pressure axis, `keys` for keys alone, which repeat
        name="Test Force Pad"  vendor=1209 product=4750 (hexadecimal)
        x=0:1224:12            minimum, maximum and resolution (units per mm) of the position; `none` for no positions
        y=0:756:12
        pressure=0:1023:0      minimum, maximum and resolution (units per gram) of the pressure
        pressure-axis=NAME     the axis of a single pad's pressure (ABS_PRESSURE)
        slots=5                contacts a multitouch pad can tell apart
        keys=NAME,NAME...      the keys it has (a pad: BTN_LEFT, BTN_TOUCH, BTN_TOOL_FINGER, BTN_TOOL_DOUBLETAP)
        led=no                 `yes`: the pad has the LED LED_MISC
        sound=no               `tone` for SND_TONE, `bell` for SND_BELL
        rumble=no              `yes`: the pad can learn shakes (FF_RUMBLE)
    frame [CONTACT ...]        one frame, in which exactly these contacts touch; a CONTACT is SLOT:X,Y,PRESSURE
    key NAME VALUE             presses (1) or releases (0) a key, in a frame of its own
    ramp COUNT HZ FROM TO      COUNT frames at HZ, one contact moving evenly from FROM to TO (both of one slot)
    flood COUNT [CONTACT ...]  COUNT frames as fast as the kernel takes them, the pressures changing in each, and then one
                               frame with exactly these contacts
    play FILE [SPEED]          the events of an evemu recording, at its own pace times SPEED (1); 0 is without any pause.
                               The recording should begin and end with nothing touching
    feedback [MS]              answers with the events written to the pad by others, as LED_MISC=1 or shake=ID:COUNT;
                               waits up to MS (0) for the first. Only here does the pad learn and forget shakes, as
                               learned=ID:STRONG/WEAK/MILLISECONDS: who asks it for one waits until then
    open NODE                  starts to listen on an event device, as a second reader would
    seen                       answers events=N, the events the second reader got since the last `seen`
    grab NODE                  answers `free` when the device could be grabbed (it is let go at once), else `busy`
    await FILE [SECONDS]       returns when FILE exists (60)
    destroy                    unplugs the pad
    quit                       ends, as the end of the input does

  """
