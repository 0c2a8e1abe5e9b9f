"""`pulse watch` on a pseudo-terminal against a real hub: a card comes, a key approves it, it runs, it is proven."""

import json
import signal
import subprocess
import sys
import termios

import pytest

from tests.cli.real_hub import PULSE, RealHub
from tests.surfaces.terminal.small_terminal import SmallTerminal

pytestmark = pytest.mark.slow


def watching(hub: RealHub, columns: int = 90) -> SmallTerminal:
    return SmallTerminal([*PULSE, "watch"], hub.environment, columns=columns)


def deliveries(hub: RealHub, card_id: str) -> str:
    return hub.pulse("why", card_id, "--all").stdout


def test_a_card_is_seen_approved_run_and_proven(real_hub: RealHub) -> None:
    hint = "Summarise the commits of today"
    with watching(real_hub) as terminal:
        terminal.until("●")
        real_hub.pulse("trigger", "--force", "--hint", hint)
        terminal.until(hint)
        assert "online" in real_hub.pulse("devices").stdout
        card = json.loads(real_hub.pulse("cards", "--json").stdout)["predictions"][0]
        assert card["prompt"] == hint
        terminal.press_until("j", f"│ {hint}")
        terminal.press("a")
        terminal.until("done: ")
        terminal.press("q")
        assert terminal.until_left() == 0
        assert termios.tcgetattr(terminal._ours) == terminal.before  # noqa: SLF001  what a shell would find
    told = deliveries(real_hub, card["id"])
    assert "done, approved by you in the terminal" in told
    assert "the card to terminal/local: acted" in told
    assert "away" in real_hub.pulse("devices").stdout


def test_a_question_is_answered_from_the_terminal_and_can_be_undone(real_hub: RealHub) -> None:
    with watching(real_hub, columns=60) as terminal:
        terminal.until("●")
        asking = real_hub.begin("ask", "Deploy the shop?", "--risk", "high", "--timeout", "1m")
        terminal.until("Deploy the shop?")
        terminal.press_until("j", "│ Deploy the shop?")
        terminal.resize(50, 30)
        terminal.until("risky")
        terminal.press_until("a", "This one is risky")
        terminal.press("y")
        assert asking.wait(20) == 0
        asking.communicate()
        terminal.until("approved by you in the terminal")
        asking = real_hub.begin("ask", "Write to everybody?", "--timeout", "1m")
        terminal.until("Write to everybody?")
        terminal.press_until("j", "│ Write to everybody?")
        terminal.press_until("d", "dismissed by you")
        assert asking.wait(20) == 1
        asking.communicate()
        terminal.press("u")
        terminal.until("the card is open again")
        terminal.press("q")
        assert terminal.until_left() == 0


def test_a_second_terminal_gets_a_name_of_its_own_and_both_settle(real_hub: RealHub) -> None:
    with watching(real_hub) as first:
        first.until("●")
        with watching(real_hub) as second:
            second.until("●")
            asking = real_hub.begin("ask", "Go on?", "--timeout", "1m")
            for terminal in (first, second):
                terminal.until("Go on?")
            assert "Go on?" in real_hub.pulse("cards").stdout
            assert real_hub.pulse("reject", "latest", "--reason", "not today").returncode == 0
            assert asking.wait(20) == 1
            asking.communicate()
            for terminal in (first, second):
                terminal.until("dismissed by you on the command line")
            assert "terminal/local-2" in real_hub.pulse("devices").stdout
            second.press("\x03")
            assert second.until_left() == 0
        first.program.terminate()
        assert first.until_left() == 0


def test_a_hub_that_stops_and_comes_back(real_hub: RealHub) -> None:
    asking = real_hub.begin("ask", "Still there?", "--timeout", "2m")
    with watching(real_hub) as terminal:
        terminal.until("Still there?")
        real_hub.stop()
        terminal.until("no connection to the broker")
        assert "Still there?" in terminal.text
        real_hub.start()
        terminal.until_gone("no connection to the broker")
        assert asking.poll() is None
        terminal.press_until("j", "│ Still there?")
        terminal.press_until("a", "approved by you in the terminal")
        assert asking.wait(40) == 0
        asking.communicate()


def test_an_answer_that_a_dying_hub_may_not_have_heard_is_handed_in_again(real_hub: RealHub) -> None:
    asking = real_hub.begin("ask", "Heard me?", "--timeout", "2m")
    with watching(real_hub) as terminal:
        terminal.until("Heard me?")
        terminal.press_until("j", "│ Heard me?")
        assert real_hub.process is not None
        real_hub.process.send_signal(signal.SIGSTOP)
        terminal.press_until("a", "sending your answer")
        real_hub.stop(signal.SIGKILL)
        real_hub.start()
        terminal.until("approved by you in the terminal")
        assert asking.wait(40) == 0
        asking.communicate()


def test_into_a_pipe_it_prints_lines(real_hub: RealHub) -> None:
    program = [sys.executable, "-m", "hub", "watch", "--name", "log"]
    with subprocess.Popen(
        program, env=real_hub.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    ) as watch:
        assert watch.stdout is not None
        assert watch.stdout.readline().startswith("# up: mqtt://")
        asking = real_hub.begin("ask", "Deploy?", "--timeout", "1m")
        while "Deploy?" not in watch.stdout.readline():
            pass
        asking.terminate()
        assert asking.wait(20) == 130
        asking.communicate()
        watch.terminate()
        assert watch.wait(20) == 0
