"""The path of a newcomer: from an image and a load cell to weighings that outlast an update and a power cut, on a phone."""

import re
import time

from browser import Browser, Page
from machine import PATIENCE, expect

# How long a set-up may take in the page, with the calibration.
LONGEST_SET_UP = 180
# A known mass between those of the calibration, with room for a finger below the capacity, and how far its reading may be off: a division.
KNOWN, TOLERANCE = 120, 1

STATE = "document.querySelector('#scale').dataset.state"


def plug_in(case, grams=0):
    """Waits for the page after a start, and connects the load cell."""
    case.machine.wait("page", lambda: case.machine.event("hello"), PATIENCE)
    case.cell.connect(grams)


def open_step(page, title):
    """Waits until the step of the set-up with this title is open."""
    page.wait(title, f"[...document.querySelectorAll('#view-setup details[open] h3')].map((each) => each.textContent).join() === '{title}'")
    page.screenshot(f"newcomer-{re.sub('[^a-z]+', '-', title.lower())}")


def save(page, title):
    """Saves a step, again while the machine is too busy to answer, as the page says; then the next one is open."""
    for _ in range(5):
        page.click("Save and continue")
        answer = page.wait("an answer", f"""[...document.querySelectorAll('#view-setup details[open]')].map((each) =>
            each.querySelector('.alert')?.textContent || each.querySelector('h3').textContent === {title!r} && 'saved')[0]""", 120)
        if answer == "saved":
            break
        expect(f"the answers are accepted: {answer}", "Try again" in answer or "busy" in answer)
    open_step(page, title)


def set_up(page, zone):
    """Walks through the steps up to the calibration."""
    page.wait("the set-up", "location.hash === '#/setup'")
    open_step(page, "Name and time zone")
    expect("the time zone is that of the phone", page.evaluate(f"{page.find('Time zone')}.value") == zone)
    page.type("Name", "Kitchen")
    save(page, "Network")
    expect("a machine whose page is open is in a network", "Not connected" not in page.text())
    page.click("Skip")
    open_step(page, "Sensor and pad")
    page.see("hx711")
    page.wait("the load cell in the list of pads",
              f"[...{page.find('Pad')}.options].some((each) => each.value === 'iio:hx711' && each.text === 'hx711')")
    expect("automatic selection is chosen", page.evaluate(f"{page.find('Pad')}.value") == "auto")
    save(page, "Broker")
    save(page, "Calibration")


def calibrate(case, page):
    """Calibrates with the masses that the page suggests, as it says: without a press, which a load cell could not recognise yet."""
    page.see("Chosen:")
    page.click("Start")
    page.see("Step 1 of ")
    page.screenshot("newcomer-calibrating")
    place = "document.querySelector('#calibrating .soft').textContent"
    for _ in range(20):
        step = page.evaluate(place)
        words = page.evaluate("document.querySelector('#calibrating .instruction').textContent")
        mass = re.search(r"(\d+) g", words)
        case.cell.load(int(mass[1]) if mass else 0)
        page.click("Measure")
        # The next step, or the result.
        page.wait("the next step", f"{place} !== {step!r} || [...document.querySelectorAll('#calibrating button')]"
                                   ".some((each) => each.checkVisibility() && each.textContent === 'Apply')", 90)
        if page.evaluate("[...document.querySelectorAll('#calibrating button')].some((each) => each.checkVisibility() && "
                         "each.textContent === 'Apply')"):
            break
    page.see("Good: between your masses")
    page.screenshot("newcomer-calibration-result")
    page.click("Apply")
    page.wait("that the calibration is in use", f"{STATE} !== 'offline'")
    # Otherwise the page reminds of what was measured.
    page.place("Done")


def weigh(case, page, grams):
    """Puts a mass on the scale, and reads what the page shows."""
    case.cell.load(grams)
    state = "stable" if grams else "empty"
    page.wait(f"about {grams} g at rest", f"{STATE} === '{state}' && Math.abs(parseFloat(document.querySelector('#digits').textContent) - "
                                          f"{grams}) <= {TOLERANCE}", 120)


def weighings(page):
    """The net masses in the list of weighings, the newest first."""
    return page.evaluate("[...document.querySelectorAll('#weighings tr')].map((each) => each.innerText)")


