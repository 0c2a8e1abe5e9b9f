# Tells Pulse when a command that took long, or a run of tests, has ended (bash 4.4 and later).
__pulse_began=
__pulse_ended() {
    local status=$? took line
    if [ -n "$__pulse_began" ]; then
        took=$((SECONDS - __pulse_began))
        __pulse_began=
        line=$(HISTTIMEFORMAT='' builtin history 1)
        if [ "$took" -ge "${PULSE_LONG_S:-60}" ] || [[ $line =~ (test|tape|mocha|tox|nox|ava|rspec|check) ]]; then
            (printf '%s' "$line" | sed 's/^ *[0-9]*[* ] *//' | {program} shell-hook --ended "$status" --seconds "$took" >/dev/null 2>&1 &)
        fi
    fi
    return "$status"
}
case "$PS0" in
*__pulse_began*) ;;
*)
    PS0='${PS0:$((__pulse_began=SECONDS, 0)):0}'"$PS0"
    PROMPT_COMMAND="__pulse_ended${PROMPT_COMMAND:+;$PROMPT_COMMAND}"
    ;;
esac
