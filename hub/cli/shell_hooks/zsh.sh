# Tells Pulse when a command that took long, or a run of tests, has ended.
__pulse_starts() {
    __pulse_line=$1
    __pulse_began=$SECONDS
}
__pulse_ended() {
    local code=$? took
    [ -n "$__pulse_began" ] || return "$code"
    took=$((SECONDS - __pulse_began))
    __pulse_began=
    if [ "${took%.*}" -ge "${PULSE_LONG_S:-60}" ] || [[ $__pulse_line =~ '(test|tape|mocha|tox|nox|ava|rspec|check)' ]]; then
        (printf '%s' "$__pulse_line" | {program} shell-hook --ended "$code" --seconds "${took%.*}" >/dev/null 2>&1 &)
    fi
    return "$code"
}
autoload -Uz add-zsh-hook
add-zsh-hook preexec __pulse_starts
add-zsh-hook precmd __pulse_ended
