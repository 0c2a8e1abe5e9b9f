"""What a text writes into a file of any language is read where something runs that may load it."""

import pytest

from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
ASKING = (
    ("Rakefile", 'task(:default){ rm_rf "src" }', "rake"),
    ("lib/tasks/x.rake", "task(:x){ User.delete_all }", "rake x"),
    ("CMakeLists.txt", "execute_process(COMMAND rm -rf src)", "cmake ."),
    ("CMakeLists.txt", "file(WRITE x y)\nexecute_process(COMMAND rm -rf src)", "cmake -S . -B build"),
    ("configure.ac", "m4_esyscmd(rm -rf src)", "autoconf"),
    ("configure.ac", "m4_syscmd([rm -rf src])", "autoreconf -i"),
    ("SConstruct", 'import shutil; shutil.rmtree("src")', "scons"),
    ("wscript", 'import shutil; shutil.rmtree("src")', "waf configure"),
    ("Vagrantfile", "`rm -rf src`", "vagrant status"),
    ("Vagrantfile", "`rm -rf src`", "vagrant up"),
    (".pryrc", 'File.delete("a")', "pry"),
    (".ghci", ":!rm -rf src", "ghci"),
    (".pylintrc", "[MASTER]\ninit-hook=\"import os;os.remove('a')\"", "pylint src"),
    ("docker-compose.yml", 'services: {x: {image: y, volumes: ["/:/h"]}}', "docker compose up"),
    ("compose.yaml", "services:\n  x:\n    volumes:\n      - ~/.aws:/root/.aws", "docker compose up"),
    ("x.tf", 'data "external" "x" { program = ["rm","-rf","src"] }', "terraform plan"),
    ("binding.gyp", "{'x':'<!(rm -rf src)'}", "npm install"),
    ("x.bats", "@test x { rm -rf src; }", "bats x.bats"),
    ("x.el", '(delete-file "a")', "emacs --batch -l x.el"),
    ("x.dart", 'void main(){Directory("src").deleteSync(recursive:true);}', "dart run x.dart"),
    ("x.fsx", 'System.IO.Directory.Delete("src",true)', "dotnet fsi x.fsx"),
    ("x.cr", 'File.delete("a")', "crystal run x.cr"),
    ("build.gradle.kts", 'File("src").deleteRecursively()', "./gradlew build"),
    ("dvc.yaml", "stages: {x: {cmd: rm -rf src}}", "dvc repro"),
    ("pyproject.toml", '[tool.poe.tasks]\nx="rm -rf src"', "poe x"),
    ("x.js", "db.dropDatabase()", "mongosh x.js"),
    ("x.tex", "\\write18{rm -rf src}", "pdflatex -shell-escape x.tex"),
    ("x.sh", "\\rm -rf src", "sh x.sh"),
)
SILENT = (
    ("Rakefile", 'task(:default){ sh "rspec" }', "rake"),
    ("CMakeLists.txt", "project(x)\nadd_executable(x main.c)\ninstall(TARGETS x)", "cmake ."),
    ("configure.ac", "AC_INIT([x], [1.0])\nAC_PROG_CC\nAC_OUTPUT", "autoconf"),
    ("SConstruct", 'Program("x.c")', "scons"),
    ("Vagrantfile", 'Vagrant.configure("2") do |config|\n  config.vm.box = "x"\nend', "vagrant status"),
    (".pylintrc", "[MASTER]\njobs=4", "pylint src"),
    (
        "docker-compose.yml",
        "services:\n  web:\n    image: node\n    volumes:\n      - ./src:/app/src\n",
        "docker compose up",
    ),
    (
        "compose.yaml",
        "services:\n  db:\n    image: postgres\n    volumes:\n      - data:/var/lib/x\n",
        "docker compose up",
    ),
    ("x.tf", 'resource "null_resource" "x" {\n  triggers = { a = "b" }\n}', "terraform plan"),
    ("x.bats", "@test x { run ./x; }", "bats x.bats"),
    ("x.dart", "void main() { print(1); }", "dart run x.dart"),
    ("x.cr", 'puts "hello"', "crystal run x.cr"),
    ("build.gradle.kts", 'tasks.register("hello") { println("x") }', "./gradlew test"),
    ("dvc.yaml", "stages:\n  train:\n    cmd: python train.py\n", "dvc repro"),
    ("main.css", ".truncate { overflow: hidden }", "npm test"),
    ("jest.config.json", '{"testEnvironment": "node", "roots": ["src"]}', "npm test"),
    ("config.yaml", "remove: [a, b]\ndelete: false\n", "npm test"),
    ("x.tex", "\\section{A}\\emph{b}", "pdflatex x.tex"),
    ("x.tex", "\\section{A}\nword\n", "ls"),
    ("Makefile", "build:\n\tgcc -o x x.c\n", "make"),
    ("Makefile", "test:\n\tpytest tests (unit)\n", "make test"),
    ("README.md", "`rm -rf src`", "npm test"),
    ("tsconfig.json", '{"compilerOptions": {"strict": true}}', "npx tsc"),
    ("schema.graphql", "type Mutation { deleteUser(id: ID!): User }", "npm run codegen"),
)


@pytest.mark.parametrize(("file", "text", "command"), ASKING)
def test_a_person_is_asked(file: str, text: str, command: str) -> None:
    for opening in (f"cat > {file} <<'E'", f"cat <<'E' > {file}"):
        reading = read_command(f"{opening}\n{text}\nE\n{command}", folder=FOLDER)
        assert is_dangerous(reading) or is_unknown(reading), reading


@pytest.mark.parametrize(("file", "text", "command"), SILENT)
def test_nobody_is_asked(file: str, text: str, command: str) -> None:
    reading = read_command(f"cat > {file} <<'E'\n{text}\nE\n{command}", folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
