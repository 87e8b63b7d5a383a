"""What a disk holds after power cuts, made from a recording of its writes, and whether anything is missing on it.

QEMU's filter `blklogwrites` records what a machine writes, in the format of Linux' dm-log-writes: sectors of 512 bytes, the first one with
a magic number; then for each request that is complete its first sector, number of sectors and flags, followed by the data. A request is in
this log before the machine learns that it is complete. When an answer of the machine arrives, everything that the answer depends on is
therefore in the log: the size of the file at that moment is an upper bound. What was acknowledged has to be there after a cut at that
size or later.

A cut keeps all writes that were complete before the last flush. Of the later ones, and of one that is under way, it keeps any part: each is
kept, dropped, or torn between two sectors. The order in which a disk writes different sectors shows only in which of them are missing; if
it writes a sector twice in the wrong order, the second write is missing. The log does not say when a flush began: a write that
was complete before the flush counts as flushed.
"""

import collections
import contextlib
import hashlib
import http.client
import json
import os
import random
import re
import sqlite3
import struct
import subprocess
import threading
import time

from machine import PATIENCE, SECTOR, Disk, Failure, expect

MAGIC = 0x6A736677736872
FLUSH = 1
VALID_SLOTS = [{"slot": slot, "try": other} for slot in "ab" for other in ("", "a", "b")]

# A request: where on the disk it begins and how long it is, in bytes; whether it is a flush; where in the log its data are and it ends.
Entry = collections.namedtuple("Entry", "start length is_flush data end")


def copy_part(source, start, size, target):
    """Makes a file of a part of another, without its holes."""
    with open(source, "rb") as old, open(target, "wb") as new:
        new.truncate(size)
        position = start
        while position < start + size:
            try:
                position = os.lseek(old.fileno(), position, os.SEEK_DATA)
            except OSError:  # No data follows.
                break
            end = min(os.lseek(old.fileno(), position, os.SEEK_HOLE), start + size)
            os.lseek(new.fileno(), position - start, os.SEEK_SET)
            while position < end:
                position += os.sendfile(new.fileno(), old.fileno(), position, end - position)


class Recording:
    """The disk before a run of the machine, the log of the run, its phases, and what was acknowledged when."""

    def __init__(self, name, machine, folder):
        self.name, self.base, self.log = name, folder / f"{name}.disk", folder / f"{name}.log"
        copy_part(machine.disk.path, 0, machine.disk.path.stat().st_size, self.base)
        self.log.touch()
        machine.recording = self.log
        self.entries = []
        # Positions in the log, with the name of the phase, or what was acknowledged and its value.
        self.phases, self.acknowledged = [], []

    @property
    def position(self):
        """Everything that is complete is before this position."""
        return self.log.stat().st_size

    def begin(self, phase):
        """A phase of the run begins."""
        self.phases.append((self.position, phase))

    def acknowledge(self, what, value):
        """The machine has said that it will keep this."""
        self.acknowledged.append((self.position, what, value))

    def end(self, machine):
        """Cuts the power, and reads the log; fails if the machine has written where it must not: to the partition table, the boot
        partition, or slot a."""
        machine.cut_power()
        machine.recording = None
        parts = machine.disk.parts
        with self.log.open("rb") as log:
            magic, version, _, size = struct.unpack("<QQQI", log.read(28))
            expect(f"{self.log} is a log of writes", (magic, version, size) == (MAGIC, 1, SECTOR))
            position, length = SECTOR, self.position
            while position + SECTOR <= length:
                log.seek(position)
                first, count, flags = struct.unpack("<QQQ", log.read(24))
                data, position = position + SECTOR, position + SECTOR * (1 + count)
                # The last entries may not be complete.
                if position > length or not count and not flags:
                    break
                expect(f"the log has only writes and flushes, not {flags}", not flags & ~FLUSH)
                self.entries.append(Entry(first * SECTOR, count * SECTOR, bool(flags), data, position))
        for entry in self.entries:
            name = next((name for name, (start, size) in parts.items() if start <= entry.start < start + size), "no partition")
            expect(f"the machine writes to {name}, at {entry.start}", entry.is_flush or name in ("slots", "b", "state"))

    def phase(self, index):
        """The phase in which an entry was written."""
        return next((name for start, name in reversed(self.phases) if start < self.entries[index].end), self.phases[0][1])

    def index(self, position):
        """The number of entries that end before a position."""
        return sum(entry.end <= position for entry in self.entries)

    def kept(self, index):
        """What has to be there after a cut behind the first `index` entries: lists of values by name. Of a value that was changed, the last
        acknowledged one and those that follow it."""
        end = self.entries[index - 1].end if index else 0
        kept = {"weighing": [value for position, what, value in self.acknowledged if what == "weighing" and position <= end]}
        for position, what, value in self.acknowledged:
            if what != "weighing" and position <= end:
                kept[what] = [value]
            elif what != "weighing" and what in kept:
                kept[what].append(value)
        return kept


