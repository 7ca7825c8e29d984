"""Runs each execution environment of a function as one Node process, instead of a container."""

import json
import os
import select
import subprocess
import tempfile
from datetime import datetime, timezone
from pathlib import Path

from localstack import config
from localstack.services.lambda_.invocation.lambda_models import FunctionVersion, InvocationResult
from localstack.services.lambda_.invocation.runtime_executor import RuntimeExecutor

runtime_program = Path(__file__).with_name("runtime.mjs")

# What a process gets of this machine; everything else is what Lambda would give it.
of_this_machine = ("PATH", "HOME", "TMPDIR", "LANG")


class ProcessRuntimeExecutor(RuntimeExecutor):
    """One environment: a process that takes one event at a time, and is started again after it has ended."""

    def __init__(self, id: str, function_version: FunctionVersion) -> None:
        super().__init__(id=id, function_version=function_version)
        self.env_vars: dict[str, str] = {}
        self.process: subprocess.Popen | None = None
        self.log = tempfile.TemporaryFile()

    def start(self, env_vars: dict[str, str]) -> None:
        here = {name: os.environ[name] for name in of_this_machine if name in os.environ}
        given = {name: str(value) for name, value in env_vars.items()}
        self.env_vars = {**here, **given, "LAMBDA_TASK_ROOT": str(self._code())}

    def stop(self) -> None:
        if self.process is None:
            return
        self.process.kill()
        self.process.wait()
        self.process = None

    def invoke(self, payload: dict[str, str]) -> InvocationResult:
        request_id = payload["invoke-id"]
        if self.process is None:
            self._start_process()
        logged = self.log.seek(0, os.SEEK_END)
        answer = self._ask(request_id, payload)
        body = answer.get("result") if "result" in answer else json.dumps(answer["error"])
        return InvocationResult(
            request_id=request_id,
            payload=body.encode(),
            is_error="error" in answer,
            logs=self._read_log(logged),
        )

    def get_logs(self) -> str:
        return self._read_log(0)

    def get_address(self) -> str:
        return "127.0.0.1"

    def get_endpoint_from_executor(self) -> str:
        return "127.0.0.1"

    def get_runtime_endpoint(self) -> str:
        return f"http://127.0.0.1:{config.GATEWAY_LISTEN[0].port}"

    @classmethod
    def prepare_version(cls, function_version: FunctionVersion) -> None:
        function_version.config.code.prepare_for_execution()

    @classmethod
    def cleanup_version(cls, function_version: FunctionVersion) -> None:
        pass

    def _code(self) -> Path:
        return self.function_version.config.code.get_unzipped_code_location()

    def _start_process(self) -> None:
        """Answers come by a pipe of their own, so that a function may print what it likes."""
        reading, writing = os.pipe()
        self.process = subprocess.Popen(
            ["node", str(runtime_program), str(writing)],
            cwd=self._code(),
            env=self.env_vars,
            stdin=subprocess.PIPE,
            stdout=self.log,
            stderr=self.log,
            pass_fds=(writing,),
        )
        os.close(writing)
        self.answers = os.fdopen(reading, "rb")

    def _ask(self, request_id: str, payload: dict[str, str]) -> dict:
        seconds = self.function_version.config.timeout
        question = {
            "requestId": request_id,
            "functionArn": payload["invoked-function-arn"],
            "traceId": payload["trace-id"],
            "payload": payload["payload"],
            "timeoutMs": seconds * 1000,
        }
        process, answers = self.process, self.answers
        try:
            process.stdin.write(json.dumps(question).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            pass  # The next read tells how it ended.
        readable, _, _ = select.select([answers], [], [], seconds)
        if not readable:
            self.stop()
            return fault("Sandbox.Timedout", f"{now()} {request_id} Task timed out after {seconds:.2f} seconds")
        line = answers.readline()
        if line:
            return json.loads(line)
        code = process.wait()
        self.stop()
        return fault("Runtime.ExitError", f"RequestId: {request_id} Error: Runtime exited with exit status {code}")

    def _read_log(self, start: int) -> str:
        end = self.log.seek(0, os.SEEK_END)
        return os.pread(self.log.fileno(), end - start, start).decode(errors="replace")


def fault(kind: str, message: str) -> dict:
    return {"error": {"errorType": kind, "errorMessage": message}}


def now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")
