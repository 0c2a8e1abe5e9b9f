"""Which part of a snippet of code is not understood: a call, a name or an import that may do anything.

Python is read by its own grammar, JavaScript by its words; of other languages only the plainest lines are understood.
What is understood does no more than `code.effects_of` says of it, beside running what the project itself holds.
"""

import re
from collections.abc import Callable, Iterator
from typing import Literal

from hub.screening.commands.snippet_emptied import emptied_by_ruby
from hub.screening.commands.snippet_js import js_snippet
from hub.screening.commands.snippet_names import (
    DYNAMIC,
    SNIPPET_CHARS_MAX,
    SnippetDeed,
    is_deed_name,
    is_hidden_pattern,
    names,
)
from hub.screening.commands.snippet_python import python_snippet

Language = Literal["python", "js", "mongo", "code", "perl", "ruby", "php", "lua", "r"]
MONGO_CHARS_MAX = 1_000
"""A longer query is not understood."""
_MONGO_LOOK = re.compile(
    r"""(?:print(?:json)?\()?(?:db(?:\.getCollection\(['"][\w.]+['"]\)|\.[A-Za-z_]\w*)?\.(?:find|findOne|count|countDocuments|estimatedDocumentCount|distinct|stats|getIndexes|getCollectionNames|getCollectionInfos|serverStatus|version|explain|aggregate|hostInfo|currentOp|getName)
    \((?:(?!\$out|\$merge|\$where|\$function|function|=>)[^;])*\)[\w.()\s{}:,"'$-]*
    |rs\.status\(\)|sh\.status\(\)|show\s\w+|db|db\.(?:runCommand|adminCommand)\(['"]?[{\s]*['"]?(?:ping|hello|isMaster|buildInfo|serverStatus|dbStats|collStats|find|count|distinct|explain|listCollections|listIndexes|listDatabases|connectionStatus|hostInfo|validate)\b(?:(?!\$out|\$merge|\$where|\$function|function|=>)[^;])*\))\)?;?""",
    re.VERBOSE,
)
_OTHER_STRING = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\#$@]|\\.|[#$@](?![{(\[]))*\"""")
_OTHER_BAD = re.compile(
    r"`|%x|\bqx\b|<<|[/|!#,})](?=\w*e)\w++(?=\s*(?:[;)}]|$|if\b|unless\b))|\$\(|&\s*[{$]|<\$|\$\w+\s*\(|[})\]]\s*\(|\$\$|->\(|\|\s*['\"]|::Open|''\s*\("
)
"""What runs a command or a value in any of these languages, or may."""
_OTHER_NAME = re.compile(r"(?<![\w$@%])[A-Za-z_][\w]*[!?]?")
_R_NAME = re.compile(r"(?<![\w$@%.])[A-Za-z.][\w.]*")
_POWERFUL = names("powerful")
_OTHER_NAMES = names("other_names")
"""Names that in any of these languages compute, print, or read a file that is named."""
_PERL_EDIT = re.compile(
    r"\s*+(?:(?:s|tr|y)([/|,#!])(?:\\.|(?!\1)[^\\$@`\n])*\1(?:\\.|(?!\1)[^\\@`\n])*\1[gimsxr]*+\s*+(?:if\s++/[^/$@`(]*+/\s*+)?(?:;\s*+)?"
    r"|print(?:\s++(?:if|unless)\s++(?:/[^/$@`(]*+/|\$\.\s*+[<>=]++\s*+\d++))?\s*+(?:;\s*+)?)+"
)
_COMMENT = re.compile(r"(?:^|(?<=[;\s]))#[^\n{!]*")
_JOINED = re.compile(r"''\s*(?:\.(?!\.)|\+|<<)\s*''")
_JOINED_IN_LUA = re.compile(r"''\s*\.\.\s*''")
"""Two texts put together: what they are is hidden."""
_PIPE = re.compile(r"['\"]\s*\||\|\s*['\"]")
_RUBY_PART = re.compile(r"#\{([^{}'\"]*)\}")
_WORDS = re.compile(r"%[wi](?:\[[^\]#\\]*\]|\([^)#\\]*\))")
_PATTERN = re.compile(
    r"(?:(?<=[(,&|!~{;])|(?<=\bif)|(?<=\bunless)|(?<=\band)|(?<=\bor)|(?<=\bsplit)|(?<=\bgrep)|(?<=\.\.)|^)(\s*)/(?:\\.|(?![@$]\{|\(\?\??\{)[^/\\\n])+/[gimsxo]*"
)
_EXCHANGE = re.compile(
    r"(?<![\w$@%>])(?:s|tr|y)([/|,#!])(?:\\.|(?!\1|[@$]\{|\(\?\??\{)[^\\\n])*\1(?:\\.|(?!\1|[@$]\{)[^\\\n])*\1([a-z]*)"
)
_BAD = {
    "perl": re.compile(
        r"`|\bqx\b|<<|&\s*[{$]|\*\s*\{|\*\$|(?:^|[;{(=,])\s*\*\s*\$|<(?!STDIN>|>)[^\s<>]*>|->\s*[$(\[&]?\(|->\s*\$|\*[A-Za-z_]|\bdo\b(?!\s*\{)|%SIG|\$SIG|[@%]INC|\$INC|\$\^|''\s*[-(]"
        r"|(?:push|unshift|splice)\W*@ARGV|@ARGV\s*=(?![=~])|\$ARGV\[[^\]]*\]\s*=(?![=~])|local\s*\(?\s*[@%*$]ARGV|\bsplice\b|\(\?\??\{|\bmain\b|\$\$|\$\{|[})\]]\s*\("
    ),
    "ruby": re.compile(
        r"`|%x|%[qQ]|<<[~\"'-]|<<[A-Z]|&\s*(?!:\w)\S*\s*\)|\.\(|\[[^\]]*\]\s*\(|\$[:\"0]|\$LOAD|\$\$|::\s*\(|\|\s*''|&method|\bENV\b(?!\s*(?:\[\s*''|\.fetch\(\s*''))|\bself\b\s*\[|[})]\s*\("
    ),
    "php": re.compile(
        r"`|<<<|\$\$|\$\w+\s*\(|\$\{|''\s*\(|[})\]]\s*\(|->\s*[${]|::\s*[${]|\bnew\s+\$|<\?|\?>|\$_(?:ENV|SERVER)|\$GLOBALS|\[\s*''\s*,\s*''\s*\]\s*\("
    ),
    "lua": re.compile(
        r"\b(?:os|io)\b(?!\s*\.\s*(?:time|date|clock|difftime|read|write|lines|stdout|stderr|open)\b)|\b(?:string|table|math)\b(?!\s*[.:])|[)\]}]\s*[('\[{]|''\s*[:(]|\[\["
    ),
    "r": re.compile(
        r"`|\b(?:file|con|path|filename|out|append|FUN|what)\s*=(?!=)|''\s*\(|[)\]}]\s*\(|:::|\$\s*\w+\s*\(|\\\(|\bdo\b"
    ),
}
"""What runs a command or a value in a language, or may."""
_MADE = re.compile(
    r"\b(?:def|function|local\s+function)\s+([A-Za-z_]\w*)\s*\(?([\w\s,=*&]{0,200})|\|([\w\s,()*]{1,80})\||\bfor\s{1,9}([\w\s,]{1,80}?)\s{1,9}in\b|\bfor\s*\(?\s*(\w+)\s*(?:=|in\b)|\blocal\s{1,9}([\w\s,]{1,200})"
    r"|(?<![\w$@.:])([A-Za-z_]\w*)\s*(?:=(?![=~>])|<-)|\bfunction\s*\(([\w\s,=.]{0,200})\)"
)
"""Names that a snippet itself makes."""
_READS_FILE = {
    "ruby": re.compile(
        r"\b(?:File\.(?:read|readlines|foreach|open|new)|YAML\.load_file|CSV\.(?:read|foreach|table)|IO\.\w+|JSON\.load_file)\b"
    ),
    "php": re.compile(r"\b(?:file_get_contents|file|simplexml_load_file|hash_file|readfile)\b(?=\s*\()"),
    "lua": re.compile(r"\bio\.(?:lines|open)\b"),
    "r": re.compile(r"\b(?:read\.\w+|readLines|fromJSON)\b(?=\s*\()"),
    "perl": re.compile(r"(?!)"),
}
_WRITES_FILE = re.compile(r"\b(?:File|IO)\s*(?:\.|::)\s*\w*write\b")
_ONE_TEXT = re.compile(r"""\s*[( ]\s*('(?:[^'\\#$@]|\\.)*'|"(?:[^"\\#$@]|\\.)*")\s*(?=[,);}\]\n]|$|\.\w|do\b)""")
_ONE_NAME = re.compile(r"\s*[( ]\s*\$?([A-Za-z_]\w*)\s*(?=[,);}\]\n]|$|\.\w)")
_LOADS = {
    "ruby": re.compile(r"\b(?:require|require_relative|load)\b"),
    "php": re.compile(r"(?<!['\"\w$>:])(?:require|include)(?:_once)?\b"),
    "perl": re.compile(r"\brequire\b"),
    "lua": re.compile(r"\brequire\b"),
    "r": re.compile(r"\bsource\b"),
}
_CHANGES_ARGUMENTS = re.compile(r"<>|\bBEGIN\b|(?<![=!<>])=(?![=~])")
"""What Perl reads after it may be a command, if the snippet puts one among its arguments."""
_GLOBS = re.compile(r"\b(?:glob|Dir|scandir|list\.files)\b")
_LISTS_HIDDEN = re.compile(r"\b(?:Dir\s*(?:\.|::)\s*(?:entries|children|each_child|new|open)|scandir)\b")
"""What lists a folder with what is hidden in it, among that files with secrets."""
_OF_LUA = frozenset({"os", "io", "debug", "package", "ffi", "posix", "lfs", "socket"})
_BY_NAME = re.compile(r"\b(?:[a-z]*apply|Map|Filter|Reduce|do\.call)\b")
_RUBY_JOINS = r"(?:do|if|unless|and|or|then|in|rescue|while|until|end)\b"
_ENDS = {"ruby": ".rb", "php": "", "perl": "", "lua": ".lua", "r": ""}


