"""Programs that destroy files, disks, processes or the machine."""

import re
from collections.abc import Callable

from hub.may.content.options import Options, read
from hub.may.content.shell_words import Call

Rule = Callable[[Call, Options], str | None]

_TREE, _FILE, _DISK = "destructive.delete-tree", "destructive.delete-file", "destructive.disk"
_SYSTEM, _DEFENCE, _RIGHTS = "destructive.system", "destructive.defence", "destructive.permissions"
_PATHLIKE = re.compile(r"[~/]|[\w-]*[/\\.*?]\S*|\{\}|\$\S+|\.\S+|[A-Za-z]:\S*")
_WIDE_PATH = re.compile(r"/|/\*|~/?|\.|\./?|\*|/(?:etc|usr|var|home|bin|boot|root|opt|srv|lib)\b\S*|\$HOME\S*")
_DEVICE = re.compile(r"/dev/(?!null|zero|u?random|std|tty|fd)\w+")


def _path_first(options: Options) -> bool:
    """Say whether the first operand is a path rather than a word of prose."""
    return bool(options.operands) and bool(_PATHLIKE.fullmatch(options.operands[0]))


def rm(call: Call, options: Options) -> str | None:
    """Match rm, in any spelling of its options; ``git rm --cached`` only changes the index."""
    if "cached" in options.long or call.before in {"npm", "yarn", "pnpm", "pip"}:
        return None
    words = " ".join(options.long)
    if options.has("rRfd", "recursive", "force", "no-preserve-root") or "recurse" in words:
        return _TREE
    if call.piped or _path_first(options):
        return _FILE
    if call.before in {"docker", "volume", "image", "container", "podman"} and options.operands:
        return "destructive.infrastructure"
    return None


def rm_windows(call: Call, options: Options) -> str | None:
    """Match del, erase, rd and rmdir with their Windows switches."""
    switches = {operand.lower() for operand in options.operands}
    if switches & {"/s", "/q", "/f", "/s/q", "/q/s", "/f/s/q"} or options.has("", "recurse", "force"):
        return _TREE
    wild = call.name in {"del", "erase"} and any("*." in operand or operand == "*" for operand in options.operands[:1])
    return _TREE if wild else None


def remove_item(call: Call, options: Options) -> str | None:
    """Match PowerShell's Remove-Item and its aliases."""
    dangerous = options.has("", "recurse", "force") or (call.name != "ri" and _path_first(options))
    return _TREE if dangerous else None


def find(call: Call, options: Options) -> str | None:
    """Match find with an action that deletes."""
    runs = options.long & {"exec", "execdir", "ok", "okdir", "x", "exec-batch"}
    deletes = {"rm", "unlink", "shred", "rmdir", "truncate"} & {
        word.rsplit("/", 1)[-1] for arg in call.args for word in arg.split()
    }
    return _TREE if "delete" in options.long or (runs and deletes) else None


def file_eraser(call: Call, options: Options) -> str | None:
    """Match shred, srm, unlink: only ever used to destroy."""
    if call.piped:
        return _FILE
    return _FILE if _path_first(options) or (options.short and options.operands) else None


def truncate(_call: Call, options: Options) -> str | None:
    """Match truncate with a size."""
    return _FILE if options.has("s", "size") else None


def disk_always(_call: Call, options: Options) -> str | None:
    """Match mkfs and its kind when given a device or options."""
    given = any("/dev/" in operand or "/disk" in operand for operand in options.operands)
    return _DISK if given or options.short or options.long else None


def dd(call: Call, _options: Options) -> str | None:
    """Match dd that writes to a device or over a file with nothing."""
    words = [arg.lower() for arg in call.args]
    to_device = any(word.startswith("of=") and "/dev/null" not in word for word in words)
    return _DISK if to_device else None


def format_drive(call: Call, _options: Options) -> str | None:
    """Match ``format c:``."""
    return _DISK if any(re.fullmatch(r"[A-Za-z]:[\\.]?", arg) for arg in call.args[:4]) else None


def chmod(call: Call, options: Options) -> str | None:
    """Match opening up or closing off a whole tree."""
    recursive = options.has("R", "recursive") and "r" not in options.short
    wide = any(_WIDE_PATH.fullmatch(operand) for operand in options.operands[:4])
    modes = {operand for operand in options.operands if re.fullmatch(r"[0-7]{3,4}|[augo]*[+=-][rwxst]+", operand)}
    harsh = modes & {"777", "0777", "000", "0000", "a+rwx", "ugo+rwx", "666", "a-rwx"}
    if call.name == "chmod":
        return _RIGHTS if (recursive and (wide or harsh)) or (harsh and wide) else None
    return _RIGHTS if recursive and wide else None


def kill(call: Call, options: Options) -> str | None:
    """Match killing everything at once."""
    if "-1" in call.args and len(call.args) > 1:
        return _SYSTEM
    if call.name in {"killall", "pkill"} and call.before == "sudo" and options.operands:
        return _SYSTEM
    return _SYSTEM if call.name != "kill" and options.has("9", "kill", "sigkill") else None


