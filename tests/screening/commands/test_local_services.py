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
    "python -m http.server -d dist",
    "python -m http.server 8000",
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
