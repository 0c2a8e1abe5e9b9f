"""Developer and operations tools: version control, cloud, containers, publishing, mail, money."""

import re
from collections.abc import Callable

from hub.may.content.options import Options, read
from hub.may.content.shell_words import Call
from hub.may.content.wordlist import word_set

Rule = Callable[[Call, Options], str | None]

_HISTORY, _WORK, _INFRA = "destructive.history", "destructive.lose-work", "destructive.infrastructure"
_DATA, _PUBLISH, _SEND, _MONEY = "destructive.data", "outward.publish", "outward.message", "financial.command"
_GIT_VALUE_OPTIONS = frozenset({"-C", "-c", "--git-dir", "--work-tree"})
_ALWAYS_GIT = {
    "filter-branch": _HISTORY,
    "filter-repo": _HISTORY,
    "send-email": _SEND,
}
_READING_WORDS = word_set("plan validate show get describe list ls logs explain help diff status inspect history")
_REHEARSALS = frozenset({"dry-run", "help", "whatif", "what-if", "simulate"})
_DELETING_WORDS = word_set(
    """delete destroy terminate remove rm rb purge uninstall undefine prune rmi unpublish yank nuke drop
    wipe"""
)


def _git_words(args: tuple[str, ...]) -> tuple[str, ...]:
    """Drop git's own options in front of the subcommand."""
    rest = list(args)
    while rest and rest[0].startswith("-"):
        del rest[: 2 if rest[0] in _GIT_VALUE_OPTIONS else 1]
    return tuple(word.rstrip(".,:;!?") if len(word) > 1 else word for word in rest)


def _push(options: Options) -> str | None:
    forced = options.has("fd", "force", "force-with-lease", "mirror", "delete", "prune")
    plus = any(re.fullmatch(r"\+\S+|:\S+", operand) for operand in options.operands[:6])
    return _HISTORY if forced or plus else None


def _discard(options: Options) -> str | None:
    everything = any(operand in {".", "./", "*", ":/"} for operand in options.operands[:4])
    return _WORK if everything or options.has("f", "force") else None


def _git_lossy(sub: str, options: Options) -> str | None:
    """Match the subcommands that lose work or history depending on their options."""
    second = options.operands[0] if options.operands else ""
    lossy = {
        "reset": options.has("", "hard", "merge"),
        "clean": options.has("fdxX", "force"),
        "branch": "D" in options.short or options.has("", "delete") or (options.has("d") and options.has("f", "force")),
        "stash": second in {"drop", "clear"},
        "reflog": second in {"expire", "delete"},
        "gc": "prune" in options.long,
        "update-ref": options.has("d"),
        "tag": options.has("d", "delete"),
        "worktree": second == "remove" and options.has("f", "force"),
        "remote": second in {"rm", "remove"},
        "rebase": options.has("i", "interactive", "root"),
        "checkout-index": options.has("fa", "force"),
        "submodule": second == "deinit",
    }
    return _WORK if lossy.get(sub) else None


def git(call: Call, _options: Options) -> str | None:
    """Match git commands that lose work, rewrite published history, or send mail."""
    words = _git_words(call.args)
    if not words:
        return None
    sub, options = words[0].lower(), read(words[1:])
    if sub in _ALWAYS_GIT:
        return _ALWAYS_GIT[sub]
    if sub == "push":
        return _push(options)
    if sub in {"checkout", "restore"}:
        return _discard(options)
    return _git_lossy(sub, options)


def github(_call: Call, options: Options) -> str | None:
    """Match gh/glab/hub commands that others can see or that delete."""
    words = [word.lower() for word in options.operands[:3]]
    pair = " ".join(words[:2])
    if "delete" in words or pair in {"repo archive", "secret remove"}:
        return _INFRA
    if pair in {"release create", "release upload", "gist create"}:
        return _PUBLISH
    public = {"issue comment", "issue create", "pr comment", "pr review", "issue close", "issue note", "mr note"}
    return "outward.comment" if pair in public else None


def _only_reads(words: list[str]) -> bool:
    """Say whether the subcommand merely shows something (``terraform plan -destroy``)."""
    first = next((at for at, word in enumerate(words[:3]) if word in _READING_WORDS), None)
    return first is not None and not {"and", "then", "or", "&&"} & set(words) and not set(words[:3]) & _DELETING_WORDS


def _ends_something(call: Call, options: Options, words: list[str]) -> bool:
    """Say whether a subcommand deletes, drains, leaves or scales to nothing."""
    parts = {part for word in words for part in re.split(r"[-:.]", word)}
    first = set(words[:2])
    return bool(
        parts & _DELETING_WORDS
        or "drain" in first
        or ("leave" in first and options.has("f", "force"))
        or (call.name in {"docker", "podman"} and first & {"kill", "reset"})
        or (call.name == "kubeadm" and "reset" in first)
        or ("down" in words and options.has("v", "volumes", "rmi"))
        or "replicas=0" in " ".join(call.args)
    )


def deleting_tool(call: Call, options: Options) -> str | None:
    """Match a cloud or container tool asked to delete something."""
    words = [word.lower() for word in options.operands[:7]]
    joined = " ".join(words)
    if _only_reads(words):
        return None
    if options.has("", "delete", "destroy", "remove-orphans") and call.name not in {"docker", "podman"}:
        return _INFRA
    if _ends_something(call, options, words):
        return _INFRA
    if call.name in {"docker", "podman", "helm"} and "push" in words[:2]:
        return _PUBLISH
    if call.name in {"aws", "gcloud", "az"} and ("purchase" in joined or "send-" in joined or "sns publish" in joined):
        return _MONEY if "purchase" in joined else _SEND
    return _INFRA if re.search(r"\b(?:reset|flush|repave|fresh)\b", joined) and call.name == "heroku" else None


