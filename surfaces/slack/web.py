"""Slack's web API as this surface needs it: one call, and what a refusal means.

No token is ever in an address, and no error of the HTTP library is told as it is.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import aiohttp
import msgspec

from hub.kit.chat.answer import read_object
from hub.kit.gateway.outcome import Doubtful, Gone, Misconfigured, Outcome, RetryLater, TooLarge, Undeliverable
from hub.kit.unreachable import why_unreachable

CALL_S_MAX = 20.0
ANSWER_BYTES_MAX = 4_194_304
AWAY_S, BUSY_S, BARRED_S, PAUSE_S_MAX = 2.0, 5.0, 60.0, 600.0
BAD_TOKEN = frozenset(
    {
        "invalid_auth",
        "not_authed",
        "account_inactive",
        "token_revoked",
        "token_expired",
        "not_allowed_token_type",
    }
)
NO_SCOPE = frozenset({"missing_scope", "no_permission", "access_denied", "ekm_access_denied"})
NOT_THERE = frozenset({"message_not_found", "cant_update_message", "edit_window_closed"})
BARRED = frozenset({"channel_not_found", "is_archived", "not_in_channel", "restricted_action", "user_disabled"})
PAIR_AGAIN = "Check that the app is still installed in your workspace, then: `pulse slack setup`."
NEW_TOKENS = "Install the app again in Slack and take its tokens: `pulse slack setup`."
NEW_SCOPES = "Give the app what docs/howto/slack.md lists, install it again, then: `pulse slack setup`."
TOO_LONG = frozenset({"msg_too_long", "msg_blocks_too_long"})
BROKEN = frozenset({"internal_error", "fatal_error", "request_timeout"})
"""Slack says of these that part of it may have been done."""
AWAY = frozenset({"service_unavailable", "team_added_to_org", "ratelimited"})


class SlackRefusal(Exception):  # noqa: N818  Slack's own no, which this module turns into an outcome
    """Slack said no: its own code, and how long to wait."""

    def __init__(self, code: str, after_s: float) -> None:
        super().__init__(code)
        self.code = code
        self.after_s = after_s


class SlackWeb:
    """Calls methods of the web API, each with the token that it takes."""

    def __init__(self, session: aiohttp.ClientSession, api: str) -> None:
        self._session = session
        self._api = api

    async def tried(self, method: str, token: str, body: Mapping[str, Any]) -> dict[str, Any] | Outcome:
        """Call a method; return what it says, or what its refusal means."""
        try:
            return await self._call(method, token, body)
        except SlackRefusal as refused:
            return outcome_of(refused)
        except (TimeoutError, aiohttp.ServerDisconnectedError):
            return Doubtful(why="Slack did not answer in time")
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return RetryLater(why=f"Slack is not reachable ({why_unreachable(error)})", after_s=AWAY_S)

    async def _call(self, method: str, token: str, body: Mapping[str, Any]) -> dict[str, Any]:
        async with self._session.post(
            f"{self._api}/{method}",
            data=msgspec.json.encode(body),
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json; charset=utf-8"},
            timeout=aiohttp.ClientTimeout(total=CALL_S_MAX),
            allow_redirects=False,
        ) as answer:
            if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
                raise SlackRefusal("ratelimited", _pause_s(answer.headers.get("Retry-After", "")))
            if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise SlackRefusal("service_unavailable", BUSY_S)
            said = await read_object(answer, ANSWER_BYTES_MAX)
        if said.get("ok") is True:
            return said
        raise SlackRefusal(str(said.get("error", "unknown")), BUSY_S)


def outcome_of(refused: SlackRefusal) -> Outcome:
    """Say what a refusal means."""
    match refused.code:
        case code if code in BAD_TOKEN:
            return Misconfigured(
                why=f"Slack does not accept a token of the app ({code})", fix=NEW_TOKENS, stops_all=True
            )
        case code if code in NO_SCOPE:
            why = f"Slack does not let the app do that ({code})"
            return Misconfigured(why=why, fix=NEW_SCOPES, stops_all=True, lacks_permission=True)
        case code if code in NOT_THERE:
            return Gone()
        case code if code in BARRED:
            return RetryLater(why=f"The app may not write to you in Slack ({code})", fix=PAIR_AGAIN, after_s=BARRED_S)
        case code if code in TOO_LONG:
            return TooLarge()
        case code if code in BROKEN:
            return Doubtful(why=f"Slack says: {code}")
        case code if code in AWAY:
            pause = "asks for a pause" if code == "ratelimited" else f"says: {code}"
            return RetryLater(why=f"Slack {pause}", after_s=refused.after_s)
        case code:
            return Undeliverable(why=f"Slack does not accept it ({code})")


def _pause_s(text: str) -> float:
    return min(float(text), PAUSE_S_MAX) if text.isascii() and text.isdigit() else BUSY_S
