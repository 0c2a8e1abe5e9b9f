"""The settings: read from JSON and TOML, and every mistake told at once."""

import pytest

from surfaces.discord.people import Person, called, is_owner, may_vote_somewhere, weight_of
from surfaces.discord.settings import DISCORD, BadDiscordConfigError, Config, total_weight


def read_config(text: str) -> Config:
    return DISCORD.read(text, BadDiscordConfigError)


GOOD = """
guild_id = "900000000000000009"
owner = "ann"
voters = [{ name = "ann", id = "900000000000000001" }, { name = "bob", id = "900000000000000002", weight = 2 }]
roles = [{ id = "900000000000000003", weight = 0.5 }]

[policy]
kind = "quorum"
needed = 2

[policies.koji-core]
kind = "first"
voters = ["bob"]
"""


def test_toml_and_json_say_the_same() -> None:
    config = read_config(GOOD)
    assert config.policy_for("koji-core").kind == "first"
    assert config.policy_for("garden").needed == 2
    assert config.owner_id == "900000000000000001"
    assert (
        read_config(
            '{"guild_id": "900000000000000009", "owner": "a", "voters": [{"name": "a", "id": "900000000000000001"}]}'
        ).bridge
        == "bridge"
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no settings for Discord"),
        ("guild_id = 5", "Expected `str`"),
        ('guild_id = "x"', "regex"),
        (GOOD.replace('owner = "ann"', 'owner = "eve"'), "owner`: 'eve' is not a voter"),
        (GOOD.replace('name = "bob"', 'name = "ann"'), "same name or id"),
        (GOOD.replace('["bob"]', '["zoe"]'), "policies.koji-core.voters`: zoe"),
        (GOOD + 'color = "red"', "unknown field `color`"),
        (GOOD.replace("[policy]", '[emoji]\napprove = "❌"\n[policy]'), "same emoji"),
        ('guild_id = "900000000000000009"', "policy `owner` needs"),
        ('guild_id = "900000000000000009"\n[policy]\nkind = "first"', "nobody may vote"),
        (
            GOOD.replace("needed = 2", "needed = 9").replace(
                'roles = [{ id = "900000000000000003", weight = 0.5 }]', ""
            ),
            "more than all votes",
        ),
        ("{not json", "`[discord]` cannot be read"),
    ],
)
def test_mistakes_are_told(text: str, says: str) -> None:
    with pytest.raises(BadDiscordConfigError) as caught:
        read_config(text)
    assert says in caught.value.detail


def test_who_weighs_what() -> None:
    config = read_config(GOOD)
    policy, first = config.policy, config.policy_for("koji-core")
    bob = Person(id="900000000000000002", name="Bobby", roles=("900000000000000003",))
    dee = Person(id="900000000000000004", name="Dee 🎉!", roles=("900000000000000003",))
    assert (weight_of(config, policy, bob), weight_of(config, first, bob)) == (2.0, 2.0)
    assert (weight_of(config, policy, dee), weight_of(config, first, dee)) == (0.5, 0.0)
    gone = Person(id=bob.id, name="Bobby", here=False)
    assert weight_of(config, policy, gone) == 0.0
    assert not may_vote_somewhere(config, gone)
    assert may_vote_somewhere(config, dee)
    assert not is_owner(config, bob)
    assert (called(config, bob), called(config, dee)) == ("bob", "Dee")
    assert called(config, Person(id="5", name="🎉")) == "user-5"
    assert (total_weight(config, policy), total_weight(config, first)) == (None, 2.0)
