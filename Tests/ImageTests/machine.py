"""A machine in QEMU that starts from an image, as the tests see it: its disk, its network, its power."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import time
import urllib.request

SECTOR = 512
MIB = 1 << 20
# A case may run next to other programs, and waits longer for what it does not measure; in seconds.
PATIENCE = 300
# How much slower than a PC a board is emulated: its limits are longer.
SLOWNESS = {"efi-amd64": 1, "efi-arm64": 2, "rpi": 4}
# Where the firmware of the processor is in Debian's packages, and the machine that it is for.
FIRMWARE = {
    "efi-amd64": ("/usr/share/OVMF/OVMF_CODE_4M.fd", "/usr/share/OVMF/OVMF_VARS_4M.fd"),
    "efi-arm64": ("/usr/share/AAVMF/AAVMF_CODE.fd", "/usr/share/AAVMF/AAVMF_VARS.fd"),
}


class Failure(Exception):
    """Why a case has failed."""


def expect(what, condition):
    """Fails with `what` unless the condition holds."""
    if not condition:
        raise Failure(what)


def free_port():
    """A port of loopback that no program uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Disk:
    """A disk with an image on it; without an image, the one that is there."""

    def __init__(self, image, path):
        self.path = pathlib.Path(path)
        if image:
            subprocess.run(["zstd", "--quiet", "--force", "--decompress", "--sparse", image, "-o", self.path], check=True)
        table = json.loads(subprocess.run(["sfdisk", "--json", self.path], check=True, stdout=subprocess.PIPE).stdout)
        self.parts = {
            part["name"].removeprefix("grampad-"): (part["start"] * SECTOR, part["size"] * SECTOR)
            for part in table["partitiontable"]["partitions"]
        }

    def write_boot_file(self, name, text):
        """Writes a file on the boot partition, as a user does on another computer."""
        at = f"{self.path}@@{self.parts['boot'][0]}"
        subprocess.run(["mdel", "-i", at, f"::{name}"], stderr=subprocess.DEVNULL, check=False)
        subprocess.run(["mcopy", "-i", at, "-", f"::{name}"], input=text if isinstance(text, bytes) else text.encode(), check=True)

    def read_boot_file(self, name):
        """The text of a file on the boot partition."""
        return self.read_boot_bytes(name).decode()

    def read_boot_bytes(self, name):
        """The content of a file on the boot partition."""
        at = f"{self.path}@@{self.parts['boot'][0]}"
        return subprocess.run(["mtype", "-i", at, f"::{name}"], check=True, stdout=subprocess.PIPE).stdout

    def add_to_command_line(self, words):
        """Adds words to the kernel's command line in the file of the boot loader, unless they are there."""
        name = "EFI/debian/grub.cfg"
        text = self.read_boot_file(name)
        if words not in text:
            self.write_boot_file(name, text.replace(" panic=10 ", f" panic=10 {words} "))

    def part(self, label, count=None):
        """The first bytes of a partition."""
        start, size = self.parts[label]
        with self.path.open("rb") as file:
            file.seek(start)
            return file.read(count or size)

    def write_part(self, label, data):
        """Replaces the first bytes of a partition."""
        with self.path.open("r+b") as file:
            file.seek(self.parts[label][0])
            file.write(data)

    @property
    def slots(self):
        """The settings of the boot loader, `slot` and `try`, in the only file of their partition."""
        return dict(re.findall(r"^(slot|try)=(.*)$", self.block, re.MULTILINE))

    @property
    def trials(self):
        """How often the boot loader is going to try a system that it does not keep."""
        return len(re.findall(r"^(?:try|again)=[ab]$", self.block, re.MULTILINE))

    @property
    def block(self):
        """The variables of the boot loader; what follows them has no meaning."""
        return self.split_slots()[1][:SECTOR].decode()

    def split_slots(self):
        """The partition of the slots: what is before the boot loader's block of two sectors, the block after its first line, and the rest."""
        before, line, rest = self.part("slots").partition(b"# GRUB Environment Block\n")
        end = 2 * SECTOR - len(line)
        return before, rest[:end], rest[end:]


