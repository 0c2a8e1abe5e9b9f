"""The glasses' own command: run, sim, doctor, setup, enrol and bench. Experimental, see docs/voice.md."""

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path

import click
import msgspec

from edge import app, bench, doctor, enrolling, setup, sim
from edge.engines.choice import EARS, make_ear
from edge.made_up import PROMPT
from edge.phrase_files import phrasebook
from edge.recordings import NOISES, Noise, read_labels
from edge.settings import EdgeSettings, read_settings
from edge.speaker_files import forget_template, keep_template, lock_for
from hub.kit.called import as_called
from hub.kit.setup_dialog import can_ask, settle

FOLDER = Path("~/.config/pulse-edge")
SETTINGS = "edge.toml"
FAILED = 1
ENROL_FROM = "Take this recording instead of the microphone: one sentence each, eight or so."


class CommandContext:
    """Where the settings, the login and the models of these glasses are."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def settings(self) -> EdgeSettings:
        """Read the settings there."""
        return read_settings(self.folder / SETTINGS)


@click.group()
@click.option("--home", type=click.Path(path_type=Path), default=None, help="Where the settings and the login are.")
@click.pass_context
def main(context: click.Context, home: Path | None) -> None:
    """Pulse on glasses: suggestions read aloud, answers understood on the device."""
    folder = home or Path(os.environ.get("PULSE_EDGE_HOME", str(FOLDER)))
    context.obj = CommandContext(folder.expanduser())


@main.command()
@click.option("--show", is_flag=True, help="Also print each change of phase; never what was said or heard.")
@click.pass_obj
def run(here: CommandContext, *, show: bool) -> None:
    """Read suggestions aloud and listen for answers, until stopped."""
    asyncio.run(_until_stopped(here, show=show))


def _print(line: str) -> None:
    click.echo(line)
    sys.stdout.flush()


async def _until_stopped(here: CommandContext, *, show: bool) -> None:
    loop = asyncio.get_running_loop()
    running = asyncio.ensure_future(app.run(here.settings(), here.folder, _print, show=show))
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, running.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await running


@main.command(name="sim")
@click.option(
    "--wav",
    "wavs",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Hear this recording instead of typed words; several are heard one after the other.",
)
@click.option("--risk", type=click.Choice(["low", "medium", "high"]), default="low", show_default=True)
@click.option("--prompt", default=PROMPT, help="What the card suggests.")
@click.pass_obj
def simulate(here: CommandContext, wavs: tuple[Path, ...], risk: str, prompt: str) -> None:
    """Try a conversation about a made-up card, typed or from recordings. Nothing is sent anywhere."""
    settings = here.settings()
    lock = lock_for(settings, here.folder, lambda line: click.echo(line, err=True))
    sim.run(settings, prompt, risk, wavs=wavs, typed=sys.stdin, shown=sys.stdout, lock=lock)


@main.command()
@click.option("--wav", "wavs", multiple=True, type=click.Path(exists=True, path_type=Path), help=ENROL_FROM)
@click.option("--forget", is_flag=True, help="Delete your voice profile.")
@click.pass_obj
def enrol(here: CommandContext, wavs: tuple[Path, ...], *, forget: bool) -> None:
    """Teach the glasses your voice, for `speaker_lock`: eight short sentences. No audio is stored."""
    if forget:
        forget_template(here.folder)
        click.echo("Your voice profile was deleted.")
        return
    settings = here.settings()
    sentences = enrolling.recorded(wavs) if wavs else asyncio.run(enrolling.spoken(settings, here.folder, _print))
    path = keep_template(here.folder, enrolling.template_of(sentences))
    click.echo(enrolling.advice(path, on=settings.speaker_lock))


@main.command(name="doctor")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_obj
def examine(here: CommandContext, *, as_json: bool) -> None:
    """Check microphone, speaker, ear, mouth, battery and the way to the hub; say how to fix problems."""
    findings = asyncio.run(doctor.examine(here.settings(), here.folder))
    click.echo(msgspec.json.encode(findings) if as_json else doctor.table(findings))
    if any(one.status == "bad" for one in findings):
        sys.exit(FAILED)


@main.command(name="setup")
@click.option("--language", type=click.Choice(sorted(setup.MODELS)), default="en", show_default=True)
@click.option("--from", "source", default="", help="Another address of the model's archive, or a file.")
@click.option("--sha256", default="", help="Its checksum; needed with an address of your own.")
@click.pass_obj
def fetch(here: CommandContext, language: str, source: str, sha256: str) -> None:
    """Fetch the vosk model of a language, check it, print the settings with which it is used, and play a test tone.

    It asks for another archive where this one cannot be had.
    """

    def fetched(values: dict[str, str]) -> Path:
        return setup.fetch(here.folder, language, values[setup.SOURCE.name], sha256, _print_beside)

    given = {setup.SOURCE.name: source or setup.MODELS[language].address}
    _, folder = settle((setup.SOURCE,), given, fetched, _print_beside)
    _print_beside(f"To use it, put this into {here.folder / SETTINGS}:")
    click.echo(f'ear = "vosk"\nlanguage = "{language}"\nvosk_model = "{folder}"')
    _try_out(here)


def _try_out(here: CommandContext) -> None:
    """Try every part, and ask whether the tone was heard; what does not work is named, with what to do."""
    findings = asyncio.run(doctor.examine(here.settings(), here.folder))
    _print_beside(doctor.table(findings))
    is_heard = not can_ask() or click.confirm("Did you hear a long tone?", default=True, err=True)
    if not is_heard or any(one.status == "bad" for one in findings):
        _print_beside(
            as_called("✗ The test did not arrive. Do what stands behind the arrows, then: `pulse edge doctor`."), "red"
        )
        sys.exit(FAILED)
    _print_beside("✓ The test was heard." if can_ask() else "✓ The test tone was played.", "green")


def _print_beside(text: str = "", tone: str | None = None) -> None:
    click.secho(text, fg=tone, err=True)


@main.command(name="bench")
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option(
    "--engine", "engines", multiple=True, type=click.Choice(EARS), default=["pocketsphinx"], show_default=True
)
@click.option("--noise", "noises", multiple=True, default=NOISES, show_default=True)
@click.option("--most", type=int, default=0, help="Take only so many recordings, evenly spread.")
@click.pass_obj
def benchmark(
    here: CommandContext, folder: Path, *, as_json: bool, engines: list[str], noises: list[Noise], most: int
) -> None:
    """Measure the ears on a folder of recordings with labels.json."""
    recordings = read_labels(folder)
    if most and most < len(recordings):
        recordings = [recordings[at * len(recordings) // most] for at in range(most)]
    settings, results = here.settings(), []
    for engine in engines:
        ear = make_ear(msgspec.structs.replace(settings, ear=engine))
        for noise in noises:
            results.append(bench.measure(ear, phrasebook(settings.language), folder, recordings, noise)[0])
            if not as_json:
                click.echo(bench.line(results[-1]))
    if as_json:
        click.echo(msgspec.json.encode(results))
