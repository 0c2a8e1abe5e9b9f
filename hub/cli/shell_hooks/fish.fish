# Tells Pulse when a command that took long, or a run of tests, has ended.
function __pulse_ended --on-event fish_postexec
    set -l code $status
    set -l took (math --scale=0 $CMD_DURATION / 1000)
    set -l long 60
    set -q PULSE_LONG_S; and set long $PULSE_LONG_S
    if test $took -ge $long; or string match --quiet --regex '(test|tape|mocha|tox|nox|ava|rspec|check)' -- $argv[1]
        printf '%s' "$argv[1]" | {program} shell-hook --ended $code --seconds $took >/dev/null 2>&1 &
        disown
    end
end