class Replay:
    """The disk of a recording, as it is after cuts at one point after the other."""

    def __init__(self, recording, path):
        self.recording = recording
        copy_part(recording.base, 0, recording.base.stat().st_size, path)
        self.disk = Disk(None, path)
        # Number of entries that are on the disk for good.
        self.flushed = 0

    @contextlib.contextmanager
    def cut(self, index, choice, flushed=None):
        """The disk after a cut behind the first `index` entries; what follows the last flush is taken back at the end. The points have to
        be in order. With `flushed`, the disk has lied: only as many entries are on it for good, and nothing else."""
        entries = self.recording.entries
        lies = flushed is not None
        flushed = flushed if lies else max((i for i in range(self.flushed, index) if entries[i].is_flush), default=self.flushed)
        undo = []
        with self.disk.path.open("r+b", buffering=0) as disk, self.recording.log.open("rb", buffering=0) as log:

            def write(entry, first, last):
                disk.seek(entry.start + first)
                disk.write(os.pread(log.fileno(), last - first, entry.data + first))

            for entry in entries[self.flushed:flushed]:
                write(entry, 0, entry.length)
            self.flushed = flushed
            # From a disk that has kept nearly nothing to one that has kept nearly everything.
            share = None if lies else choice.choice([0, 0.02, 0.98, 1, choice.random()])
            for number, entry in enumerate([] if lies else entries[flushed:index + 1]):
                first, last, sectors = 0, entry.length, entry.length // SECTOR
                if flushed + number == index or choice.random() < 0.1:
                    first, last = (SECTOR * each for each in sorted(choice.choices(range(sectors + 1), k=2)))
                elif choice.random() >= share:
                    continue
                undo.append((entry.start + first, os.pread(disk.fileno(), last - first, entry.start + first)))
                write(entry, first, last)
        try:
            yield self.disk
        finally:
            with self.disk.path.open("r+b", buffering=0) as disk:
                for position, data in reversed(undo):
                    disk.seek(position)
                    disk.write(data)


