"""The built-in agent: small fixed programs that need no model. One file each; this list is all there is."""

from hub.io.agents.playbook import (
    check_code,
    check_command,
    dependency_graph,
    git_steps,
    install_packages,
    list_todos,
    look_at_folder,
    look_at_machine,
    make_repository,
    prepare_meeting,
    review_deployment,
    review_work,
    run_tests,
    show_certificate,
    show_pull_request,
    stale_branches,
    summarise_commits,
    update_lock,
)
from hub.io.agents.playbook.shape import Playbook

PLAYBOOKS: dict[str, Playbook] = {
    playbook.name: playbook
    for playbook in (
        run_tests.PLAYBOOK,
        summarise_commits.PLAYBOOK,
        stale_branches.PLAYBOOK,
        list_todos.PLAYBOOK,
        dependency_graph.PLAYBOOK,
        look_at_folder.PLAYBOOK,
        look_at_machine.PLAYBOOK,
        *make_repository.PLAYBOOKS,
        prepare_meeting.PLAYBOOK,
        *git_steps.PLAYBOOKS,
        update_lock.PLAYBOOK,
        check_code.PLAYBOOK,
        check_command.PLAYBOOK,
        install_packages.PLAYBOOK,
        show_certificate.PLAYBOOK,
        review_work.PLAYBOOK,
        show_pull_request.PLAYBOOK,
        *review_deployment.PLAYBOOKS,
    )
}
