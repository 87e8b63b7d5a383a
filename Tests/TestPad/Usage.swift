let usage = """
  usage: testpad < COMMANDS

  Creates a force pad with /dev/uinput for tests. Reads one command per line from standard input and answers each with
  one line on standard output: `ok COMMAND ...` or `error: COMMAND: REASON`. The answer is written after the kernel has
  accepted all events, so it can be used as a handshake. The pad is removed at the end of the input.

    create [KEY=VALUE ...]     creates the pad; answers node=/dev/input/eventN
        kind=multitouch        protocol B with single-touch emulation (default), `single` for one touch only,
                               `plain` for a pad without a pressure axis, `board` for a Wii Balance Board as the kernel
                               describes it, `keys` for a device with repeating keys only, `keyboard` for a whole keyboard
        name="Test Force Pad"  vendor=1209 product=4750 (hexadecimal)
        x=0:1224:12            minimum, maximum and resolution (units per mm) of the position; `none` for no positions
        y=0:756:12
        pressure=0:1023:0      minimum, maximum and resolution (units per gram) of the pressure
        pressure-axis=NAME     the pressure axis of a pad with kind=single (ABS_PRESSURE)
        slots=5                number of contacts of a multitouch pad
        keys=NAME,NAME...      its keys (default: BTN_LEFT, BTN_TOUCH, BTN_TOOL_FINGER, BTN_TOOL_DOUBLETAP)
        led=no                 `yes`: the pad has the LED LED_MISC
        sound=no               `tone` for SND_TONE, `bell` for SND_BELL
        rumble=no              `yes`: the pad supports force feedback (FF_RUMBLE)
    frame [CONTACT ...]        sends one frame with exactly these contacts; a CONTACT is SLOT:X,Y,PRESSURE
    corners TR BR TL BL        sends one frame with these forces on the corners of a board
    key NAME VALUE             presses (1) or releases (0) a key in a separate frame
    type TEXT                  types TEXT as fast as possible on a keyboard of the US layout: letters, digits, `-`, space in
                               double quotes, `\\n` for Enter
    ramp COUNT HZ FROM TO      sends COUNT frames at HZ with one contact that moves evenly from FROM to TO (same slot)
    flood COUNT [CONTACT ...]  sends COUNT frames with changing pressures as fast as possible, then one frame with exactly
                               these contacts
    play FILE [SPEED]          sends the events of an evemu recording at SPEED times its own speed (1); 0 sends them
                               without pauses. The recording should begin and end without contacts
    feedback [MS]              answers with the events that other programs have written to the pad, as LED_MISC=1 or
                               shake=ID:COUNT; waits up to MS (0) for the first. Programs that upload or erase an effect
                               wait for this command, which answers learned=ID:STRONG/WEAK/MILLISECONDS or forgot=ID
    open NODE                  opens an event device as a second reader
    seen                       answers events=N, the number of events that the second reader received since the last `seen`
    grab NODE                  answers `free` if the device can be grabbed (the grab is released immediately), else `busy`
    range NODE AXIS MINIMUM MAXIMUM [RESOLUTION]
                               changes the range of an axis of a device, as udev's hardware database does
    await FILE [SECONDS]       waits until FILE exists (60)
    destroy                    removes the pad
    quit                       ends the program

  """
