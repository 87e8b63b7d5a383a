"""`grampad mcp` with the Python client of the Model Context Protocol, in both generations of the protocol."""

import asyncio
import os
import subprocess
import time

import anyio
from appliance import check, finish, running
from mcp import Client, StdioServerParameters

TOOLS = ["read_scale", "tare", "commit", "list_weighings", "clear_tare", "zero", "relabel", "void"]
TOOLS += ["timer", "target", "dose", "stop_dose", "count", "list_containers", "store_container", "remove_container"]


async def until_done(client, name, arguments=None, seconds=60):
    """Calls a tool until the scale accepts it: the simulated load comes and goes."""
    end = time.monotonic() + seconds
    while True:
        result = await client.call_tool(name, arguments or {})
        if not result.is_error or time.monotonic() > end:
            return result


async def use(client, mode):
    """Uses every tool once."""

    def checked(name, passed, detail=""):
        check(f"mcp {mode}: {name}", passed, detail)

    versions = {"legacy": "2025-11-25", "auto": "2026-07-28"}
    checked("version", client.protocol_version == versions[mode], client.protocol_version)
    listed = (await client.list_tools()).tools
    checked("tools", [tool.name for tool in listed] == TOOLS, [tool.name for tool in listed])
    hints = {tool.name: tool.annotations for tool in listed}
    read_only = sorted(name for name, hint in hints.items() if hint.read_only_hint)
    checked("read-only tools", read_only == ["list_containers", "list_weighings", "read_scale"], read_only)
    destructive = sorted(name for name, hint in hints.items() if hint.destructive_hint)
    expected = ["clear_tare", "dose", "relabel", "remove_container", "store_container", "tare", "void", "zero"]
    checked("destructive tools", destructive == expected, destructive)
    checked("descriptions", all(len(tool.description or "") > 40 for tool in listed))

    # The client validates each result against the schema of the tool and raises if it does not match.
    reading = await client.call_tool("read_scale", {"wait_stable_s": 30})
    values = reading.structured_content
    checked("reading", not reading.is_error and values["stable"] is True and values["printable"].endswith(" g"), reading)
    tared = await until_done(client, "tare")
    checked("tare", not tared.is_error and tared.structured_content["reading"]["tare_g"] > 0, tared)
    after = (await client.call_tool("read_scale", {})).structured_content
    checked(
        "a reading after the tare is not from before it",
        after["tare_epoch"] >= tared.structured_content["reading"]["tare_epoch"],
        after,
    )
    cleared = await until_done(client, "clear_tare")
    checked("clear tare", not cleared.is_error, cleared)
    again = await client.call_tool("clear_tare", {})
    checked("rejection with its reason", again.is_error and "no_tare" in again.content[0].text, again)

    label = f"rye {mode}"
    committed = await until_done(client, "commit", {"label": label})
    record = (committed.structured_content or {}).get("weighing") or {}
    checked("commit", record.get("label") == label and record.get("net_g", 0) > 0, committed)
    found = (await client.call_tool("list_weighings", {"label": label})).structured_content
    checked(
        "list",
        found["complete"] and found["count"] == 1 and found["total_net_g"] == record["net_g"]
        and found["weighings"][0]["id"] == record["id"],
        found,
    )
    relabelled = await until_done(client, "relabel", {"sequence": record["sequence"], "label": label + " 2"})
    checked("relabel", not relabelled.is_error, relabelled)
    for named in ({}, {"id": record["id"], "sequence": record["sequence"]}):
        unclear = await client.call_tool("void", named)
        checked("either id or sequence", unclear.is_error and "give either id or sequence, not both" in unclear.content[0].text, unclear)
    voided = await until_done(client, "void", {"id": record["id"]})
    checked("void", voided.structured_content["weighing"]["net_g"] == -record["net_g"], voided)
    gone = (await client.call_tool("list_weighings", {"since": "1h"})).structured_content
    checked("a voided weighing is not listed", gone["count"] == 0 and gone["weighings"] == [], gone)
    marked = (await client.call_tool("list_weighings", {"include_voided": True})).structured_content["weighings"]
    checked("unless asked for", [(w["label"], w["voided"]) for w in marked][:1] == [(label + " 2", True)], marked)
    wrong = await client.call_tool("list_weighings", {"limit": 0})
    checked("wrong arguments are an error of the tool", wrong.is_error and "limit" in wrong.content[0].text, wrong)
    zeroed = await until_done(client, "zero")
    checked("zero", not zeroed.is_error, zeroed)
    await use_instruments(client, checked)