class Inspector:
    """Looks at the disk after a cut with the programs of the image itself, in its system, which is mounted on this machine."""

    # The part of the initial file system that mounts the state, as it is.
    MOUNT = "rootmnt= && . /usr/share/initramfs-tools/scripts/grampad && partition() { echo /run/state; } && mount_state"

    def __init__(self, disk, system, folder):
        """`system` has the size and the SHA-256 of the update, which is installed in slot b."""
        self.system, self.root = system, folder / "root"
        self.repaired = 0
        self.root.mkdir()
        self.slots = disk.split_slots()[::2]
        start, size = disk.parts["a"]
        self.run("mount", "-t", "squashfs", "-o", f"ro,loop,offset={start},sizelimit={size}", disk.path, self.root)
        for name in ("run", "tmp"):
            self.run("mount", "-t", "tmpfs", name, self.root / name)
        self.run("mount", "--bind", "/dev", self.root / "dev")
        self.run("mount", "-t", "proc", "proc", self.root / "proc")

    def close(self):
        """Unmounts everything."""
        subprocess.run(["umount", "--recursive", self.root], check=False)

    @staticmethod
    def run(*words):
        """Runs a program; its output is the reason if it fails."""
        done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"{' '.join(map(str, words))} failed: {done.stdout[-1000:]}")
        return done.stdout

    def inspect(self, disk, kept):
        """Fails if something is missing on the disk."""
        self.inspect_slots(disk)
        copy_part(disk.path, *disk.parts["state"], self.root / "run/state")
        repair = self.root / "run/grampad-fsck"
        repair.unlink(missing_ok=True)
        self.run("chroot", self.root, "sh", "-c", self.MOUNT)
        try:
            self.repaired += repair.exists()
            self.inspect_machine(kept)
            self.inspect_journal(kept)
        finally:
            self.run("umount", self.root / "state")
        # What the kernel has replayed is whole.
        self.run("chroot", self.root, "e2fsck", "-f", "-n", "/run/state")

    def inspect_slots(self, disk):
        """The boot loader starts a slot with a whole system, and tries no other. Slot a is never written in these recordings."""
        slots = disk.slots
        expect(f"the block of the slots holds {slots}", slots in VALID_SLOTS)
        expect("the file system of the slots is as it was", disk.split_slots()[::2] == self.slots)
        if "b" in slots.values():
            size, expected = self.system
            found = hashlib.sha256(disk.part("b", size)).hexdigest()
            expect(f"slot b holds a whole system, as the block of the slots says: {slots}", found == expected)

    def inspect_machine(self, kept):
        """The identity of the machine, its answers, and its owner."""
        folder = self.root / "state/machine"
        identity = self.root / "state/machine-id"
        identity = identity.read_text() if identity.exists() else ""
        expect(f"the identity of the machine is whole: {identity!r}", re.fullmatch(r"([0-9a-f]{32}\n)?", identity))
        expect(f"the identity of the machine {identity!r} is one of {kept.get('identity')}",
               f"grampad-{identity[:4]}" in kept.get("identity", [f"grampad-{identity[:4]}"]))
        answers = folder / "answers"
        answers = dict(re.findall(r"^(\w+) = (.*)$", answers.read_text(), re.MULTILINE)) if answers.exists() else {}
        if "name" in kept:
            expect(f"the name in {answers} is one of {kept['name']}", answers.get("name") in kept["name"])
        expect("the machine has its owner", "owned" not in kept or (folder / "owned").exists())

    def inspect_journal(self, kept):
        """The weighings and the settings of the page."""
        folder = self.root / "state/grampad"
        journal = folder / "grampad.db"
        expect(f"the journal is not moved aside: {list(folder.glob('*'))}", not list(folder.glob("*.corrupt-*")))
        if "setting" in kept:
            text = (folder / "grampad.settings.yaml").read_text()
            expect(f"one of the settings {kept['setting']} is in {text!r}", any(setting in text for setting in kept["setting"]))
        if not journal.exists() and not kept["weighing"]:
            return
        command, options, found = ["chroot", self.root, "grampad", "history"], ["--journal", "/state/grampad/grampad.db"], []
        try:
            self.run(*command, "verify", *options)
            found = json.loads(self.run(*command, "show", "--json", *options))
        except Failure as failure:
            # Before the scale has made its tables.
            if "no such journal" not in str(failure):
                raise
        expect_weighings(kept, found)
        with contextlib.closing(sqlite3.connect(journal)) as database:
            answer = database.execute("PRAGMA integrity_check").fetchone()[0]
        expect(f"the journal is not damaged: {answer}", answer == "ok")


def expect_weighings(kept, found):
    """Every acknowledged weighing is there, with its value."""
    found = {weighing["id"]: weighing["net_g"] for weighing in found}
    missing = [weighing for weighing in kept["weighing"] if found.get(weighing["id"]) != weighing["net_g"]]
    expect(f"{len(missing)} of {len(kept['weighing'])} acknowledged weighings are missing, such as {missing[-1:]}", not missing)


class Weighings(threading.Thread):
    """A client that has weighings recorded as often as it can, also when the machine restarts."""

    def __init__(self, case, recording):
        super().__init__(daemon=True)
        self.case, self.recording, self.ended = case, recording, threading.Event()
        self.count = 0

    def run(self):
        while not self.ended.wait(0.3):
            with contextlib.suppress(OSError, ValueError, http.client.HTTPException):
                answer = self.case.post("/api/action/commit", {"label": f"{self.recording.name} {self.count}"})[1]
                if answer["ok"]:
                    self.recording.acknowledge("weighing", {key: answer["weighing"][key] for key in ("id", "net_g")})
                    self.count += 1

    def wait(self, number):
        """Waits until this number of further weighings has been acknowledged."""
        number += self.count
        self.case.machine.started = time.monotonic()
        self.case.machine.wait("weighings", lambda: self.count >= number or None, PATIENCE)

    def end(self):
        self.ended.set()
        self.join()


