"""Programs whose manuals say that they run, write, send or load what they are given: each is named as that.

A row is a kind of fact, once for every program that shares it; its slots are filled with other names of files, commands
and hosts, its long options are written with `=` and without, and its options stand before and behind the operands.
"""

import itertools
import re

import pytest

from hub.contract.effects import Effect
from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
SLOTS = {
    "run": ("/bin/sh", "./tools/start.sh", "'rm -rf src'"),
    "argv": ("sh", "./tools/start.sh", "rm -rf src"),
    "lib": ("./build/m.so", "/srv/lib/m.so"),
    "out": ("~/.profile", "/etc/cron.d/job", "../away.txt"),
    "host": ("203.0.113.7", "files.example.net"),
    "in": ("notes.txt", "src/cart.py"),
}
SHELLS = (
    *("csh", "tcsh", "mksh", "lksh", "oksh", "rbash", "posh", "yash", "sash", "rc", "es", "osh", "elvish", "ion"),
    *("xonsh", "nu", "zsh", "dash", "ash", "fish", "ksh"),
)
WRAPPERS = (
    *(
        "aa-exec -p x",
        "aoss",
        "padsp",
        "distcc",
        "multitime -n 2",
        "pexec",
        "torify",
        "proxychains4",
        "grc",
        "sshpass -p x",
    ),
    *("softlimit -m 1", "chpst -u me", "nocache", "startx", "dbus-launch", "setlock x", "envdir env", "setuidgid me"),
    *("logsave x", "gosu me", "kcov out", "dtach -A x", "setarch -3", "setarch x86_64 -R", "linux64 -R", "socket -p"),
    *(
        "rustup run x",
        "devbox run --",
        "toolbox run",
        "distrobox enter x --",
        "dotenv run --",
        "zellij run --",
        "rtx exec",
    ),
    *(
        "systemd-nspawn -D x",
        "schroot -c x --",
        "flatpak-spawn --host",
        "git bisect run",
        "git submodule foreach",
        "sem",
    ),
    *("pdsh -w h", "clush -w h", "cargo watch -s", "hg bisect -c", "nodenv exec", "envconsul"),
    *("nice -n 5", "ionice -c3", "stdbuf -o0", "timeout 5", "xvfb-run", "flock x", "choom -n 0 --", "systemd-run"),
)
RUNNING = (
    "aria2c --on-download-complete={run} http://{host}/x",
    "aria2c --gid=0123456789abcdef --on-download-error={run} http://{host}/x",
    "certbot renew --pre-hook {run}",
    "certbot certonly -n -d x --dry-run --deploy-hook {run}",
    "fzf --bind 'enter:execute({run})'",
    "fzf --bind=ctrl-x:become:{run}",
    "fzf --preview {run}",
    "fzf --listen=4711",
    "sk --cmd {run}",
    "hg --config alias.x=!{run} x",
    "hg log --config hooks.pre-log={run}",
    "pip config --editor {run} edit",
    "pidstat -e {argv}",
    "scrot -e {run}",
    "script -q -c {run} x.log",
    "script x.log --command {run}",
    "script",
    "ttyrec -e {run} x.tty",
    "run-parts --regex '^x' /srv/parts",
    "run-parts scripts",
    "sed e {in}",
    "sed '1e;p' {in}",
    "sed -n '$!{{e}}' {in}",
    "sed 's/a/b/e' {in}",
    "sed 's/a/b/ge' {in}",
    "vi -c ':shell' {in}",
    "vim -c ':set shell={run}' -c ':sh' {in}",
    "nvim {in} -c 'terminal {run}'",
    "vim --cmd 'py3 import os' {in}",
    "vim -c 'set nu | sh' {in}",
    "vim -c '1 | terminal' {in}",
    "vim -c 'syntax on | source x | syntax on' {in}",
    "emacs -Q -nw --eval '(term \"{run}\")'",
    "emacs --eval '(shell-command \"x\")' {in}",
    "svn diff --diff-cmd {run}",
    "svn commit --editor-cmd={run}",
    "busctl --address=unixexec:path={argv} list",
    "busctl --address unixexec:path=/bin/sh,argv1=-c call x",
    "dnsmasq --conf-script={run}",
    "dnsmasq --dhcp-script={run} -d",
    "dvips -R0 {in}",
    "mpost -tex={run} x.mp",
    "xdvi -allowshell x.dvi",
    "xdg-user-dir '}}; {run} #'",
    "xterm -e {argv}",
    "kitty {argv}",
    "gnome-terminal -- {argv}",
    "xdotool exec --sync {argv}",
    "dmsetup ls --exec {run}",
    "rpm --eval '%({run})'",
    "rpmquery -E '%{{lua: os.execute(1)}}'",
    "tcpdump -z {run} -G 1 -w x",
    "enscript {in} -I {run}",
    "clisp -x '(ext:run-shell-command 1)'",
    "sbcl --eval '(run-program 1)'",
    "slsh -e 'system(1)'",
    "start-stop-daemon -S -x {argv}",
    "fastfetch -c {in}",
    "runscript {in}",
    "git --exec-path=. x",
    "AUTOM4TE={run} autoheader",
    "ranger",
    "ncdu",
    "nnn src",
    "mc",
)
LOADING = (
    "curl --engine {lib} https://{host}/",
    "openssl req -engine {lib}",
    "openssl rand 8 -engine {lib}",
    "bash -c 'enable -f {lib} x'",
    "enable -f {lib} x",
    "ssh-keygen -D {lib}",
    "ssh-add -s {lib}",
    "ssh -I {lib} {host}",
    "nm --plugin {lib} x.o",
    "ar --plugin={lib} r x.a x.o",
    "zmodload zsh/net/tcp",
    "zsh -c 'zmodload zsh/net/tcp; ztcp {host} 80'",
    "sqlite3 x.db -cmd '.load {lib}'",
)
WRITING = (
    "emacs {out}",
    "nano {out}",
    "vim {out}",
    "micro {out}",
    "joe {out}",
    "kak {out}",
    "dmidecode --no-sysfs -d x.bin --dump-bin {out}",
    "dmidecode --dump-bin={out}",
    "exiftool -filename={out} {in}",
    "exiftool {in} -o {out}",
    "check_log -F {in} -O {out}",
    "gtester -o {out} ./x",
    "lwp-download http://{host}/x {out}",
    "lwp-mirror file:///srv/x {out}",
    "script -q -c 'echo x' {out}",
    "script {out}",
    "script -T {out} x",
    "logsave {out} true",
    "rustdoc x.rs -o {out}",
    "dvips x.dvi -o {out}",
    "enscript -p {out} {in}",
    "arj e x.arj {out}",
    "sqlite3 x.db -cmd '.output {out}' 'select 1'",
    "sqlite3 x.db '.once {out}' 'select 1'",
    "sqlite3 x.db '.backup {out}'",
    "psql -c '\\o {out}'",
    "virsh -c qemu:///system vol-download --pool x a {out}",
    "virsh --connect=qemu:///session pool-create-as x dir --target {out}",
)
SENDING = (
    "lp {in} -h {host}",
    "lp -h {host} {in}",
    "lpr -H {host} {in}",
    "cancel -h {host}:631 -u x",
    "code tunnel --name x",
    "codium serve-web --host {host}",
    "ttyd bash",
    "tmate",
    "socket {host} 80",
    "check_by_ssh -H {host} -C x",
    "check_by_ssh -o 'ProxyCommand x' -H localhost -C x",
    "lwp-request -m POST http://{host}/x",
    "wireshark -c 1 -i lo -k",
    "dumpcap -i any -w {in}",
    "tcpserver 0 80 cat",
    "gdbus call --session -d x -o /x -m x.x",
    "dbus-send --session --dest=x /x x.x",
    "xdotool type x",
)
HARMLESS = (
    "sg scan",
    "hg log --config ui.verbose=true",
    "vim -c q notes.txt",
    "vim -c 'set nu' -c wq notes.txt",
    "logsave out.log head -1 notes.txt",
    "logsave out.log wc -l",
    "vim notes.txt",
    "nano notes.txt",
    "emacs -nw src/cart.py",
    "code .",
    "fzf --preview 'head -20 notes.txt'",
    "rg --files | fzf -f cart",
    "fzf --bind ctrl-a:select-all",
    "script -q -c 'npm test' test.log",
    "script -q /dev/null npm test",
    "setarch -R ls",
    "setarch x86_64 ls -l",
    "sed 's/e/e/g' notes.txt",
    "sed -n '/e/p' notes.txt",
    "dmidecode -t memory",
    "pidstat 1 5",
    "rpm --eval '%{_libdir}'",
    "rpm -E %fedora",
    "exiftool -s photo.jpg",
    "run-parts --test scripts",
    "busctl list",
    "ipython -c 'print(1)'",
    "xdg-user-dir DOWNLOAD",
    "svn diff",
    "objcopy -O binary fw.elf fw.bin",
    "virsh -c qemu:///system list --all",
    "pip config list",
    "wmctrl -l",
    "multitime -n 3 ls",
)


