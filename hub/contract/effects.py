"""What a text or a command would do to the world: the words in which it is told everywhere."""

from enum import StrEnum


class Effect(StrEnum):
    """One thing that would happen; a command may have several."""

    READS = "reads"
    """Looks at files, settings or a page; leaves everything as it is."""

    READS_SECRETS = "reads_secrets"
    """Brings keys, passwords or tokens to light, or hands them on."""

    WRITES_IN_WORKSPACE = "writes_in_workspace"
    """Makes or changes project files or scratch files, so that git or a second run bring them back."""

    RUNS_PROJECT_CODE = "runs_project_code"
    """Builds, tests or starts what is in the project, or installs what the project's own list names."""

    RUNS_UNKNOWN_CODE = "runs_unknown_code"
    """Runs or installs what was just fetched, decoded, named for the first time, or cannot be known beforehand."""

    DELETES = "deletes"
    """Loses work or data: files, commits, rows, volumes, disks."""

    LEAVES_THE_MACHINE = "leaves_the_machine"
    """Sends data to another machine, or works on one."""

    MESSAGES = "messages"
    """Speaks to people: mail, chat, comments, releases, posts."""

    PAYS = "pays"
    """Moves money, buys, or orders what costs money."""

    CHANGES_PERMISSIONS = "changes_permissions"
    """Changes permissions, or acts with more rights than the person has."""

    CHANGES_SYSTEM = "changes_system"
    """Changes the computer outside the workspace: services, processes, system files, what starts by itself."""

    TOUCHES_PRODUCTION = "touches_production"
    """Deploys, or affects what other people use."""