def _other(text: str) -> str:
    """Return the first word of a snippet that is not known to do no harm in any of the languages."""
    plain = _OTHER_STRING.sub("''", text)
    bad = _OTHER_BAD.search(plain) or (re.search(r"[\"']", plain.replace("''", "")))
    if bad:
        return bad.group() or text
    unlisted = (name for name in _OTHER_NAME.findall(plain) if len(name) > 1 and name not in _OTHER_NAMES)
    return next((name for name in unlisted if not name.istitle() or name in _POWERFUL), "")


def _script(language: str, text: str) -> Iterator[SnippetDeed]:
    """Judge a snippet of Perl, Ruby, PHP, Lua or R: each name in it is one of a list, or the snippet's own."""
    if len(text) > SNIPPET_CHARS_MAX:
        yield "unknown", text
        return
    if language == "perl" and _PERL_EDIT.fullmatch(text):
        return
    text = _COMMENT.sub("", text) if language != "php" else text
    text = _RUBY_PART.sub(r'" \1 "', text) if language == "ruby" else text
    yield from _files_of(language, text)
    text = _LOADS[language].sub(" ", text)
    plain = _OTHER_STRING.sub("''", _WORDS.sub("''", text) if language == "ruby" else text)
    if language in {"perl", "ruby"}:
        if any("e" in match.group(2) for match in _EXCHANGE.finditer(plain)):
            yield "unknown", text
        plain = _PATTERN.sub(r"\1''", _EXCHANGE.sub("''", plain))
    joined = _JOINED_IN_LUA if language == "lua" else _JOINED
    bad = _BAD[language].search(plain) or re.search(r"[\"']", plain.replace("''", "")) or joined.search(plain)
    if language == "perl" and "@ARGV" in plain and (_EXCHANGE.search(text) or _CHANGES_ARGUMENTS.search(plain)):
        yield "unknown", "@ARGV"
    if _GLOBS.search(text) and any(is_hidden_pattern(match[1:-1]) for match in _OTHER_STRING.findall(text)):
        yield "unknown", text
    if bad or _PIPE.search(text):
        yield "unknown", bad.group() if bad else text
    yield from _unknown_names(language, plain, text)