def shutdown(call: Call, options: Options) -> str | None:
    """Match switching the machine off."""
    argued = options.short & set("hrPfc") or {"now", "+0", "/s", "/r", "0", "6"} & set(call.args[:3])
    return _SYSTEM if argued or call.before in {"sudo", "systemctl", "doas"} else None


def crontab(_call: Call, options: Options) -> str | None:
    """Match removal of all scheduled jobs."""
    return _SYSTEM if "r" in options.short else None


def service(call: Call, options: Options) -> str | None:
    """Match systemctl and service that stop or disable something."""
    words = set(options.operands[:4]) | options.long
    ends = words & {"stop", "disable", "mask", "poweroff", "reboot", "halt"}
    return _DEFENCE if ends and call.before.lower() not in {"a", "an", "the", "our"} else None


def defence(call: Call, options: Options) -> str | None:
    """Match switching off firewalls and mandatory access control."""
    words = {arg.lower() for arg in call.args[:6]}
    if call.name in {"iptables", "ip6tables", "nft"}:
        return _DEFENCE if options.has("FXP", "flush") or {"flush"} & words else None
    if call.name in {"netsh", "set-netfirewallprofile", "set-mppreference"}:
        return _DEFENCE if any(word in " ".join(words) for word in ("off", "false", "disable")) else None
    return _DEFENCE if words & {"disable", "0", "reset", "permissive", "stop", "off"} else None


def user_account(call: Call, options: Options) -> str | None:
    """Match userdel and its kind, and locking an account."""
    if call.name in {"passwd", "usermod"}:
        return _SYSTEM if options.has("dlL", "delete", "lock") else None
    return _SYSTEM if options.operands or options.short else None


def move(call: Call, options: Options) -> str | None:
    """Match moving things into the void or emptying a file from it."""
    void = "/dev/null" in (options.operands[1:] if call.name == "mv" else options.operands[:1])
    device = any(_DEVICE.fullmatch(operand) for operand in options.operands[-1:])
    return _FILE if void or device else None


def windows_admin(call: Call, _options: Options) -> str | None:
    """Match the registry, services, tasks, accounts and boot records of Windows being removed or stopped."""
    words = {arg.lower().lstrip("/") for arg in call.args[:6]}
    ends = any(word.startswith(("delete", "createjournal")) for word in words) or words & {"stop", "del", "remove"}
    return _SYSTEM if ends else None


def disk_script(call: Call, _options: Options) -> str | None:
    """Match diskpart and cipher, which take their orders as ``/s`` and ``/w``."""
    return _DISK if any(re.match(r"/[sSwW]\b|/[wW]:", arg) for arg in call.args[:4]) or call.piped else None


def storage(call: Call, options: Options) -> str | None:
    """Match volume managers, rsync and rclone used to delete."""
    words = {arg.lower() for arg in call.args[:8]}
    if call.name == "rsync":
        return _TREE if any(name.startswith(("delete", "remove-source")) for name in options.long) else None
    return (
        _DISK if words & {"destroy", "delete", "purge", "luksformat", "erase", "--zero-superblock", "clean"} else None
    )


def _table(*entries: tuple[str, Rule]) -> dict[str, Rule]:
    return {name: rule for names, rule in entries for name in names.split()}


RULES: dict[str, Rule] = _table(
    ("rm grm rm_rf", rm),
    ("del erase rd rmdir deltree", rm_windows),
    ("remove-item ri clear-content clear-recyclebin", remove_item),
    ("find fd fdfind gfind", find),
    ("shred srm unlink gshred sdelete", file_eraser),
    ("truncate gtruncate", truncate),
    ("mkfs mke2fs mkfs.ext4 mkfs.ext3 mkfs.ext2 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.ntfs mkfs.fat mkswap", disk_always),
    ("wipefs blkdiscard fdisk sfdisk sgdisk parted hdparm nvme diskutil clear-disk format-volume", disk_always),
    ("lvremove vgremove pvremove", disk_always),
    ("diskpart cipher", disk_script),
    ("reg sc schtasks bcdedit wmic fsutil net", windows_admin),
    ("dd gdd dcfldd", dd),
    ("format", format_drive),
    ("chmod chown chgrp icacls", chmod),
    ("kill killall pkill taskkill", kill),
    ("shutdown reboot halt poweroff init telinit stop-computer restart-computer", shutdown),
    ("crontab", crontab),
    ("systemctl service", service),
    (
        "iptables ip6tables nft ufw setenforce netsh set-mppreference set-netfirewallprofile auditctl spctl csrutil",
        defence,
    ),
    ("passwd usermod userdel deluser groupdel delgroup", user_account),
    ("mv cp", move),
    ("rsync rclone zfs zpool cryptsetup mdadm vssadmin wbadmin", storage),
)


def check(call: Call) -> str | None:
    """Return the rule this call breaks, or None."""
    rule = RULES.get(call.name)
    return rule(call, read(call.args)) if rule else None
