"""A sound card without a sound card: a private PulseAudio with two null sinks, and what is played and heard on it.

`speaker` is what the glasses play on; its monitor proves what was audible. What is played into `mic_feed` comes out of
the microphone `virtmic`. With an echo, the speaker is heard by the microphone as well. An ALSA configuration names
them, so that PortAudio opens real streams. No network, no D-Bus, no hardware; a folder of its own.
"""

import contextlib
import os
import subprocess
import tempfile
import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from edge.engines.ear import Samples

WAIT_S_MAX = 60
LOOK_S = 0.05
STEADY_MS = 400
"""A longer stock than this of what is played makes no gaps on a busy machine, and costs only time before it begins."""
SERVER = """\
load-module module-native-protocol-unix auth-anonymous=1
load-module module-null-sink sink_name=speaker rate=48000 channels=1
load-module module-null-sink sink_name=mic_feed rate=48000 channels=1
load-module module-remap-source source_name=virtmic master=mic_feed.monitor
set-default-sink speaker
set-default-source virtmic
"""
ECHO = "load-module module-loopback source=speaker.monitor sink=mic_feed latency_msec=40\n"
ECHO_VOLUME = "40%"
"""Pulse's volumes are cubic: about 24 dB less than was played, as between an ear and a microphone beside it."""
CANCELLER = """\
load-module module-echo-cancel source_master=virtmic sink_master=speaker source_name=cancelled sink_name=cancelling \
aec_method=webrtc rate=32000 channels=1
"""
NAMES = ("virtmic", "speaker", "cancelled", "cancelling")


class SoundCard:
    """The running server and the environment in which programs find it."""

    def __init__(self, folder: Path, *, echo: bool = False, canceller: bool = False) -> None:
        runtime = folder / "run" / "pulse"
        runtime.mkdir(parents=True)
        (folder / "run").chmod(0o700)
        (folder / "server.pa").write_text(SERVER + ECHO * echo + CANCELLER * canceller)
        (folder / "asound.conf").write_text(
            "pcm.!default { type pulse }\nctl.!default { type pulse }\n"
            + "".join(f"pcm.{name} {{ type pulse device {name} }}\n" for name in NAMES)
        )
        self.own_environment = {
            "XDG_RUNTIME_DIR": str(folder / "run"),
            "PULSE_RUNTIME_PATH": str(runtime),
            "PULSE_STATE_PATH": str(folder / "state"),
            "PULSE_COOKIE": str(folder / "cookie"),
            "PULSE_SERVER": f"unix:{runtime}/native",
            "ALSA_CONFIG_PATH": f"/usr/share/alsa/alsa.conf:{folder / 'asound.conf'}",
        }
        self.environment = {**os.environ, **self.own_environment}
        self._log, self._echo = folder / "log", echo
        self._program = ["pulseaudio", "-n", "-F", str(folder / "server.pa"), "--daemonize=no", "--exit-idle-time=-1"]
        self._program += ["--disallow-exit=no", "--use-pid-file=no", f"--log-target=file:{self._log}"]
        self.start()

    def start(self) -> None:
        """Start the server; what was unplugged by `stop` can be found again."""
        self._process = subprocess.Popen(self._program, env=self.environment, stderr=subprocess.DEVNULL)
        for _ in range(int(WAIT_S_MAX / LOOK_S)):
            if self.ask("info").returncode == 0:
                self._soften_echo()
                return
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(LOOK_S)
                break
        self.stop()
        raise AssertionError(f"the sound server did not start: {self._log.read_text()[-2_000:]}")

    def _soften_echo(self) -> None:
        """The loop's stream is the only one that plays when the server has just started."""
        if self._echo:
            [line] = [one for one in self.ask("list", "short", "sink-inputs").stdout.splitlines() if "loopback" in one]
            self.ask("set-sink-input-volume", line.split()[0], ECHO_VOLUME)

    def ask(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run pactl."""
        return subprocess.run(
            ["pactl", *arguments], env=self.environment, capture_output=True, text=True, check=False, timeout=WAIT_S_MAX
        )

    def speak(self, path: Path) -> None:
        """Play a recording into the microphone, to its end."""
        program = ["paplay", "--device=mic_feed", f"--latency-msec={STEADY_MS}", str(path)]
        subprocess.run(program, env=self.environment, check=True, timeout=WAIT_S_MAX)

    @contextlib.contextmanager
    def recording(self, path: Path, source: str = "speaker.monitor") -> Iterator[None]:
        """Record what is audible on the speaker while the block lasts, as 16 kHz WAV."""
        program = ["parecord", f"--device={source}", "--rate=16000", "--channels=1", "--format=s16le"]
        recorder = subprocess.Popen(
            [*program, "--file-format=wav", f"--latency-msec={STEADY_MS}", str(path)], env=self.environment
        )
        try:
            yield
        finally:
            recorder.terminate()
            recorder.wait(WAIT_S_MAX)

    def begin_to_speak(self, path: Path) -> subprocess.Popen[bytes]:
        """Play a recording into the microphone; return what plays it, for it may be cut off."""
        program = ["paplay", "--device=mic_feed", f"--latency-msec={STEADY_MS}", str(path)]
        return subprocess.Popen(program, env=self.environment, stderr=subprocess.DEVNULL)

    def stop(self) -> None:
        """End the server: everything that plays or records loses its device."""
        self._process.terminate()
        self._process.wait(WAIT_S_MAX)


@contextlib.contextmanager
def sound_card(*, echo: bool = False, canceller: bool = False) -> Iterator[SoundCard]:
    """Run a sound card for as long as the block lasts; its folder is short, for a socket's path must be."""
    with tempfile.TemporaryDirectory(prefix="pulse-sound-") as folder:
        card = SoundCard(Path(folder), echo=echo, canceller=canceller)
        try:
            yield card
        finally:
            card.stop()


def person(text: str, path: Path, voice: str = "rms") -> Path:
    """Let a person say something into a WAV file: another synthesizer than the glasses' own."""
    subprocess.run(["flite", "-voice", voice, "-t", text, "-o", str(path)], check=True, timeout=WAIT_S_MAX)
    return path


def read(path: Path) -> Samples:
    """Return a recording; one that was cut off has a length of its own opinion."""
    with wave.open(str(path), "rb") as file:
        samples: npt.NDArray[np.int16] = np.frombuffer(file.readframes(file.getnframes()), np.int16)
        return samples