class Machine:
    """A machine with two processors, emulated without KVM, and 1 GiB of memory. For the board `rpi` it is a Raspberry Pi 3, which has four,
    and no network: the USB controller of QEMU 7.2 loses its devices with the kernel's driver. Its page is read in the machine."""

    def __init__(self, board, disk, folder, services=(), has_shell=False):
        """`services` are ports of loopback that the machine reaches as 10.0.2.100, port 80, 81 and so on. With `has_shell`, this disk
        starts a shell of root at a second serial port, which no image has."""
        self.board, self.disk, self.folder = board, disk, pathlib.Path(folder)
        self.folder.mkdir(exist_ok=True)
        self.port = free_port()
        self.services = services
        self.socket = self.folder / "shell" if has_shell or board == "rpi" else None
        if self.socket:
            disk.add_to_command_line("systemd.debug_shell=ttyS1")
        # Whether it reaches no other machine, such as a time server.
        self.is_isolated = False
        # More arguments of QEMU.
        self.devices = []
        if board == "rpi":
            # QEMU resets this board as soon as its watchdog is started.
            disk.add_to_command_line("systemd.watchdog_sec=0")
            # The serial port of the shell is a console as well: nothing but a panic is written to it.
            disk.add_to_command_line("loglevel=1")
            # The size of a card is a power of two there.
            os.truncate(disk.path, 4 << 30)
        self.process = None
        # The log of everything that is written to the disk, if it is recorded; see powercuts.py.
        self.recording = None
        self.starts = 0
        self.started = 0.0
        # The connection to the shell, and how many commands it has had.
        self.terminal = None
        self.commands = 0

    def start(self):
        """Switches the power on."""
        self.starts += 1
        self.console = self.folder / f"console-{self.starts}"
        network = f"user,restrict={'on' if self.is_isolated else 'off'},hostfwd=tcp:127.0.0.1:{self.port}-:80"
        for number, port in enumerate(self.services):
            network += f",guestfwd=tcp:10.0.2.100:{80 + number}-cmd:busybox nc 127.0.0.1 {port}"
        arguments = ["-accel", "tcg,thread=multi", "-nodefaults", "-display", "none", "-serial", f"file:{self.console}", *self.devices]
        if self.socket:
            arguments += ["-serial", f"unix:{self.socket},server,nowait"]
        program = self.raspberry_pi() if self.board == "rpi" else self.virtual_machine(network)
        self.started = time.monotonic()
        with (self.folder / "qemu").open("ab") as log:
            self.process = subprocess.Popen(program + arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        if self.board == "rpi":
            self.leave_first_processor_alone()

    def leave_first_processor_alone(self):
        """The other three processors of a Raspberry Pi wait in a loop until the kernel starts them. A real one sleeps there, an emulated one
        does not: the first one, which runs the boot loaders, gets a processor of this host for itself."""
        own = sorted(os.sched_getaffinity(0))
        threads = pathlib.Path(f"/proc/{self.process.pid}/task")

        def others():
            found = [thread.name for thread in threads.iterdir() if re.match("CPU [123]/TCG", (thread / "comm").read_text())]
            return found if len(found) == 3 else None

        for thread in self.wait("processors", others, 10):
            os.sched_setaffinity(int(thread), own[1:] or own)

    def virtual_machine(self, network):
        """The program of a virtual machine with UEFI."""
        program = {
            "efi-amd64": ["qemu-system-x86_64", "-machine", "q35", "-cpu", "max"],
            "efi-arm64": ["qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a72"],
        }[self.board] + ["-smp", "2", "-m", "1024", "-nic", f"{network},model=virtio-net-pci"]
        code, variables = FIRMWARE[self.board]
        own = self.folder / "variables"
        if not own.exists():
            shutil.copy(variables, own)
        program += ["-drive", f"if=pflash,format=raw,readonly=on,file={code}", "-drive", f"if=pflash,format=raw,file={own}"]
        if self.recording:
            # The machine sees a disk with a cache, and flushes it. That of this host does not matter: the log counts.
            return program + ["-blockdev", "driver=blklogwrites,node-name=disk"
                              f",file.driver=file,file.filename={self.disk.path},file.cache.no-flush=on"
                              f",log.driver=file,log.filename={self.recording},log.cache.no-flush=on",
                              "-device", "virtio-blk-pci,drive=disk,write-cache=on,discard=off,write-zeroes=off"]
        return program + ["-drive", f"file={self.disk.path},format=raw,if=virtio,cache=writeback"]

    def raspberry_pi(self):
        """The program of a Raspberry Pi 3. QEMU and this do what the board's firmware does: U-Boot starts with the device tree, to which the
        overlays are applied, all of them from the card."""
        names = re.findall(r"^dtoverlay=(.*)$", self.disk.read_boot_file("config.txt"), re.MULTILINE)
        files = []
        for name in ("u-boot.bin", "bcm2837-rpi-3-b.dtb", *(f"overlays/{name}.dtbo" for name in names)):
            files.append(self.folder / pathlib.Path(name).name)
            files[-1].write_bytes(self.disk.read_boot_bytes(name))
        kernel, tree, *overlays = files
        subprocess.run(["fdtoverlay", "-i", tree, "-o", self.folder / "tree", *overlays], check=True)
        return ["qemu-system-aarch64", "-machine", "raspi3b", "-name", "rpi,debug-threads=on", "-kernel", kernel, "-dtb", self.folder / "tree",
                "-drive", f"file={self.disk.path},format=raw,if=sd,cache=writeback"]

    def processor_seconds(self):
        """The processor time that the machine has used since its start, on this host."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def cut_power(self):
        """Ends the machine at once. What it has not flushed is on its disk all the same; powercuts.py is about what can be lost."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None
        self.forget_shell()

    def forget_shell(self):
        """The next command is for a shell of the next start."""
        if self.terminal:
            self.terminal.close()
            self.terminal = None

    def log(self):
        """The console since the last start, without control sequences."""
        text = self.console.read_bytes().decode(errors="replace") if self.console.exists() else ""
        return re.sub(r"\x1b\[[0-9;?=]*[a-zA-Z]|\r", "", text)

    def wait(self, what, found, limit):
        """Waits until `found()` is not None, at most until `limit` seconds after the start, on a slower board longer."""
        limit *= SLOWNESS[self.board]
        while time.monotonic() - self.started < limit:
            if self.process.poll() is not None:
                raise Failure(f"QEMU ended: {(self.folder / 'qemu').read_text()[-500:]}")
            try:
                answer = found()
            except OSError:
                answer = None
            if answer is not None:
                return answer
            # A machine that starts has no other sign; a fifth of a second costs it nothing.
            time.sleep(0.2)
        raise Failure(f"no {what} within {limit} s; the console ends with:\n{self.log()[-2000:]}")

    def get(self, path, token=None):
        """The body of a page."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.read().decode()

    def event(self, name):
        """The next event of the page with a name, or None if the connection ends."""
        if self.board == "rpi":
            return self.event_in_machine(name)
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/live", timeout=10) as stream:
            current = ""
            for line in stream:
                line = line.decode().rstrip("\n")
                if line.startswith("event: "):
                    current = line[7:]
                elif line.startswith("data: ") and current == name:
                    return json.loads(line[6:])
        return None

    def event_in_machine(self, name):
        """The same, for a machine without a network."""
        _, said = self.attempt(
            "timeout 10 bash -c 'exec 3<>/dev/tcp/127.0.0.1/80; printf \"GET /api/live HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n\" >&3; "
            f"grep --max-count 1 --after-context 3 \"^event: {name}\" <&3'", PATIENCE)
        found = re.search(r"^data: (.*)$", said, re.MULTILINE)
        return json.loads(found[1]) if found else None

    def reading(self, limit=300):
        """Waits for a reading; returns it, and the seconds since the start."""

        def weighs():
            reading = self.event("live")
            return reading if reading and reading["state"] != "offline" else None

        reading = self.wait("reading", weighs, limit)
        return reading, time.monotonic() - self.started

    def shell(self, command, limit=60):
        """Runs a command as root in a machine that `has_shell`; returns what it prints. A failure is a failure of the case."""
        status, output = self.attempt(command, limit)
        if status != 0:
            raise Failure(f"{command}: status {status}, {output}")
        return output

    def attempt(self, command, limit=60):
        """Runs a command as root in a machine that `has_shell`; returns its status and what it prints."""
        if not self.terminal:
            terminal = socket.socket(socket.AF_UNIX)
            terminal.connect(str(self.socket))
            self.terminal = terminal
            # What is typed before the shell reads is lost. Another shell, which does not edit lines: it repeats nothing.
            deadline = time.monotonic() + limit
            while not self.hear(r"(ready)\r?\n", 5, b"\nexec env PS1= PS2= dash\nstty -echo; echo re''ady\n"):
                if time.monotonic() > deadline:
                    raise Failure(f"no shell within {limit} s")
        self.commands += 1
        found = self.hear(rf"(?s)(.*)end-{self.commands}-([0-9]+)\.\r?\n", limit,
                          # Programs write to a file as they do without a terminal.
                          f"{{ {command}\n}} >/run/said 2>&1; status=$?; cat /run/said; echo 'end-'{self.commands}-$status.\n".encode())
        if not found:
            raise Failure(f"{command!r} did not end within {limit} s")
        return int(found[2]), found[1].replace("\r", "")

    def hear(self, pattern, limit, said):
        """Types something in the shell, and waits until it has printed what the pattern finds; `None` if it has not."""
        self.terminal.sendall(said)
        heard, deadline = b"", time.monotonic() + limit
        while not (found := re.search(pattern, heard.decode(errors="replace"))):
            self.terminal.settimeout(max(0.1, deadline - time.monotonic()))
            try:
                data = self.terminal.recv(65536)
            except TimeoutError:
                return None
            if not data:
                raise Failure("the shell has ended")
            heard += data
        return found
