"""What the words of build tools, test runners and launchers of languages hide, and everyday words that hide nothing."""

import pytest

from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
COMMANDS = (
    "tsup --onSuccess 'rm -rf ~'",
    "npx tsup --onSuccess 'node x.js; ls'",
    "cdk synth --build 'sh x'",
    "rollup -c --plugin '{buildStart(){process.exit()}}'",
    "pylint --init-hook 'import os' src",
    "dvc stage add -n x 'python x.py | sh'",
    "nodemon --exec 'rm -rf ~'",
    "mypy --python-executable 'sh x' src",
    "snakemake --cluster 'sh x'",
    "scons CC='sh x'",
    "bazel build --spawn_strategy 'x; y' //x",
    "cargo watch -x 'test; ls'",
    "eslint --plugin 'x y' src",
    "start-server-and-test 'rm -rf ~' http://localhost:3000 test",
)
"""A command, or code, in a word that no table lists as data."""
CODE = (
    "tox exec -- sh -c 'rm -rf ~'",
    "stack exec -- sh -c 'rm -rf ~'",
    "foreman run rm -rf src",
    "mix eval x",
    "mix do eval x",
    "bb -e '(x)'",
    "clojure -X clojure.java.shell/sh",
    "clj -M -e '(x)'",
    "drush php:eval x",
    "wp eval x",
    "flask shell -c x",
    "nim --eval:x",
    "stack ghc -- -e x",
    "sbt 'runMain x.Y; eval 1'",
    "sbt 'iflast x'",
    "sbt 'plugins; onFailure rm'",
    "julia -e 'run(`x`)'",
    "groovy -e '\"x\".execute()'",
)
OUTSIDE = (
    "gradle --include-build /tmp/x build",
    "rake -R /tmp/x",
    "rake -f ~/Rakefile",
    "phpstan -a /tmp/x.php",
    "cmake --build /tmp/evil",
    "cmake --build ../evil",
    "python -m doctest /tmp/x.py",
    "make include=/tmp/x.mk",
    "meson setup /tmp/x",
    "vite build /tmp/x",
    "mix test /tmp/x_test.exs",
    "dotnet exec /tmp/x.dll",
    "flutter test /tmp/x_test.dart",
    "zig build --build-file /tmp/x.zig",
    "npm --prefix /tmp/x test",
    "node --import /tmp/x.mjs a.js",
    "buf generate --template /tmp/x.yaml",
)
BY_NAME = (
    "mvn archetype:generate -DarchetypeArtifactId=x",
    "mvn dependency:get -Dartifact=x:y:1",
    "deno create jsr:@x/y",
    "dotnet tool exec x",
    "nix run x/y#z",
    "nix develop x",
    "act -P ubuntu-latest=x/y",
    "clojure -Ttools install x/y",
    "lein new x y",
    "degit x/y app",
    "earthly github.com/x/y+z",
    "dagger -m github.com/x/y call z",
    "terraform init -from-module=github.com/x/y",
    "python -m spacy download x",
    "stack new x y/z",
    "npx cowsay@latest",
)
SENDING = (
    "lerna version",
    "sam package --s3-bucket x",
    "snyk test",
    "snyk container test x",
    "mvn sonar:sonar",
    "gradle sonar",
    "serverless dev",
    "sentry-cli monitors run x -- ls",
    "coveralls report",
    "codecov",
    "chromatic",
    "percy exec -- npm test",
    "lhci autorun",
    "eas build",
    "fastlane supply",
    "vercel link",
    "netlify link",
    "expo start --tunnel",
    "firebase ext:install x",
    "supabase link",
    "goreleaser",
    "nx connect",
    "nx view-logs",
    "turbo link",
    "trunk check upload",
    "artillery run-fargate x.yml",
)
SILENT = (
    "npm run build",
    "npm test -- -t 'adds | removes'",
    "npm run test -- --grep 'adds an item'",
    "npx prettier --check 'src/**/*.{ts,tsx}'",
    "npx eslint 'src/**/*.{js,ts}' --ext .js,.ts",
    "npx jest -t 'adds items (fast)'",
    "npx jest --testNamePattern='cart|order' src/cart",
    "npx vitest run 'src/app/(shop)/page.test.ts'",
    "npx playwright test -g 'logs in' --project=chromium",
    "npx cypress run --spec 'cypress/e2e/**/*.cy.ts'",
    "npx mocha -g 'a b' 'test/**/*.spec.js'",
    "yarn workspace app test",
    "pnpm --filter app test",
    "bun test -t 'a b'",
    "node --test 'tests/**/*.test.js'",
    "node scripts/build.js 'a b; c'",
    "pytest -k 'a and b'",
    "pytest -k 'not (slow or net)' -m 'unit and not db' -q",
    "python -m pytest -q 'tests/x.py::test_a[1-2]'",
    "python -m pytest 'tests/x.py::test_a[a b]'",
    "python -m unittest discover -s tests -p 'test_*.py'",
    "python scripts/run.py --name 'a; b'",
    'for f in tests/*.py; do pytest "$f"; done',
    "tox -e py312 -- -k 'a and b'",
    "coverage run -m pytest -k 'a and b'",
    "cargo test -- --nocapture",
    "cargo test 'cart tests'",
    "cargo test --workspace --features 'a b'",
    "cargo run --bin shop -- --name 'a b'",
    "cargo nextest run -E 'test(cart)'",
    "cargo watch -x test",
    "make -j4 test",
    "make test ARGS=\"-k 'a and b'\"",
    "make CFLAGS='-O2 -g' all",
    "make PREFIX=/usr/local all",
    "cmake -S . -B build -G 'Unix Makefiles'",
    "cmake -S . -B /tmp/build",
    "mkdir -p build && cd build && cmake .. && make",
    "ctest --test-dir build -R 'cart|order' --output-on-failure",
    "go test ./... -run 'TestA|TestB'",
    "go test -coverprofile /tmp/c.out ./...",
    "go run ./cmd/shop --name 'a b'",
    "gotestsum --format testname -- -run 'TestA|TestB' ./...",
    "mvn -q -Dtest='Foo#bar*+Baz' test",
    "gradle test --tests 'com.x.Foo.bar baz'",
    "sbt test",
    "sbt 'testOnly x.Y'",
    "sbt clean compile 'cart/testOnly x.Y -- -z adds'",
    "sbt ';clean;test'",
    "dotnet test --filter 'FullyQualifiedName~Cart&Category!=Slow'",
    "dotnet build /p:Configuration=Release",
    "bundle exec rake 'db:seed[a b]'",
    "bundle exec rspec -e 'adds an item' spec/cart_spec.rb:12",
    "mix test test/cart_test.exs:12",
    "phpunit --filter testAdds tests",
    "flutter test --name 'adds item'",
    "docker compose up -d",
    "docker cp web:/app/log.txt .",
    "bazel test //src/... --test_filter='Cart.*|Order.*'",
    "bazel query 'deps(//app)'",
    "turbo run build --filter='...[origin/main]'",
    "stack exec ls",
    "poetry run pytest -k 'a and b'",
    "robot --include 'smokeANDnot slow' tests",
    "behave -n 'adds an item'",
    "webpack --mode production --env 'a=b'",
    "concurrently 'npm run dev' 'npm run api'",
    "black --check /tmp/x.py",
    "python -m json.tool /tmp/x.json",
    "gcc -O2 -o /tmp/a /tmp/a.c",
    "source ~/.bashrc",
    "wrk -t2 http://localhost:8080",
    "alembic revision --autogenerate -m 'add a column (nullable)'",
    "npx prisma migrate dev --name 'add users'",
    "eslint --rule '{\"no-console\": 2}' src",
    "julia --project=. test/runtests.jl",
    "clojure -X:test",
    "gunicorn 'shop:create_app()' -w 2",
    "java -jar build/libs/shop.jar --x 'a b'",
    "dbt test -s 'cart orders'",
    "dotnet test --logger 'trx;LogFileName=x.trx'",
    "sbt 'Test / testOnly shop.CartSpec' ~compile",
    "stack exec shop-exe",
    "nix develop",
    "nix run .#app",
    "vercel dev",
    "netlify build",
    "wrangler dev",
    "changeset version",
    "goreleaser check",
    "twine check dist/*",
    "expo start",
    "fastlane test",
    "nx test shop",
    "git log --oneline -5",
)


@pytest.mark.parametrize("command", [*COMMANDS, *CODE, *OUTSIDE, *BY_NAME, *SENDING])
def test_a_person_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)

    assert is_dangerous(reading) or is_unknown(reading), reading


@pytest.mark.parametrize(
    "apart", ["tsup --onSuccess 'a b'", "pylint --init-hook 'x()'", "gradle --include-build /tmp/x"]
)
def test_a_value_behind_a_blank_is_read_like_one_behind_an_equals_sign(apart: str) -> None:
    program, option, value = apart.split(" ", 2)

    for command in (apart, f"{program} {option}={value}"):
        reading = read_command(command, folder=FOLDER)
        assert is_dangerous(reading) or is_unknown(reading), reading


@pytest.mark.parametrize("command", SILENT)
def test_nobody_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)

    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