def insist(machine, ask, is_done):
    """Asks until the machine says that it has done it: a busy one answers that it is to be asked again, and may be done meanwhile."""
    machine.started = time.monotonic()
    machine.wait("answer", lambda: ask()[0] == 200 or is_done() or None, PATIENCE)


def change_name(case, name):
    """Changes a setting of the scale, as the page does."""
    revision = json.loads(case.machine.get("/api/settings", case.token))["revision"]
    return case.post("/api/settings", {"revision": revision, "set": {"device.name": name}})


def record_first_start(case):
    """The first start, the set-up, weighings and settings, until the machine has an owner. Then its power is cut."""
    machine = case.machine
    recording = Recording("first", machine, case.folder)
    recording.begin("first start")
    machine.start()
    recording.acknowledge("identity", machine.wait("page", lambda: machine.event("hello"), PATIENCE)["id"])
    recording.begin("set-up")
    for name in ("One", "Two"):
        insist(machine, lambda name=name: case.ask("set", pad="simulated", name=name), lambda name=name: case.state()["name"] == name)
        recording.acknowledge("name", name)
    machine.reading(PATIENCE)
    case.pair()
    recording.acknowledge("client", case.token)
    recording.begin("weighings")
    weighings = Weighings(case, recording)
    weighings.start()
    for name in ("Bench 1", "Bench 2", "Bench 3"):
        weighings.wait(8)
        insist(machine, lambda name=name: change_name(case, name), lambda: False)
        recording.acknowledge("setting", name)
    insist(machine, lambda: case.ask("finish"), lambda: case.state()["is_set_up"])
    recording.acknowledge("owned", True)
    weighings.wait(8)
    weighings.end()
    recording.end(machine)
    return recording


def record_update(case, before):
    """A start after a power cut, and an update that is installed, tried and kept, with weighings all the time."""
    machine = case.machine
    recording = Recording("update", machine, case.folder)
    recording.acknowledged = [(0, what, value) for _, what, value in before.acknowledged]
    _, package = case.images.update(1, lambda root: None)
    recording.begin("start")
    case.start()
    weighings = Weighings(case, recording)
    weighings.start()
    weighings.wait(4)
    recording.begin("installation")
    case.images.repository.publish(package)
    insist(machine, lambda: case.ask("update"), lambda: case.state()["update"]["state"] != "none")
    machine.started = time.monotonic()
    machine.wait("trial", lambda: case.disk.slots["try"] or None, 3 * PATIENCE)
    recording.begin("trial")
    machine.started = time.monotonic()
    case.wait_until_kept(3 * PATIENCE)
    recording.begin("kept")
    weighings.wait(8)
    weighings.end()
    recording.end(machine)
    return recording


def choose_points(recordings, count, seed):
    """Random points, as many in each phase, in order: recording, number of entries before the cut, and what is kept of the later ones."""
    phases = collections.defaultdict(list)
    for recording in recordings:
        for index in range(1, len(recording.entries) + 1):
            phases[recording.phase(index - 1)].append((recordings.index(recording), index))
    choice = random.Random(seed)
    chosen = [point for each in phases.values() for point in choice.choices(each, k=round(count / len(phases)))]
    return [(recordings[which], index, random.Random(f"{seed} {number}")) for number, (which, index) in enumerate(sorted(chosen))]


def disks(points, path):
    """The disk after each cut, and what has to be on it."""
    replay = None
    for recording, index, choice in points:
        if not replay or replay.recording is not recording:
            replay = Replay(recording, path)
        with replay.cut(index, choice) as disk:
            yield disk, recording.kept(index), f"{recording.phase(index - 1)}, behind {index} of {len(recording.entries)}"