def variants(row: str) -> list[str]:
    """Return a line with its slots filled, its long options written both ways and moved behind what follows them."""
    names = dict.fromkeys(re.findall(r"(?<!\{)\{(\w+)\}", row))
    filled = [
        row.format(**dict(zip(names, values, strict=True)))
        for values in itertools.product(*(SLOTS[one] for one in names))
    ]
    joined = [re.sub(r"( --[\w-]+) (?=[\w./~'])", r"\1=", line) for line in filled]
    apart = [re.sub(r"( --[\w-]+)=(?=[\w./~'])", r"\1 ", line) for line in filled]
    return list(dict.fromkeys((*filled, *joined, *apart, *(f"env X=1 {line}" for line in filled if line[0].islower()))))


NAMED = (
    *SHELLS,
    *(f"{wrapper} {{argv}}" for wrapper in WRAPPERS),
    *(f"{shell} -c '{{argv}}'" for shell in SHELLS),
    *(*RUNNING, *LOADING, *WRITING, *SENDING),
)


@pytest.mark.parametrize("row", NAMED)
def test_it_is_named_as_dangerous_or_as_running_code(row: str) -> None:
    silent = [
        line
        for line in variants(row)
        for said in (read_command(line, folder=FOLDER),)
        if not is_dangerous(said) and Effect.RUNS_PROJECT_CODE not in said.effects
    ]

    assert silent == []


def test_there_are_many_variants() -> None:
    assert sum(len(variants(row)) for row in NAMED) >= 600


@pytest.mark.parametrize("command", HARMLESS)
def test_nobody_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)

    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
