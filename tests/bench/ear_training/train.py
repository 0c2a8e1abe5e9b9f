"""Trains the network that hears phones: `… -m tests.bench.ear_training.train WEIGHTS EPOCHS CLIPS…`, with torch."""

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import torch  # type: ignore[import-not-found,unused-ignore]  # only training needs it, in an environment of its own
from pocketsphinx import get_model_path  # type: ignore[import-untyped]  # it has no types
from torch import nn  # type: ignore[import-not-found,unused-ignore]  # only training needs it, in an environment of its own

from edge.engines.phone_net import BANDS, PHONES, STRIDE, features
from edge.engines.spelled import NUMBERS
from tests.bench.ear_training.spoil import spoiled
from tests.bench.ear_training.texts import read_pronunciations

WIDTH, TAPS = 96, 5
DILATIONS = (1, 1, 2, 1, 2, 4, 1, 2, 4)
BATCH, RATE_MAX, RATE_LATER, SEED = 32, 3e-3, 1e-3, 7
DROP = 0.1


class Net(nn.Module):  # type: ignore[misc,unused-ignore]  # torch is not there when types are checked
    """Convolutions with a shortcut around each but the first."""

    def __init__(self) -> None:
        """Make the layers, not yet trained."""
        super().__init__()
        widths = [BANDS, *[WIDTH] * len(DILATIONS)]
        self.layers = nn.ModuleList(
            nn.Conv1d(widths[at], WIDTH, TAPS, stride=STRIDE if at == 0 else 1, dilation=far, padding=far * (TAPS // 2))
            for at, far in enumerate(DILATIONS)
        )
        self.norms = nn.ModuleList(nn.BatchNorm1d(WIDTH) for _ in DILATIONS)
        self.out = nn.Conv1d(WIDTH, len(PHONES) + 1, 1)
        self.drop = nn.Dropout(DROP)

    def forward(self, sound: Any, lengths: Any) -> Any:  # noqa: ANN401  tensors, whose types are not there
        """Return log shares of shape (batch, phones, frames); beyond each length the input counts as nothing."""
        mask = (torch.arange(-(-sound.shape[2] // STRIDE))[None] < lengths[:, None])[:, None].float()
        now = sound
        for at, (layer, norm) in enumerate(zip(self.layers, self.norms, strict=True)):
            heard = self.drop(torch.relu(norm(layer(now)))) * mask
            now = heard if at == 0 else now + heard
        return self.out(now).log_softmax(1)


def _spoiled_features(job: tuple[Any, Any, int]) -> Any:  # noqa: ANN401  arrays
    sound, others, seed = job
    return features(spoiled(sound, others, np.random.default_rng(seed))).astype(np.float16)


def batches(clips: list[Any], labels: list[list[int]], pool: ProcessPoolExecutor, epoch: int) -> Iterator[Any]:
    """Yield features, lengths, phones and their counts: each epoch spoils every clip anew."""
    chance = np.random.default_rng((SEED, epoch))
    order = np.argsort([len(clip) * chance.uniform(0.85, 1.15) for clip in clips])
    groups = [order[at : at + BATCH] for at in range(0, len(order) - BATCH + 1, BATCH)]
    chance.shuffle(groups)
    jobs = (
        (clips[at], [clips[other] for other in chance.integers(len(clips), size=3)], int(chance.integers(2**31)))
        for group in groups
        for at in group
    )
    heard = pool.map(_spoiled_features, jobs, chunksize=16)
    for group in groups:
        rows = [next(heard) for _ in group]
        sound = np.zeros((len(rows), BANDS, max(map(len, rows))), np.float32)
        for at, row in enumerate(rows):
            sound[at, :, : len(row)] = row.T
        spelled = [labels[at] for at in group]
        lengths = [-(-len(row) // STRIDE) for row in rows]
        yield (
            torch.from_numpy(sound),
            torch.tensor(lengths),
            torch.tensor([one for line in spelled for one in line]),
            torch.tensor([len(line) for line in spelled]),
        )


def save(net: Net, path: Path) -> None:
    """Write the weights as 16-bit floats, each normalization folded into its convolution."""
    arrays: dict[str, Any] = {"dilations": np.array(DILATIONS)}
    for at, (layer, norm) in enumerate(zip(net.layers, net.norms, strict=True)):
        gain = (norm.weight / torch.sqrt(norm.running_var + norm.eps)).detach()
        arrays[f"w{at}"] = (layer.weight.detach() * gain[:, None, None]).permute(2, 1, 0).numpy().astype(np.float16)
        arrays[f"b{at}"] = ((layer.bias.detach() - norm.running_mean) * gain + norm.bias.detach()).numpy()
    arrays["w_out"] = net.out.weight.detach()[:, :, 0].T.numpy().astype(np.float16)
    arrays["b_out"] = net.out.bias.detach().numpy()
    np.savez_compressed(path, **arrays)


def load(net: Net, path: Path) -> None:
    """Go on from written weights, whose normalizations are folded and stay as they are."""
    with np.load(path) as file:
        for at, layer in enumerate(net.layers):
            layer.weight.data = torch.from_numpy(file[f"w{at}"].astype(np.float32)).permute(2, 1, 0).contiguous()
            layer.bias.data = torch.from_numpy(file[f"b{at}"].astype(np.float32))
        net.out.weight.data = torch.from_numpy(file["w_out"].astype(np.float32)).T[:, :, None].contiguous()
        net.out.bias.data = torch.from_numpy(file["b_out"].astype(np.float32))


def train(clips: list[Any], labels: list[list[int]], epochs: int, path: Path, start: Path | None) -> None:
    """Train, writing the weights after each epoch."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    net = Net()
    rate = RATE_MAX if start is None else RATE_LATER
    if start is not None:
        load(net, start)
        net.norms.eval()
    steps = epochs * (len(clips) // BATCH)
    best = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(best, rate, total_steps=steps, pct_start=0.15)
    judge = nn.CTCLoss(zero_infinity=True)
    with ProcessPoolExecutor(1) as pool:
        for epoch in range(epochs):
            began, losses = time.monotonic(), []
            for sound, lengths, spelled, counts in batches(clips, labels, pool, epoch):
                loss = judge(net(sound, lengths).permute(2, 0, 1), spelled, lengths, counts)
                best.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 2.0)
                best.step()
                plan.step()
                losses.append(float(loss))
            save(net.eval(), path)
            net.train()
            if start is not None:
                net.norms.eval()
            print(f"epoch {epoch}: loss {np.mean(losses):.3f}, {time.monotonic() - began:.0f} s", flush=True)  # noqa: T201  a program


def main(path: Path, epochs: int, sources: list[Path], start: Path | None = None) -> None:
    """Read recorded clips and train on them; weights among the sources are where to go on from."""
    known = read_pronunciations(Path(get_model_path("en-us/cmudict-en-us.dict")))
    clips, texts = [], []
    for source in sources:
        with np.load(source) as file:
            clips += np.split(file["sound"], file["ends"][:-1])
            texts += [str(text) for text in file["texts"]]
    labels = [[NUMBERS[phone] for word in text.split() for phone in known[word]] for text in texts]
    train(clips, labels, epochs, path, start)


if __name__ == "__main__":
    clips_and_start = [Path(one) for one in sys.argv[3:]]
    first = [one for one in clips_and_start if one.name.startswith("net")]
    main(Path(sys.argv[1]), int(sys.argv[2]), [one for one in clips_and_start if one not in first], *first)
