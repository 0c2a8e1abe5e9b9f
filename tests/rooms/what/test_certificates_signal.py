"""Certificates that are about to end."""

from datetime import timedelta

from msgspec.structs import replace

from hub.domain.provenance import RepositoryText
from hub.domain.situation import SeenCertificate
from hub.domain.suggestion import Candidate
from hub.what import ideas
from hub.what.reasons import is_known
from tests.rooms.what.scenes import AFTERNOON, MIND, situation

DAY = timedelta(days=1)
SITE = SeenCertificate(
    path=RepositoryText("/srv/site.pem"), workspace=None, name=RepositoryText("site.pem"), ends_at=AFTERNOON + 20 * DAY
)


def seen(certificate: SeenCertificate) -> tuple[Candidate, ...]:
    return ideas(replace(situation(AFTERNOON), certificates=(certificate,)), MIND)


def test_it_is_said_three_weeks_before_and_again_at_each_step() -> None:
    assert seen(replace(SITE, ends_at=AFTERNOON + 22 * DAY)) == ()
    (first,) = seen(SITE)
    assert (
        first.reasoning.text == "site.pem expires on 23 March 2026. After that, connections that check it are refused."
    )
    assert first.prompt.text == "Check the certificate that expires on 23 March 2026"
    same_certificate = replace(situation(AFTERNOON + 14 * DAY), certificates=(SITE,))
    (week,) = ideas(same_certificate, MIND)
    assert week.urgency > first.urgency
    assert not is_known(week.signature, first.signature)
    (renewed,) = seen(replace(SITE, ends_at=AFTERNOON + 21 * DAY))
    assert not is_known(renewed.signature, first.signature)


def test_one_that_ended_long_ago_counts_only_where_the_settings_name_it() -> None:
    gone = replace(SITE, ends_at=AFTERNOON - 30 * DAY)
    assert [idea.prompt.text for idea in seen(gone)] == ["Check the certificate that expired on 1 February 2026"]
    assert seen(replace(gone, workspace="/home/mo/pulse")) == ()
