"""What the calls of a text bring into files, and what a call would do that runs or loads some of it."""

import posixpath
import re
from abc import ABC, abstractmethod
from itertools import chain

from hub.contract.effects import Effect
from hub.screening.commands import code, sql
from hub.screening.commands.arrivals import (
    Arrivals,
    Content,
    ContentOrigin,
    commands_in,
    computed,
    is_data,
    is_out_of_reach,
    is_styled,
    language_of,
    mounts_outside,
)
from hub.screening.commands.limits import CONTENTS_MAX
from hub.screening.commands.manifests import fetches_named
from hub.screening.commands.notes import Notes
from hub.screening.commands.older import is_older, older_files
from hub.screening.commands.operands import CLASSES, is_loopback
from hub.screening.commands.places import GIT_TOP, LOSES, FilePlace, place_of
from hub.screening.commands.run import ProgramRun, is_flagged, name_of, reads_script
from hub.screening.commands.runners import hidden_in, loaded_by, own_operands, own_words
from hub.screening.commands.script import ProgramCall
from hub.screening.commands.shell import echoed
from hub.screening.commands.strictness import is_data_setting, leads_elsewhere, loaded_by_options, pieces_of
from hub.screening.commands.table import program, starts

PASSING = frozenset({"cat", "tee", "dd", "sponge", "gtee", "install", "cp"})
"""What writes or prints what it is fed as it is."""
READERS = PASSING - {"tee", "gtee", "sponge", "install", "cp"} | {
    *("tac", "head", "tail", "sed", "gsed", "awk", "gawk", "mawk", "grep", "egrep", "rg", "tr", "cut", "sort", "uniq"),
    *("base64", "base32", "xxd", "jq", "yq", "zcat", "gzcat", "gunzip", "gzip", "xz", "zstd", "openssl", "iconv"),
    *("envsubst", "nl", "rev", "strings", "fold", "fmt", "paste", "join", "perl", "ruby", "python", "python3", "node"),
}
"""What prints something made of the files that it names."""
REARRANGES = frozenset({"rename", "prename", "rename.ul", "mmv", "split", "csplit", "vidir"})
"""What gives what is in files names that do not stand in the text."""
_NOT_ELSEWHERE = frozenset(
    {"xargs", "gxargs", "parallel", "mktemp", "hostname", "hostid", "getent", "terraform", "tofu"}
)
"""What may ask another machine, but does not print what that answers, or a name and no more."""
_BRINGS = frozenset({"fetches", "brings"})
_NAMES_OUTPUT = frozenset({"-o", "--output", "-O", "--output-document", "--outfile", "-outfile", "--out"})
_OWN_REVISION = re.compile(r"(?:HEAD|@|main|master)(?:[~^]\d*)*(?::|$)")
_FOREIGN = frozenset({FilePlace.OUTSIDE, FilePlace.TEMPORARY})
_LOADED = frozenset({FilePlace.INSIDE, FilePlace.UNKNOWN, FilePlace.RULES})
CONTAINERS = frozenset({"docker", "podman", "nerdctl"})
_IMAGES = frozenset(
    {"adminer", "alpine", "amazoncorretto", "amazonlinux", "archlinux", "bash", "buildpack-deps", "busybox", "caddy"}
    | {"cassandra", "centos", "chronograf", "clojure", "composer", "consul", "couchbase", "couchdb", "crate", "dart"}
    | {"debian", "docker", "drupal", "eclipse-mosquitto", "eclipse-temurin", "elasticsearch", "elixir", "erlang"}
    | {"fedora", "flink", "gcc", "ghost", "golang", "gradle", "groovy", "haproxy", "haskell", "hello-world", "httpd"}
    | {"influxdb", "jenkins", "jetty", "joomla", "jruby", "julia", "kapacitor", "kibana", "kong", "logstash", "mariadb"}
    | {"maven", "memcached", "mongo", "mongo-express", "mysql", "nats", "neo4j", "nextcloud", "nginx", "node"}
    | {"openjdk", "oraclelinux", "percona", "perl", "php", "phpmyadmin", "postgres", "pypy", "python", "r-base"}
    | {"rabbitmq", "redis", "redmine", "registry", "rethinkdb", "rockylinux", "ros", "ruby", "rust", "sapmachine"}
    | {"scratch", "solr", "sonarqube", "swift", "telegraf", "tomcat", "traefik", "ubuntu", "varnish", "vault"}
    | {"wordpress", "zookeeper"}
)
"""The images that the registry itself looks after, which alone have names without a slash."""
_INSTALLED_FOLDER = re.compile(r"/(?:usr|opt|nix|snap|Library|Applications|bin|lib\w*)(?:/(?!.*\.\.)|$)")
_ELSEWHERE = Content(ContentOrigin.ELSEWHERE)
_REMOTE_WORDS = 3
_FORGES = frozenset({"gh", "glab", "hub", "tea"})
_CODE_FROM_FORGES = frozenset({"clone", "checkout", "co", "download"})
_ADDS = (["submodule", "add"], ["subtree", "add"], ["subtree", "pull"])
_COPIERS = frozenset({"degit", "tiged", "giget"})
_OTHER_VERSIONS = frozenset({"svn", "hg", "bzr", "brz", "fossil"})
_CLONES = frozenset({"clone", "pull", "branch", "checkout", "co", "export"})
_UNPACK_ONE = frozenset({"gunzip", "unxz"})
_UNPACKS = frozenset({"-x", "--extract", "--get"})
_LISTS = frozenset({"-l", "-t", "-p", "-v", "-z", "-Z", "-c"})
"""Options of unzip that show what is in an archive."""
_PROPOSED = re.compile(r"\+?(?:refs/)?(?:pull|pull-requests|merge-requests|changes)/.*")
"""What somebody proposes, as a forge calls it."""
_FETCHES = frozenset({"fetch", "pull"})
_OWN_REMOTES = frozenset({"origin", "upstream"})
"""Names that everybody gives to the repositories which a project is of; any other may be anybody's."""
_NOT_HERE = re.compile(r"(?!(?:\w+://)?(?:localhost|127\.|0\.0\.0\.0|\[::1))\S*?(?:://|[\w-]\.[a-z]+/)")
_HAS_READ = re.compile(r"\$\{?\w*[a-z]|\$[\d@*]")
"""A variable that is no setting of the person's."""


