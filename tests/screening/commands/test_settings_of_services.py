"""What a look at a service, a container or a job shows of the settings that it runs with, which hold its secrets."""

import pytest

from hub.contract.effects import Effect
from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
WHOLE = (
    *(f"aws ecs {what}" for what in ("describe-task-definition --task-definition x", "describe-tasks --tasks x")),
    *(
        f"aws lambda {what}"
        for what in ("list-functions", "get-function --function-name x", "list-versions-by-function")
    ),
    *(f"aws batch {what}" for what in ("describe-jobs --jobs x", "describe-job-definitions")),
    *(
        f"aws ec2 {what}"
        for what in ("describe-launch-template-versions", "describe-instance-attribute --attribute userData")
    ),
    *(f"aws {what}" for what in ("glue get-jobs", "sagemaker describe-model", "lightsail get-container-services")),
    *(
        f"gcloud {what} describe x"
        for what in ("run services", "run jobs", "functions", "app versions", "beta run services")
    ),
    "gcloud compute instances describe x",
    *(f"az {app} show -n x" for app in ("containerapp", "container", "containerapp job", "containerapp revision")),
    "az containerapp list",
    *(
        f"kubectl get {what}"
        for what in ("cm x -o yaml", "pod x -o json", "-o yaml pods", "deploy,svc -o=yaml", "all -oyaml")
    ),
    *("kubectl get -o json configmap/x", "kubectl get cronjobs -A --output yaml", "oc get dc x -o yaml"),
    "kubectl describe configmap x",
    *("docker service inspect x", "docker config inspect x", "crictl inspect x", "ctr c info x", "lxc config show x"),
    *("nomad job inspect x", "nomad var get x", "doctl apps spec get x", "ibmcloud ce app get -n x"),
    *("oci fn function get", "koyeb services describe x", "sls print", "helm get manifest x"),
    *("cf env x", "dokku config x", "dokku config:show x", "clever env", "eb config", "pm2 jlist"),
    "systemctl show-environment",
)
SETTINGS_CHOSEN = (
    "aws lambda list-functions --query 'Functions[].Environment'",
    "aws lambda get-function --function-name x --query Configuration",
    "aws ecs describe-task-definition --task-definition x --query taskDefinition.containerDefinitions",
    "aws ecs describe-task-definition --task-definition x --output text",
    "aws ecs describe-tasks --tasks x | jq '.tasks[].overrides'",
    "aws ecs describe-tasks --tasks x | grep -A5 environment",
    "aws ecs describe-tasks --tasks x | cat",
    "aws ecs describe-tasks --tasks x | jq '{e: .tasks[].overrides, a: (.tasks[] | .lastStatus)}'",
    "gcloud run services describe x --format=json",
    "gcloud run services describe x --format='value(spec.template.spec.containers)'",
    "kubectl get pod x -o jsonpath='{.spec}'",
    "kubectl get pod x -o jsonpath='{.spec.containers[*].env}'",
    "kubectl get cm x -o jsonpath='{.data}'",
    "kubectl get pod x -o go-template='{{.}}'",
    "kubectl get deploy x -o yaml | grep -v image",
    "docker service inspect x -f '{{json .Spec}}'",
)
NARROWED = (
    "aws lambda list-functions --query 'Functions[].FunctionName'",
    "aws ecs describe-tasks --tasks x --query 'tasks[].lastStatus'",
    "aws ecs describe-tasks --tasks x | jq -r '.tasks[].lastStatus'",
    "aws ecs describe-tasks --tasks x | grep lastStatus",
    "aws ecs describe-tasks --tasks x | wc -l",
    *(f"aws ecs {what}" for what in ("list-tasks", "list-task-definitions", "describe-services --services x")),
    *(f"aws {what}" for what in ("ec2 describe-instances", "batch list-jobs", "s3api list-objects-v2 --bucket x")),
    "gcloud run services describe x --format='value(status.url)'",
    *(f"gcloud {what}" for what in ("run services list", "functions list", "sql instances describe x")),
    *("az containerapp show -n x --query properties.latestRevisionName -o tsv", "az webapp list"),
    *(
        f"kubectl get {what}"
        for what in ("pods", "pods -o wide", "pods -o name", "svc x -o yaml", "nodes -o json", "ns -o yaml")
    ),
    "kubectl get pods -o jsonpath='{.items[*].metadata.name}'",
    "kubectl get pods -o custom-columns=NAME:.metadata.name,STATUS:.status.phase",
    "kubectl get deploy x -o yaml | grep image:",
    "kubectl get pods -o json | jq '.items[].metadata.name'",
    "terraform show -json plan | jq '.resource_changes | length'",
    "aws ecs describe-tasks --tasks x | jq -r '.tasks[] | select(.group == \"a\") | .lastStatus'",
    "kubectl describe node x",
    *("docker service ls", "docker service inspect x -f '{{.UpdateStatus.State}}'", "docker network inspect x"),
    *("nomad job status x", "doctl apps list", "helm get notes x", "cf apps", "pm2 ls", "systemctl show nginx"),
)


@pytest.mark.parametrize("command", [*WHOLE, *SETTINGS_CHOSEN])
def test_a_look_that_shows_settings_is_asked(command: str) -> None:
    assert Effect.READS_SECRETS in read_command(command, folder=FOLDER).effects


@pytest.mark.parametrize("command", NARROWED)
def test_a_look_that_shows_none_asks_nothing(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
