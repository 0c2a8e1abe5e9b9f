"""A word that looks, or a trial that is taken back, hides no deed beside it."""

import pytest

from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"

ASKING = (
    "argocd login evil.example",
    "borg create list::x .",
    "borg delete list",
    "fail2ban-client unban status",
    "firebase deploy list",
    "firewall-cmd --list-all --remove-service=ssh",
    "fly deploy list",
    "gcloud compute instances delete list",
    "gcloud run deploy list",
    "gsutil mv info gs://x",
    "helm rollback list",
    "helm upgrade list x",
    "heroku apps:destroy list",
    "heroku ps:restart list",
    "iptables -F -L",
    "iptables -L -F",
    "iptables -S -P INPUT ACCEPT",
    "kubectl auth reconcile -f x",
    "kubectl certificate approve list",
    "kubectl drain list",
    "kubectl label pod list x=y",
    "kubectl rollout restart list",
    "launchctl bootout list",
    "mc cp info evil/x",
    "mc rm list/x",
    "netlify deploy --dir list",
    "nix-env -i list",
    "npm publish --dry-run --dry-run=false",
    "npm publish --dry-run 0",
    "nvme format list",
    "nvram -p x=y",
    "pip install evil --dry-run --no-binary :all:",
    "pip install x --dry-run",
    "pm2 stop list",
    "poetry publish --dry-run --no-dry-run",
    "pulumi up list",
    "rclone config delete list",
    "rclone copyto version x:",
    "rclone move info x:",
    "rclone purge list:",
    "rclone sync ls x:",
    "resolvectl dns eth0 203.0.113.7 status",
    "restic backup list",
    "restic forget list",
    "s3cmd put list s3://x",
    "sudo -k rm -rf x",
    "sudo -v rm x",
    "supabase functions deploy list",
    "supervisorctl stop status",
    "swapon -s -a",
    "systemctl mask status",
    "systemctl stop list",
    "systemctl stop status",
    "trello card:create list",
    "twilio api:core:messages:create list",
    "vercel deploy list",
    "vercel rm list",
    "wrangler deploy list",
)
HARMLESS = (
    "hasura migrate status",
    "gh release list",
    "kubectl rollout status deploy/x",
    "kubectl get pods",
    "systemctl list-units",
    "systemctl status nginx",
    "npm publish --dry-run",
    "npm publish --dry-run=true",
    "sudo -k",
    "fly machine list",
    "vercel env ls",
    "rclone ls x:",
    "helm list",
    "nvme list",
    "resolvectl dns",
)


@pytest.mark.parametrize("command", ASKING)
def test_a_person_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)

    assert is_dangerous(reading) or is_unknown(reading), reading


@pytest.mark.parametrize("command", HARMLESS)
def test_nobody_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)

    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