class CallBringer(Notes, ABC):
    """Keeps what the text itself brought in, and judges what runs it."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self.arrivals = Arrivals()
        self.cloned = False
        """Whether something came from elsewhere under names that may be any."""
        self.has_asked = False
        """Whether another machine was asked for something."""
        self.functions: set[str] = set()
        self.built: set[str] = set()
        """Names of the images that the text builds."""
        self._before_it: list[ProgramCall] = []
        """Calls of which nobody had to know yet what they print."""
        self._contents: dict[int, tuple[ProgramCall, Content | None]] = {}
        self._older: dict[str, list[str]] = {}
        """Files that hold what a commit holds of others, or of themselves."""
        self.writer: ProgramCall | None = None
        """The call whose files are judged."""

    @abstractmethod
    def glimpse(self, text: str, depth: int) -> list[Effect]:
        """Return what a text of a shell would surely do that is not harmless."""

    def writes(self, path: str, shown: str) -> None:
        """Note that a file is written, and with what."""
        super().writes(path, shown)
        if self.writer is None:
            return
        self.older(self.writer, path)
        content = self.content(self.writer)
        if content is not None and (content.origin is not ContentOrigin.COMPUTED or self._makes(self.writer)):
            self.brings(path, content)

    def redirected(self, call: ProgramCall) -> None:
        """Note what the files hold from now on that a call's output goes to."""
        written = [one.target for one in call.redirects if one.sign not in {"<", "<&"} and self.is_file(one.target)]
        content = self.content(call) if written else None
        if content is not None:
            for target in written:
                self.brings(target, content)
        self._before_it.append(call)

    def older(self, call: ProgramCall, path: str) -> None:
        """Note what of a commit a call writes into a file: what stood there is lost where it is the same file."""
        read = (file for word in call.words[1:] for each in self.in_full(word) for file in self._older.get(each, []))
        named = [*older_files(call), *read]
        if not named or place_of(path, self.root, self.folders) not in LOSES | {FilePlace.TEMPORARY}:
            return
        for each in self.in_full(GIT_TOP.sub(".", path)):
            self._older[each] = named
            if any(is_older(one, each, self.root, self.folders) for one in named):
                self.add([Effect.DELETES], call.source)

    def is_file(self, path: str) -> bool:
        """Return True if a path is that of a file, and no stream of the call itself."""
        return not path.isdigit() and place_of(path, self.root, self.folders) is not FilePlace.QUIET

    def brings(self, path: str, content: Content) -> None:
        """Note what a file holds from now on."""
        self.arrivals.add(path, content)
        if content.origin is ContentOrigin.ELSEWHERE and place_of(path, self.root, self.folders) in _LOADED:
            self.cloned |= not is_data(name_of(path))

    @staticmethod
    def _makes(call: ProgramCall) -> bool:
        """Return True if a call gives a file content of its own, and does not only change its rights or format."""
        known = program(name_of(call.words[0])) if call.words else None
        is_coded = known is not None and any(
            said[0] in {"interpreter", "sed", "awk"} for rule in known.rules for said in rule.also
        )
        is_fed = call.fed_text is not None or bool(call.inside) or bool(call.fed_by)
        return is_coded or (is_fed and not is_flagged("feeds", call.words))

    def content(self, call: ProgramCall) -> Content | None:
        """Return what a call prints, or writes from what it is fed; None where that is the project's own.

        It is told once for each call, for one may feed many, and in the order of the text: what feeds it comes first.
        """
        before, self._before_it = self._before_it, []
        for each in before:
            self.content(each)
        if id(call) not in self._contents:
            self._contents[id(call)] = (call, None)  # what feeds itself adds nothing
            self._contents[id(call)] = (call, self._content(call))
        return self._contents[id(call)][1]

    def _content(self, call: ProgramCall) -> Content | None:
        if self._asks(call.words) or len(self._contents) > CONTENTS_MAX:
            self.has_asked = True
            return _ELSEWHERE
        name = name_of(call.words[0]) if call.words else ""
        named = self._named(call, name)
        sources = [self.content(one) for one in chain(call.inside, call.fed_by, call.beside)] + named
        if any(one is not None and one.origin is ContentOrigin.ELSEWHERE for one in sources):
            return _ELSEWHERE
        is_open = bool(call.open_words) or call.words[:1] == ["exec"]
        if self.has_asked and (is_open or name in self.functions):
            return _ELSEWHERE
        printed = call.fed_text if name in PASSING and call.fed_text is not None else echoed([call])
        known = [one for one in sources if one is not None]
        if printed is not None and not is_open and not call.inside and not call.beside:
            return Content(ContentOrigin.OWN, printed)
        if name in PASSING and not is_open and len(known) == 1 and not call.inside and not call.beside:
            return known[0]
        if name == "cat" and not known and not is_open:
            return None
        if name == "git" and any(map(_OWN_REVISION.match, call.words[2:])):
            return None
        texts = dict.fromkeys([call.source, *([printed] if printed else []), *(one.text for one in known)])
        return computed("\n".join(texts))

    def _named(self, call: ProgramCall, name: str) -> list[Content | None]:
        """Return what the files hold that a call reads, as far as the text knows of it."""
        words = [one.removeprefix("if=") for one in call.words[1:] if one[:1] != "-"] if name in READERS else []
        known = program(name)
        words = words[int(known is not None and "pattern" in known.is_ and "-e" not in call.words) :]
        read = [*words, *(one.target for one in call.redirects if one.sign in {"<", "<>"})]
        found: list[Content | None] = []
        for word in read:
            is_path = "/" in word or word.startswith("~")
            is_foreign = is_path and place_of(word, self.root, self.folders) in _FOREIGN
            found += [_ELSEWHERE] if is_foreign else self.arrivals.of(word)
        return found

    def _asks(self, words: list[str]) -> bool:
        """Return True if a call prints or writes what another machine, or another program's clipboard, holds."""
        name = name_of(words[0]) if words else ""
        if name in {"echo", "printf", "cat", "git"} | _NOT_ELSEWHERE or not words:
            return name == "git" and words[1:2] in (["ls-remote"], ["archive"]) and any("://" in one for one in words)
        known = program(name)
        away = known.away if known is not None else []
        if known is not None and (
            () in away or (away and any(starts(one, known.arguments(words[1:]).operands) for one in away))
        ):
            return True
        named = (program(name_of(word)) for word in words)
        return any(found is not None and not _BRINGS.isdisjoint(found.is_) for found in named)

    def fetched_by(self, run: ProgramRun, effects: set[Effect]) -> None:
        """Note the files that a call fetches under the name that they have elsewhere, or under any."""
        if "fetches" not in run.known.is_ or Effect.WRITES_IN_WORKSPACE not in effects:
            return
        if not _NAMES_OUTPUT.isdisjoint({*run.arguments.options} - ({"-O"} if run.name == "curl" else set())):
            return
        addresses = [one for one in run.arguments.operands if "." in one]
        names = [one.partition("?")[0].partition("#")[0].rpartition("/")[2] for one in addresses]
        self.cloned |= not all(names) or not names
        for name in filter(None, names):
            self.brings(name, _ELSEWHERE)

    def copied(self, run: ProgramRun) -> None:
        """Note that what a file holds has another name, too."""
        operands, options = run.arguments.operands[run.name == "git" :], run.arguments.options
        into = [one for name in ("-t", "--target-directory") for one in options.get(name, []) if one]
        sources = operands if into or len(operands) == 1 else operands[:-1]
        into = into or (operands[-1:] if len(operands) > 1 else ["."])
        for source in sources:
            is_path = "/" in source or source.startswith("~")
            is_foreign = is_path and place_of(source, self.root, self.folders) in _FOREIGN
            for content in [_ELSEWHERE] if is_foreign else self.arrivals.of(source):
                for target in into:
                    last = target.rstrip("/").rpartition("/")[2]
                    names = [target] if "." in last.strip(".") else [f"{target.rstrip('/')}/{name_of(source)}", target]
                    for name in names if last.strip(".") else names[:1]:
                        self.brings(name, content)

    def loaded(self, run: ProgramRun) -> set[Effect]:
        """Return what a call would do that runs the project's code, beside that: what the text itself brought in."""
        named = [value for _, value in run.arguments.given if value]
        named += run.arguments.operands[:1] if reads_script(run) else run.arguments.operands
        is_brought = self.cloned or any(map(self.arrivals.is_elsewhere, named))
        if is_brought or (self.arrivals.files and fetches_named(run, self.arrivals.files)):
            return {Effect.RUNS_UNKNOWN_CODE}
        self.look_at_own(run.call, run.depth)
        return set()

    def loads_by_name(self, run: ProgramRun) -> None:
        """Note that a call which runs code is told by an option, a setting or an image's name to run other code."""
        source = run.call.source
        operands, rest = run.arguments.operands, own_words(run)
        given = own_operands(run, rest)
        if hidden := hidden_in(run, rest, given):
            self.doubts(hidden)
        for value in (one for one in loaded_by_options(rest) if one not in _snippets(run)):
            is_address = "://" in value and not CLASSES["local"]([value], [value])
            if is_address or (not is_loopback(value) and any(map(self._is_of_others, pieces_of(value)))):
                self.add([Effect.RUNS_UNKNOWN_CODE], source)
        if any("://" in one or self._is_of_others(one) for one in loaded_by(run, given)):
            self.add([Effect.RUNS_UNKNOWN_CODE], source)
        for setting in (*run.call.settings, *self.exported):
            self.add([Effect.LEAVES_THE_MACHINE] if leads_elsewhere(setting) else [], setting)
            if not is_data_setting(setting) and any(map(self._is_of_others, pieces_of(setting.partition("=")[2]))):
                self.doubts(setting)
        if run.name not in CONTAINERS:
            return
        operands = operands[operands[:1] == ["buildx"] :]
        if operands[:1] == ["build"]:
            self.built |= {one for name in ("-t", "--tag") for one in run.arguments.options.get(name, [])}
        elif operands[:1] in (["run"], ["create"]) and not self._is_known_image(operands[1:2]):
            self.add([Effect.RUNS_UNKNOWN_CODE], source)

    def _is_of_others(self, path: str) -> bool:
        """Return True if a path is outside, and not where the system's programs are installed."""
        return place_of(path, self.root, self.folders) in _FOREIGN and not _INSTALLED_FOLDER.match(path)

    def _is_known_image(self, named: list[str]) -> bool:
        """Return True if an image is one of the registry's own, built by the text, or called like the project."""
        own = posixpath.basename(self.root)
        for image in named:
            plain = image.partition("@")[0].partition(":")[0].removeprefix("docker.io/").removeprefix("library/")
            is_own = re.fullmatch(rf"{re.escape(own)}(?:[-_.]\w+)*", plain) is not None
            return image in self.built or plain in _IMAGES or is_own
        return True

    def look_at_own(self, call: ProgramCall, depth: int) -> None:
        """Note what the text's own words would do in the files that it wrote, once something may load them."""
        for name, text in self.arrivals.unread():
            language = language_of(name, text)
            if language == "sql":
                self.add(sql.effects_of(text), call.source)
            elif language in {"python", "js", "code"}:
                self.add(code.effects_of(text), call.source)
            elif not language and not is_styled(name):
                self.add(code.effects_in_any(text), call.source)
            if is_out_of_reach(name, text) or mounts_outside(name, text):
                self.doubts(name)
            for command in self._commands(name, language, text):
                self.add(self.glimpse(command, depth + 1), command)

    def _commands(self, name: str, language: str, text: str) -> list[str]:
        """Return what may be a command in a file that the text wrote."""
        if language in {"shell", "python", "js", "code"}:
            return [text] if language == "shell" else [*code.shells(text)]
        commands = commands_in(text)
        if commands is None:
            self.doubts(name)
        return [*(commands or []), *([] if language else code.listed(text))]


