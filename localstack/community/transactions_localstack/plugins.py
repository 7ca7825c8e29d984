"""Entry points that LocalStack finds by its own plugin loader."""

from pathlib import Path

from localstack.runtime import hooks
from localstack.services.lambda_.invocation.plugins import RuntimeExecutorPlugin


class ProcessRuntimeExecutorPlugin(RuntimeExecutorPlugin):
    """Chosen by LAMBDA_RUNTIME_EXECUTOR=process."""

    name = "process"

    def load(self, *args, **kwargs):
        from .executor import ProcessRuntimeExecutor

        return ProcessRuntimeExecutor


@hooks.on_infra_start()
def admit_node_24() -> None:
    """LocalStack 4.9 knows Node up to 22; the runtime is refused by name before an executor is asked."""
    from localstack.services.lambda_ import runtimes

    if "nodejs24.x" not in runtimes.ALL_RUNTIMES:
        runtimes.ALL_RUNTIMES.append("nodejs24.x")


@hooks.on_infra_start()
def run_dynamodb_of_maven() -> None:
    """
    Maven names the jars otherwise than the manifest of DynamoDB Local does. LocalStack's agent is on no registry; all it
    does is admit more than 20 indexes.
    """
    from localstack.services.dynamodb.packages import dynamodblocal_package
    from localstack.services.dynamodb.server import DynamodbServer

    create_shell_command = DynamodbServer._create_shell_command

    def by_class_path(server: DynamodbServer) -> list[str]:
        words = create_shell_command(server)
        if Path(dynamodblocal_package.get_installer().get_ddb_agent_jar_path()).exists():
            return words
        program = words.index("-jar")
        options = [word for word in words[:program] if not word.startswith("-javaagent:")]
        return [*options, "-cp", f"{server.library_path}/*", main_class, *words[program + 2 :]]

    DynamodbServer._create_shell_command = by_class_path


@hooks.on_infra_start()
def know_get_stack_output() -> None:
    """`Fn::GetStackOutput`, which is newer than LocalStack 4.9, reads an output of another stack at the deployment."""
    from localstack.services.cloudformation.engine.v2.change_set_model import INTRINSIC_FUNCTIONS, Nothing, is_nothing
    from localstack.services.cloudformation.engine.v2.change_set_model_preproc import (
        ChangeSetModelPreproc,
        PreprocEntityDelta,
    )
    from localstack.services.cloudformation.stores import get_cloudformation_store
    from localstack.services.cloudformation.v2.provider import find_stack_v2

    def visit(model, function):
        store = get_cloudformation_store(model._change_set.account_id, model._change_set.region_name)

        def outputs(asked: dict) -> dict[str, str]:
            found = find_stack_v2(store, asked["StackName"]).resolved_outputs
            return {output["OutputKey"]: output["OutputValue"] for output in found}

        asked = model.visit(function.arguments)
        before, after = asked.before, asked.after
        return PreprocEntityDelta(
            # The output that was read before may be gone.
            before=before if is_nothing(before) else outputs(before).get(before["OutputName"], Nothing),
            after=after if is_nothing(after) else outputs(after)[after["OutputName"]],
        )

    INTRINSIC_FUNCTIONS.add("Fn::GetStackOutput")
    ChangeSetModelPreproc.visit_node_intrinsic_function_fn_get_stack_output = visit


@hooks.on_infra_start()
def poll_resources_often() -> None:
    """LocalStack waits 5 s between two polls of a new function or table, which makes up most of a deployment."""
    from localstack.services.cloudformation.resource_provider import ResourceProviderExecutor

    longest_seconds, _ = ResourceProviderExecutor.deploy_loop.__defaults__
    ResourceProviderExecutor.deploy_loop.__defaults__ = (longest_seconds, 0.2)


main_class = "com.amazonaws.services.dynamodbv2.local.main.ServerRunner"