def start_from(case, disk, kept):
    """The machine starts from a disk by itself, weighs, and lists what it has acknowledged."""
    copy_part(disk.path, 0, disk.path.stat().st_size, case.disk.path)
    case.token = kept.get("client", [None])[0]
    case.machine.start()
    begun = time.monotonic()
    if "name" not in kept:
        case.machine.wait("page", lambda: case.machine.event("hello"), PATIENCE)
        insist(case.machine, lambda: case.ask("set", pad="simulated"), lambda: case.state()["pad"] == "simulated")
    case.machine.reading(PATIENCE)
    seconds = time.monotonic() - begun
    found, before = [], ""
    while before is not None:
        page = json.loads(case.machine.get(f"/api/history?limit=200{before}"))
        found += [each["weighing"] for each in page["weighings"]]
        before = page["next"] and f"&before={page['next']}"
    expect_weighings(kept, found)
    if "owned" in kept:
        expect("the machine has its owner", case.state()["is_set_up"])
    if case.token:
        case.machine.wait("new weighing", lambda: case.post("/api/action/commit", {})[1]["ok"] or None, PATIENCE)
    case.machine.cut_power()
    return seconds


def inspect_lie(recording, inspector, path):
    """A disk that has lost the flushed writes of the last weighings fails the inspection: what is tested can be found."""
    positions = [position for position, what, _ in recording.acknowledged if what == "weighing"]
    kept = recording.kept(len(recording.entries))
    with Replay(recording, path).cut(len(recording.entries), None, recording.index(positions[-3])) as disk:
        try:
            inspector.inspect(disk, kept)
        except Failure as failure:
            expect(f"what is found is what is missing: {failure}", "acknowledged weighings are missing" in str(failure))
        else:
            raise Failure("a disk that has lost weighings was not found")


def inspect_torn_superblock(recording, inspector, path):
    """A superblock of the state of which one sector is old, and which no mount accepts: e2fsck repairs it, and nothing is missing."""
    index, repaired = len(recording.entries), inspector.repaired
    with Replay(recording, path).cut(index, random.Random(0)) as disk:
        second = disk.parts["state"][0] + 3 * SECTOR
        with recording.base.open("rb") as old, disk.path.open("r+b") as new:
            old.seek(second)
            new.seek(second)
            new.write(old.read(SECTOR))
        inspector.inspect(disk, recording.kept(index))
    expect("a torn superblock needs e2fsck", inspector.repaired > repaired)


def inspect_cuts(case, recordings):
    """Inspects the disks of `--points` cuts, after those that a test has to find a fault on, and that e2fsck has to repair."""
    options, path = case.options, case.folder / "cut"
    package = case.images.update(1, lambda root: None)[1]
    size, checksum = (subprocess.run(["dpkg-deb", "--field", package, f"Grampad-Root-{name}"], check=True, stdout=subprocess.PIPE,
                                     text=True).stdout.strip() for name in ("Size", "Sha256"))
    failures, begun, counts = [], time.monotonic(), collections.Counter()
    inspector = Inspector(case.disk, (int(size), checksum), case.folder)
    try:
        for recording in recordings:
            inspect_lie(recording, inspector, path)
            inspect_torn_superblock(recording, inspector, path)
        inspector.repaired = 0
        for disk, kept, where in disks(choose_points(recordings, options.points, options.seed), path):
            counts[where.partition(",")[0]] += 1
            try:
                inspector.inspect(disk, kept)
            except Failure as failure:
                failures.append(f"{where}: {failure}")
                print(f"# {failures[-1]}", flush=True)
    finally:
        inspector.close()
    seconds = time.monotonic() - begun
    print(f"# {sum(counts.values())} cuts in {seconds:.0f} s: {dict(counts)}; {inspector.repaired} needed e2fsck", flush=True)
    expect(f"{len(failures)} of the disks have a fault, such as {failures[:1]}", not failures)


def start_after_cuts(case, recordings):
    """Starts the machine from `--boots` of the disks, spread over the phases."""
    points = choose_points(recordings, case.options.points, case.options.seed)
    step = max(1, len(points) // max(1, case.options.boots))
    for disk, kept, where in disks(points[step // 2::step][:case.options.boots], case.folder / "cut"):
        print(f"# {where}: {start_from(case, disk, kept):.0f} s to a reading, with {len(kept['weighing'])} weighings", flush=True)


def power_cuts(case):
    """Power is cut at random points of a recorded first start and a recorded update: nothing that was acknowledged is missing, and the
    machine starts by itself. A disk that lies about flushes fails the same test."""
    first = record_first_start(case)
    recordings = [first, record_update(case, first)]
    inspect_cuts(case, recordings)
    start_after_cuts(case, recordings)
