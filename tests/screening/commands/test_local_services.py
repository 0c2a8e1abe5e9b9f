"""A service on this machine may have power over it, and one that anybody can reach has that for everybody."""

import pytest

from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
ASKING = (
    "curl -X POST localhost:2375/containers/x/stop",
    "curl -X POST http://localhost:2375/containers/create -d x",
    "curl -X DELETE http://127.0.0.1:2375/containers/x",
    "curl http://localhost:2375/build -d @x",
    "curl -X PUT localhost:8500/v1/kv/x -d y",
    "curl localhost:9200/_cluster/settings -X PUT -d x",
    "curl 'http://localhost:8123/?query=drop+table+x'",
    "curl http://localhost:8123 -d 'drop table users'",
    "curl http://localhost:8123 --data-binary 'TRUNCATE TABLE users'",
    "marimo edit --host 0.0.0.0 --no-token",
    "marimo edit --no-token",
    "ray start --head --dashboard-host 0.0.0.0",
    "mlflow ui --host 0.0.0.0",
    "flask run --debug --host=0.0.0.0",
    "python -m http.server -d ~",
    "python -m http.server -d ..",
    "python3 -m http.server --directory /home/me",
    # a folder that the network can read
    "python -m http.server",
    "python3 -m http.server 8000 -d dist",
    "python -m http.server -b 192.168.1.5",
    "python -m http.server --bind ::",
    "python -m http.server --bind 127.0.0.1 --bind 0.0.0.0",
    "python -m http.server -d localhost",
    "python2 -m SimpleHTTPServer",
    "uv run python -m http.server &",
    "python -m pyftpdlib",
    "python -m pyftpdlib -w",
    "php -S 0.0.0.0:8000",
    "php -S shop.example:80 -t public",
    "npx serve",
    "serve -s dist -l 3000",
    "npx http-server dist -a 0.0.0.0",
    "live-server public",
    "browser-sync start --server",
    "ruby -run -e httpd . -p 8000",
    "busybox httpd -f -p 8080",
    "busybox httpd",
    "miniserve .",
    "darkhttpd ./public",
    "caddy file-server --root dist",
)
SILENT = (
    "curl localhost:2375/containers/json",
    "curl localhost:8500/v1/kv/x",
    "curl localhost:9200/_cluster/health",
    "curl http://localhost:8123 -d 'select 1'",
    "curl 'http://localhost:8123/?query=select+1'",
    "curl -X POST localhost:3000/api -d '{}'",
    "curl -s http://localhost:3000/search?query=dropdown",
    "curl -d 'name=drop' localhost:3000/items",
    "marimo edit",
    "marimo edit --host 127.0.0.1",
    "ray start --head",
    "ray start --head --dashboard-host 127.0.0.1",
    "tensorboard --logdir runs",
    "flask run --debug",
    "flask run --port 5001",
    "python -m http.server --bind 127.0.0.1 -d dist",
    "python -m http.server -b localhost 8000",
    "python3 -m http.server --bind=::1",
    "python -m http.server --help",
    "python -m pyftpdlib -i 127.0.0.1",
    "php -S localhost:8000 -t public",
    "php -S 127.0.0.1:8000",
    "php -S '[::1]:8000'",
    "npx serve -l tcp://127.0.0.1:3000",
    "serve --listen=tcp://localhost:3000 dist",
    "npx http-server -a 127.0.0.1 dist",
    "live-server --host=localhost public",
    "browser-sync start --server --listen localhost",
    "busybox httpd -f -p 127.0.0.1:8080",
    "miniserve -i 127.0.0.1 .",
    "darkhttpd public --addr 127.0.0.1",
    "caddy file-server --listen 127.0.0.1:8080",
    "caddy run",
    "caddy validate",
    "npx vite",
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
