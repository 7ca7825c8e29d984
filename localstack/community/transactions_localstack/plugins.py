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


main_class = "com.amazonaws.services.dynamodbv2.local.main.ServerRunner"