def _snippets(run: ProgramRun) -> set[str]:
    """Return the values of options that are read as code: they name no file."""
    texts = (said[1].split(",") for rule in run.known.rules for said in rule.also if said[0] == "value")
    return {value for names in texts for name in names for value in run.arguments.options.get(name, [])}


def is_unpacked(run: ProgramRun, effects: set[Effect]) -> bool:
    """Return True if a call writes what only an archive knows, and that is no single file of data."""
    if Effect.WRITES_IN_WORKSPACE not in effects or run.call.feeds is not None:
        return False
    if run.name in _UNPACK_ONE:
        return not all(is_data(name_of(one).rpartition(".")[0]) for one in run.arguments.operands)
    is_zip = run.name == "unzip" and _LISTS.isdisjoint(run.arguments.options)
    return not _UNPACKS.isdisjoint(run.arguments.options) or is_zip or run.arguments.operands[:1] == ["x"]


def brings_code(run: ProgramRun) -> bool:
    """Return True if a call brings in what others wrote: a clone, a pull request, what a stranger's remote has."""
    words = run.arguments.operands[:_REMOTE_WORDS]
    if run.name in _FORGES:
        return not _CODE_FROM_FORGES.isdisjoint(words)
    if run.name in _COPIERS or (run.name in _OTHER_VERSIONS and not _CLONES.isdisjoint(words[:1])):
        return True
    if run.name != "git" or not words:
        return False
    named = words[1:] and (words[1] not in _OWN_REMOTES or any(map(_PROPOSED.fullmatch, run.arguments.operands)))
    return words[0] == "clone" or words[:2] in _ADDS or (words[0] in _FETCHES and bool(named))


def carries(address: str) -> bool:
    """Return True if an address elsewhere holds what the text has read."""
    elsewhere = _NOT_HERE.match(address)
    return elsewhere is not None and _HAS_READ.search(address, elsewhere.end()) is not None
