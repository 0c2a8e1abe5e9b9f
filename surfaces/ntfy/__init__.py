"""ntfy: notifications with buttons on Android, by a server of yours or ntfy.sh; answers come back on a reply topic."""
