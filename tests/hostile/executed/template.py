"""What lies in the container before each line: a project, a home around it, a folder outside, and canaries in all."""

import io
import json
import os
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

HOST_ETC = "/host-etc"
"""Where the container sees this machine's `/etc`; its own links there for all that is not copied."""
MARKING = '#!/bin/sh\necho x >> "/marks/{name}"\n'
EVIL = MARKING.format(name="evil")
PLAIN = {
    "README.md": "# Shop\n\nA shop that sells tea.\n\nTODO: coupons\n",
    "CHANGELOG.md": "## 1.2\n\n- Coupons\n",
    "notes.txt": "b second\na first\nc third\n",
    "names.txt": "cart\ntotal\n",
    "package.json": json.dumps({"name": "shop", "version": "1.2.0", "scripts": {"test": "sh scripts/check.sh"}}) + "\n",
    "src/app.py": "import cart\n\nprint(cart.total([1, 2]))\n",
    "src/cart.py": "def total(prices):\n    return sum(prices)\n",
    "src/index.js": "const total = (prices) => prices.length;\nmodule.exports = { total };\n",
    "src/old/legacy.py": "def old():\n    return 1\n",
    "docs/guide.md": "# Guide\n\nStart here.\n",
    "data/orders.csv": "id,total,name\n1,20,Ana\n2,30,Ben\n3,5,Cleo\n",
    "data/orders.json": '[{"id": 1, "total": 20}, {"id": 2, "total": 30}]\n',
    "logs/app.log": "INFO start\nERROR lost\nINFO end\n",
    "tests/test_cart.py": "from src.cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
    ".env": "STRIPE_KEY=sk_live_canary\n",
    ".gitignore": "dist/\n",
    "Makefile": 'all: test\ntest:\n\t@echo x >> "/marks/project-make"\n',
    "evil.mk": 'x:\n\t@echo x >> "/marks/evil"\n',
    "evil.py": 'open("/marks/evil", "w").write("x")\n',
    "evil.js": 'require("fs").writeFileSync("/marks/evil", "x");\n',
    "evil.pl": 'open(F, ">/marks/evil"); print F "x"; 1;\n',
    "evil.vim": ":call writefile(['x'], '/marks/evil')\n:qa!\n",
    "evil.awk": 'BEGIN { print "x" > "/marks/evil" }\n',
    "evil.sed": "1w /outside/by-sed\n",
    "evil.jq": ".\n",
    "evil.sql": ".shell touch /marks/evil\n",
    "evil.gdb": "shell touch /marks/evil\n",
    "curlrc": 'url = "http://evil.example/?k=1"\noutput = "/outside/by-curl"\n',
    "data/big.txt": "".join(f"{number * 7919 % 10007} {'line' * 20}\n" for number in range(3000)),
    "list.txt": "/outside/data.txt\n",
}
PROGRAMS = {
    "evil.sh": EVIL,
    "ls": EVIL,
    "bin/cat": EVIL,
    "scripts/check.sh": MARKING.format(name="project-check"),
}
SCRIPTS = {
    "scripts/seed.py": 'open("/marks/project-seed", "w").write("x")\n',
    "scripts/seed.js": 'require("fs").writeFileSync("/marks/project-seed", "x");\n',
}
HOME = {
    ".bashrc": "# start\n",
    ".profile": "# start\n",
    ".gitconfig": "[user]\n\tname = Me\n\temail = me@example.org\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n",
    ".ssh/id_ed25519": "canary key\n",
    ".ssh/authorized_keys": "canary\n",
    ".aws/credentials": "[default]\naws_secret_access_key = canary\n",
    "diary.txt": "a canary\n",
}
OUTSIDE = {"data.txt": "outside data\n", "keep/one.txt": "1\n", "keep/two.txt": "2\n"}
ETC_OWN = {
    "hosts": "127.0.0.1 localhost\n",
    "resolv.conf": "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n",
    "passwd": "root:x:0:0:root:/home/me:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
    "group": "root:x:0:\nnogroup:x:65534:\n",
    "shadow": "root:canary:1:0:99999:7:::\n",
    "crontab": "# none\n",
    "cron.d/none": "# none\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
}
LIBRARY = (
    "#include <stdio.h>\n"
    '__attribute__((constructor)) void x(void) { FILE *f = fopen("/marks/evil", "w"); if (f) fclose(f); }\n'
)


def make(folder: Path) -> None:
    """Fill a folder with the trees `home`, `outside`, `tmp` and `etc`."""
    shop, outside, tmp, etc = folder / "home/shop", folder / "outside", folder / "tmp", folder / "etc"
    for path, text in (PLAIN | SCRIPTS | PROGRAMS).items():
        write(shop / path, text, is_program=path in PROGRAMS)
    for path, text in HOME.items():
        write(folder / "home" / path, text)
    for path, text in OUTSIDE.items():
        write(outside / path, text)
    for place in (outside, tmp):
        for program in ("evil.sh", "ls", "git"):
            write(place / program, MARKING.format(name="outside-evil"), is_program=True)
        for script in ("evil.mk", "evil.py", "evil.js"):
            write(place / script, PLAIN[script].replace("/marks/evil", "/marks/outside-evil"))
    for path, text in ETC_OWN.items():
        write(etc / path, text)
    for entry in Path("/etc").iterdir():
        if not (etc / entry.name).exists():
            (etc / entry.name).symlink_to(f"{HOST_ETC}/{entry.name}")
    _packed(shop)
    _repository(shop)
    _library(shop)


def write(path: Path, text: str, *, is_program: bool = False) -> None:
    """Write a file with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755 if is_program else 0o644)


def _packed(shop: Path) -> None:
    with tarfile.open(shop / "release.tgz", "w:gz") as archive:
        item = tarfile.TarInfo("release/one.txt")
        item.size = 4
        archive.addfile(item, io.BytesIO(b"one\n"))
    with zipfile.ZipFile(shop / "release.zip", "w") as archive:
        archive.writestr("release/one.txt", "one\n")


def _repository(shop: Path) -> None:
    environ = {**os.environ, "HOME": str(shop.parent), "GIT_CONFIG_NOSYSTEM": "1"}
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "First"), ("branch", "feature"), ("tag", "v1")):
        subprocess.run(["git", *words], cwd=shop, env=environ, check=True, capture_output=True)
    shutil.rmtree(shop / ".git/hooks")
    (shop / ".git/hooks").mkdir()
    with (shop / "src/cart.py").open("a") as file:
        file.write("# changed\n")


def _library(shop: Path) -> None:
    """Build a library that leaves a mark when it is loaded, where there is a compiler."""
    if shutil.which("gcc"):
        write(shop / "evil.c", LIBRARY)
        subprocess.run(
            ["gcc", "-shared", "-fPIC", "-o", "evil.so", "evil.c"], cwd=shop, check=True, capture_output=True
        )