def fly(call: Call, options: Options) -> str | None:
    """Match the fly.io client; "fly" is also a word."""
    nouns = {"apps", "app", "machine", "machines", "volumes", "volume", "postgres", "pg", "secrets"}
    return deleting_tool(call, options) if set(options.operands[:1]) & nouns else None


def database_tool(call: Call, options: Options) -> str | None:
    """Match database clients and frameworks that drop or flush a whole store."""
    joined = " ".join(call.args[:12]).lower()
    if call.name in {"dropdb", "dropuser"}:
        return _DATA if options.operands or options.long else None
    if call.name == "redis-cli" and call.piped and {"del", "unlink"} & {arg.lower() for arg in call.args}:
        return _DATA
    lossy = (
        r"\b(?:flushall|flushdb|db:(?:drop|reset|purge|wipe)|drop\b|migrate (?:reset|fresh)|migrate:(?:fresh|reset))"
    )
    lossy += r"|\b(?:reset_db|sqlflush|db push --force-reset|schema:drop|dropdatabase)|\bflush\b"
    return _DATA if re.search(lossy, joined) else None


def publisher(call: Call, options: Options) -> str | None:
    """Match package and site publishing; dry runs pass."""
    if options.has("", "dry-run"):
        return None
    words = [word.lower() for word in options.operands[:3]]
    if call.name in {"npm", "pnpm", "yarn", "bun", "lerna"}:
        if set(words) & {"unpublish", "deprecate"}:
            return _INFRA
        return _PUBLISH if "publish" in words and "err" not in words[0] else None
    ways = {"publish", "upload", "push", "release", "deploy", "yank", "release:perform"}
    return _PUBLISH if ways & set(words[:2]) else None


def mailer(call: Call, options: Options) -> str | None:
    """Match mail programs; the bare word "mail" in prose is no call."""
    sure = call.name in {
        "sendmail",
        "msmtp",
        "swaks",
        "ssmtp",
        "mutt",
        "neomutt",
        "mailx",
        "send-mailmessage",
        "s-nail",
    }
    address = any("@" in arg for arg in call.args)
    subject = bool(options.short & set("sast")) or options.has("", "to", "subject")
    return _SEND if (sure and (address or options.short or options.operands)) or (subject and address) else None


def messenger(_call: Call, options: Options) -> str | None:
    """Match chat and social command-line clients."""
    words = {word.lower() for word in options.operands[:3]}
    return _SEND if words & {"post", "send", "update", "tweet", "dm", "chat", "message", "reply"} else None


def payer(call: Call, options: Options) -> str | None:
    """Match payment and wallet command-line clients."""
    words = {word.lower() for word in options.operands[:4]}
    if call.name == "stripe":
        return _MONEY if words & {"create", "confirm", "capture"} else None
    verbs = {
        "create",
        "send",
        "transfer",
        "sendtoaddress",
        "sendmany",
        "pay",
        "payinvoice",
        "confirm",
        "capture",
        "swap",
    }
    verbs |= {"buy", "sell", "order", "sendpayment", "withdraw", "refund", "stake"}
    return _MONEY if words & verbs else None


def _table(*entries: tuple[str, Rule]) -> dict[str, Rule]:
    return {name: rule for names, rule in entries for name in names.split()}


def hdfs(call: Call, options: Options) -> str | None:
    """Match hdfs and hadoop file-system deletion."""
    return _INFRA if "-rm" in call.args or "-rmr" in call.args or options.has("", "skiptrash") else None


RULES: dict[str, Rule] = _table(
    ("hdfs hadoop", hdfs),
    ("git", git),
    ("gh glab", github),
    (
        "terraform tofu terragrunt pulumi kubectl oc helm docker podman kubeadm docker-compose aws gcloud az gsutil",
        deleting_tool,
    ),
    (
        "heroku flyctl doctl eksctl vagrant virsh vercel netlify firebase wrangler linode-cli hcloud s3cmd",
        deleting_tool,
    ),
    (
        "argocd flux velero supabase neonctl pscale turso ibmcloud oci scw cf juju nerdctl ctr crictl k3d k3s",
        deleting_tool,
    ),
    ("fly", fly),
    ("railway nomad consul etcdctl minikube cdk sls openstack multipass lxc", deleting_tool),
    (
        "dropdb dropuser redis-cli rails rake manage.py prisma artisan mysqladmin mongosh mongo flask sequelize",
        database_tool,
    ),
    ("npm pnpm yarn bun lerna", publisher),
    (
        "twine cargo poetry flit hatch uv gem vsce ovsx nuget goreleaser pdm mvn snapcraft clojars mix luarocks",
        publisher,
    ),
    ("mail mailx mutt neomutt sendmail msmtp swaks ssmtp s-nail send-mailmessage mailsend", mailer),
    ("slack-cli toot twurl telegram-send signal-cli matrix-commander", messenger),
    ("stripe bitcoin-cli lncli lightning-cli cast solana geth coinbase kraken ethereal spl-token", payer),
)


def check(call: Call) -> str | None:
    """Return the rule this call breaks, or None."""
    rule = RULES.get(call.name)
    options = read(call.args)
    if options.long & _REHEARSALS and not {"and", "then", "or"} & set(options.operands):
        return None
    return rule(call, options) if rule else None