async def use_instruments(client, checked):
    """Uses the tools for timer, target, doses, counting and containers."""

    async def call(tool, /, **arguments):
        return await client.call_tool(tool, arguments)

    async def reading():
        return (await call("read_scale")).structured_content

    started = await call("timer", do="start")
    checked("timer", started.structured_content["reading"]["timer_s"] >= 0, started)
    reset = await call("timer", do="reset")
    checked("reset timer", "timer_s" not in reset.structured_content["reading"], reset)
    wrong = await call("timer", do="pause")
    checked("unknown command of the timer", wrong.is_error and "start, stop, reset" in wrong.content[0].text, wrong)

    target = await call("target", target_g=18, tolerance_g=0.5)
    values = target.structured_content["reading"]["target"]
    checked("target", (values["target_g"], values["tolerance_g"]) == (18, 0.5), target)
    ended = await call("target")
    checked("end target", "target" not in ended.structured_content["reading"], ended)
    wrong = await call("target", target_g=0)
    checked("a target of 0", wrong.is_error and "target_g" in wrong.content[0].text, wrong)
    wrong = await call("target", target_g=900_000)
    checked("a target above the capacity", wrong.is_error and "bad_payload" in wrong.content[0].text, wrong)

    unknown = await call("dose", output="kettle", target_g=300)
    checked("a dose of an unknown output", unknown.is_error and "unknown_output" in unknown.content[0].text, unknown)
    # The target is above all loads of the script.
    dosed = await until_done(client, "dose", {"output": "grinder", "target_g": 384, "label": "beans"})
    values = dosed.structured_content["reading"]["target"]
    checked("dose", (values["target_g"], values["stop_ahead"], values["dose"]) == (384, True, "running"), dosed)
    stopped = await call("stop_dose")
    values = stopped.structured_content["reading"].get("target", {})
    checked("stop the dose", not stopped.is_error and values.get("dose") != "running", stopped)

    counted = await until_done(client, "count", {"pieces": 2})
    values = counted.structured_content["reading"]
    # The count is null if the load is too light for the noise of the simulated pad.
    checked("count", values["piece_g"] > 0 and values["pieces"] in (2, None), counted)
    given = await call("count", piece_g=3.2)
    checked("piece mass", given.structured_content["reading"]["piece_g"] == 3.2, given)
    both = await call("count", piece_g=3.2, pieces=5)
    checked("not both", both.is_error and "not together with pieces" in both.content[0].text, both)
    ended = await call("count")
    checked("end counting", "piece_g" not in ended.structured_content["reading"], ended)

    name = 'jug "ü" <b>'
    stored = await until_done(client, "store_container", {"name": name})
    checked("store container", not stored.is_error, stored)
    listed = (await call("list_containers")).structured_content["containers"]
    checked("list containers", [entry["name"] for entry in listed] == [name] and listed[0]["tare_g"] > 0, listed)
    tared = await call("tare", container=name)
    values = tared.structured_content["reading"]
    checked("tare by name", values["container"] == name and abs(values["tare_g"] - listed[0]["tare_g"]) <= 0.5, tared)
    checked("the reading names the container", (await reading())["container"] == name)
    removed = await call("remove_container", name=name)
    checked("remove container", not removed.is_error, removed)
    listed = (await call("list_containers")).structured_content["containers"]
    checked("no containers", listed == [], listed)
    unknown = await call("tare", container=name)
    checked("unknown container", unknown.is_error and "unknown_container" in unknown.content[0].text, unknown)
    preset = await call("tare", tare_g=12.5)
    values = preset.structured_content["reading"]
    checked("preset tare", values["tare_g"] in (12, 13) and "container" not in values, preset)
    cleared = await call("clear_tare")
    checked("the tare is cleared again", not cleared.is_error, cleared)


async def by(appliance, mode):
    """Connects with one generation of the protocol, uses the tools and disconnects."""
    # The client's own transport gives a server only a few variables of the environment.
    server = StdioServerParameters(
        command=os.environ["GRAMPAD"], args=["mcp", "--config", appliance.configuration], env=dict(os.environ)
    )
    begin = time.monotonic()
    async with Client(server, mode=mode) as client:
        with anyio.fail_after(300):
            await use(client, mode)
        begin = time.monotonic()
    # The client waits for 2 s before it kills a server that goes on after the end of its input.
    seconds = time.monotonic() - begin
    check(f"mcp {mode}: ends with its input", seconds < 1.9, f"{seconds:.1f} s")


def test_without_a_client(appliance):
    """What a client sees that sends everything at once, and when the appliance is gone."""
    lines = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
        '"clientInfo":{"name":"test","version":"1"}}}\n'
        '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
        '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_scale"}}\n'
    )

    def serve(arguments):
        return subprocess.run(
            [os.environ["GRAMPAD"], "mcp", *arguments], input=lines, capture_output=True, text=True, timeout=60,
            check=False,
        )

    ended = serve(["--config", appliance.configuration])
    answers = ended.stdout.splitlines()
    check(
        "mcp: answers calls in progress at the end of the input",
        ended.returncode == 0 and len(answers) == 2 and '"net_g"' in answers[1] and ended.stderr == "",
        ended,
    )
    other = serve(["--broker", f"mqtt://127.0.0.1:{appliance.broker}", "--device", "attic", "--config", appliance.configuration])
    check("mcp: no such appliance", "no reading within" in other.stdout and other.returncode == 0, other)
    appliance.end()
    alone = serve(["--config", appliance.configuration])
    check("mcp: no broker", "no broker" in alone.stdout and '"isError":true' in alone.stdout, alone)


def main():
    with running(more="outputs: [{name: grinder, topic: plug/grinder/set}]\n") as appliance:
        for mode in ["legacy", "auto"]:
            asyncio.run(by(appliance, mode))
        test_without_a_client(appliance)
    finish()


main()
