"""Has what a card was made from passed? Then it is to be taken back: the tests were run by hand, the branch is gone.

What a suggestion rests on has a name that stays the same from look to look: its reason key is the matter, the base of
its signature the state (hub/what/reasons.py). It stands while a signal still finds that matter in that state. It has
passed when the sensor that would see it has looked and the signal finds it no more, or finds it in another state, which
is a matter of its own. What could not be read has not passed, and what no signal found (a hint, a model's guess, a
question) passes by itself only.
"""

from hub.domain.deploying import ANSWERS
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate, Proposal
from hub.what.asked import is_hint
from hub.what.reasons import base_of, repository_key
from hub.what.sighting import at_path, folder_at
from hub.what.signals import ALL, Signal, backup, failed_tests, links, programs, pull_requests, versions, wanted

FOLDERS = versions.SENSOR


def has_passed(proposal: Proposal, found: tuple[Candidate, ...], situation: Situation) -> bool:
    """Return True if a proposal's evidence is surely gone.

    Args:
        proposal: what the card was made from.
        found: all ideas of the present situation (`ideas`).
        situation: what they were found in.
    """
    signal = next((signal for signal in ALL if proposal.kind == signal.KIND), None)
    if signal is None or is_hint(proposal) or not _was_seen(signal, proposal, situation):
        return False
    if proposal.kind == links.KIND:
        folder = folder_at(situation, proposal.work.workspace)
        return folder is not None and links.is_mended(proposal.signature, folder)
    now = next((idea for idea in found if idea.reason_key == proposal.reason_key), None)
    return now is None or base_of(now.signature) != base_of(proposal.signature)


def ended(situation: Situation) -> frozenset[str]:
    """Return the keys of matters that are surely over: when they begin again, they are new, whatever was said before.

    A test run that passed ends a failure; the next one is news, also while nothing was committed. So is the end of a
    program that ran again.
    """
    passing = (each for each in situation.repositories or () if each.last_test_run_passed)
    running = (each.name for each in situation.programs or () if each.is_running)
    return frozenset({*(repository_key(failed_tests.KIND, one) for one in passing), *map(programs.key_of, running)})


def _was_seen(signal: Signal, proposal: Proposal, situation: Situation) -> bool:
    """Return True if the place of the evidence was read this time, and completely."""
    if signal.SENSOR in situation.unknown:
        return False
    if proposal.work.workspace is None:
        return proposal.kind != wanted.KIND or not wanted.is_cut(situation)
    if signal.SENSOR == FOLDERS:
        folder = folder_at(situation, proposal.work.workspace)
        if folder is None or folder.is_cut:
            return False
        repository = at_path(situation, folder.path)
        return proposal.kind != backup.KIND or folder.since_backup is not None or repository is not None
    repository = at_path(situation, proposal.work.workspace)
    if repository is None or repository.truncated:
        return False
    # GitHub is asked beside the reading of a repository, so for a moment after a start it has not spoken.
    if proposal.kind == pull_requests.KIND:
        return repository.pull_requests is not None
    return proposal.kind not in ANSWERS or repository.deployments is not None