def confirm(case, page, grams):
    """Records a weighing in the page: the first time, the scale asks for a press to allow this phone."""
    held = "document.querySelector('#ring').dataset.state === 'confirmed'"
    page.hold('[data-action="commit"]', "that the weighing is confirmed", held)
    page.click("Ask the scale")
    page.see("Press the scale to allow this device")
    page.screenshot("newcomer-press")
    # Only a press that begins a second after the request counts.
    page.evaluate("new Promise((done) => setTimeout(done, 1500))")
    case.cell.press(grams, lambda: page.wait("a full ring", held))
    page.wait("the right to act", "!document.querySelector('#token').open && localStorage.getItem('grampad-token')")
    weigh(case, page, grams)
    page.hold('[data-action="commit"]', "that the weighing is confirmed", held)
    page.wait("the weighing", f"document.querySelector('#weighings').innerText.includes('{grams} g')")


def newcomer(case):
    """Image, start, set-up by a phone, calibration, weighing, update, power cut, weighing."""
    case.machine.start()
    plug_in(case)
    browser = Browser({"grampad.local": f"127.0.0.1:{case.machine.port}"})
    try:
        page = Page(browser, case.screenshots)
        page.call("Emulation.setTimezoneOverride", timezoneId="Europe/Lisbon")
        begin(case, page)
        update(case, page)
    finally:
        browser.end()


def begin(case, page):
    """From the first page to the first weighing."""
    begun = time.monotonic()
    page.open("http://grampad.local")
    set_up(page, "Europe/Lisbon")
    stepped = time.monotonic() - begun
    page.click("Calibrate")
    calibrate(case, page)
    calibrated = time.monotonic() - begun
    page.click("Continue the set-up")
    open_step(page, "Finish")
    page.see("Kitchen, http://grampad.local")
    page.click("#view-setup details[open] button.main")
    page.see("The scale is set up")
    page.screenshot("newcomer-done")
    took = time.monotonic() - begun
    print(f"# set-up: {took:.0f} s in the page: {stepped:.0f} s up to the calibration, {calibrated - stepped:.0f} s for it", flush=True)
    expect(f"the set-up takes at most {LONGEST_SET_UP} s, not {took:.0f}", took <= LONGEST_SET_UP)
    page.click("Weigh")
    weigh(case, page, KNOWN)
    page.screenshot("newcomer-weighing")
    confirm(case, page, KNOWN)
    page.screenshot("newcomer-recorded")


def update(case, page):
    """The update by the page, a power cut, and what is there after that."""
    version, package = case.images.update(1, lambda _: None)
    case.images.repository.publish(package)
    case.cell.load(0)
    page.click('#views a[href="#/settings"]')
    page.click("Machine")
    page.see("Version and updates")
    page.click("Update now")
    page.screenshot("newcomer-update-question")
    page.click("#ask-yes")
    begun = time.monotonic()
    page.wait("the installation", "/installing|installed|checking/.test(document.querySelector('#view-setup').innerText)", 120)
    page.screenshot("newcomer-update")
    case.machine.started = time.monotonic()
    case.wait_until_kept(900)
    # By itself, in the page that was open all the time.
    page.wait(f"version {version}", f"document.querySelector('#view-setup').innerText.includes({version!r})", PATIENCE)
    page.screenshot("newcomer-updated")
    print(f"# update: {time.monotonic() - begun:.0f} s until the page shows the new version", flush=True)

    case.machine.cut_power()
    case.machine.start()
    plug_in(case)
    page.open("http://grampad.local/#/setup")
    page.wait(f"version {version}", f"document.querySelector('#view-setup').innerText.includes({version!r})", PATIENCE)
    page.open("http://grampad.local/")
    weigh(case, page, KNOWN)
    expect(f"the weighing is there: {weighings(page)}", any(f"{KNOWN} g" in each for each in weighings(page)))
    weigh(case, page, 0)
    weigh(case, page, 75)
    page.screenshot("newcomer-after-power-cut")
    name = case.machine.event("hello")["name"]
    expect(f"the name is that of the set-up, not {name}", name == "Kitchen")