def _unknown_names(language: str, plain: str, text: str) -> Iterator[SnippetDeed]:
    """Yield the names that are neither listed nor the snippet's own."""
    listed, deeds = names(f"{language}_names"), names("other_deeds")
    made = {
        name for match in _MADE.finditer(plain) for part in match.groups() if part for name in re.findall(r"\w+", part)
    }
    made = {name for name in made if name not in deeds and not is_deed_name(name)}
    if language in {"php", "perl"}:
        made = set(re.findall(r"\b(?:function|sub)\s+(\w+)", plain)) & made
    for name in made - _functions(plain) - listed:
        if re.search(rf"(?<![\w.$@:]){name}\s*\(", plain) or (language == "ruby" and _told(name, plain)):
            yield "unknown", name
    for name in (_R_NAME if language == "r" else _OTHER_NAME).findall(plain):
        if name not in listed and name not in made and (len(name) > 1 or language not in {"perl", "ruby", "r", "lua"}):
            yield "unknown", name
    if language == "r" and _BY_NAME.search(plain):
        for match in _OTHER_STRING.findall(text):
            if re.fullmatch(r"[A-Za-z.][\w.]*", match[1:-1]) and match[1:-1] not in listed:
                yield "unknown", match


def _functions(plain: str) -> set[str]:
    pairs = re.findall(r"\b(?:function|sub|def)\s+([A-Za-z_]\w*)|\b([A-Za-z_]\w*)\s*(?:=|<-)\s*function\b", plain)
    return {name for pair in pairs for name in pair if name}


def _told(name: str, plain: str) -> bool:
    """Return True if a name is followed by what Ruby takes for an argument: methods may be called as variables are."""
    return re.search(rf"(?<![\w.$@:|]){name}[ \t]+(?:''|[:\[$@]|(?!{_RUBY_JOINS})\w)", plain) is not None


def _files_of(language: str, text: str) -> Iterator[SnippetDeed]:
    """Yield the files that are read, written or run; a path that is no plain text hides where it leads."""
    for match in _LOADS[language].finditer(text):
        given = _ONE_TEXT.match(text, match.end())
        path = given.group(1)[1:-1] if given else DYNAMIC
        if (
            given
            and language in {"ruby", "lua"}
            and path[:1] not in {".", "/", "~"}
            and "relative" not in match.group()
        ):
            path = f"{path.replace('.', '/')}{_ENDS[language]}"
        is_known = given is not None and "://" not in path and path.partition(".")[0] not in _OF_LUA
        yield ("imports", path) if is_known else ("unknown", match.group())
    seen = {
        name
        for match in _MADE.finditer(text)
        for part in (match.group(3), match.group(4))
        if part
        for name in re.findall(r"\w+", part)
    }
    seen |= set(re.findall(r"\bas\s+(?:\$\w+\s*=>\s*)?\$(\w+)", text))
    for match in _READS_FILE[language].finditer(text):
        given, named = _ONE_TEXT.match(text, match.end()), _ONE_NAME.match(text, match.end())
        if given and "://" not in given.group(1):
            yield "reads", given.group(1)[1:-1]
        elif not (named and named.group(1) in seen and not _LISTS_HIDDEN.search(text)) and not re.match(
            r"\s*\(?\s*(?:ARGV\[\d\]|\$argv\[\d\])", text[match.end() :]
        ):
            yield "unknown", match.group()
        if re.search(r"\.(?:open|new)$", match.group()) and re.match(
            r"[^)\n]*,\s*(?!['\"]rb?['\"]\s*\))", text[match.end() :]
        ):
            yield "unknown", match.group()
    for match in _WRITES_FILE.finditer(text):
        given = _ONE_TEXT.match(text, match.end())
        yield "writes", given.group(1)[1:-1] if given else DYNAMIC


def _mongo(text: str) -> Iterator[SnippetDeed]:
    if len(text) > MONGO_CHARS_MAX or not _MONGO_LOOK.fullmatch(text.strip()):
        yield "unknown", text


def _any(text: str) -> Iterator[SnippetDeed]:
    if word := _other(text):
        yield "unknown", word


_READERS: dict[str, Callable[[str], Iterator[SnippetDeed]]] = {
    "python": python_snippet,
    "js": js_snippet,
    "mongo": _mongo,
    "code": _any,
}


def snippet(language: Language, text: str) -> Iterator[SnippetDeed]:
    """Yield what a snippet names and what of it is not understood. Pure and total."""
    reader = _READERS.get(language)
    yield from reader(text) if reader else _script(language, text)
    if language == "ruby":
        yield from (("empties", file) for file in emptied_by_ruby(text))
