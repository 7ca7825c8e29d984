/**
 * Lambda's Node runtime for one environment: an event is a line of stdin, its answer a line of the descriptor that the
 * only argument names. It ends with its stdin, so that no process outlives LocalStack.
 */
import { existsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const answers = Number(process.argv[2]);
const answer = (document) => writeSync(answers, `${JSON.stringify(document)}\n`);

/** `index.handler` is the export `handler` of `index.mjs`, `index.js` or `index.cjs`. */
const loadHandler = async ({ LAMBDA_TASK_ROOT: folder, _HANDLER: name }) => {
  const [file, exported] = name.split('.');
  const path = ['.mjs', '.js', '.cjs'].map((end) => join(folder, file + end)).find((one) => existsSync(one));
  if (!path) throw new Error(`${folder} has no ${file}`);
  const module = await import(pathToFileURL(path).href);
  return module[exported] ?? module.default[exported];
};

const contextOf = ({ requestId, functionArn, timeoutMs }, env) => {
  const endsAt = Date.now() + timeoutMs;
  return {
    awsRequestId: requestId,
    invokedFunctionArn: functionArn,
    functionName: env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: env.AWS_LAMBDA_LOG_STREAM_NAME,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => endsAt - Date.now(),
  };
};

const faultOf = (thrown) => ({
  errorType: thrown?.name ?? 'Error',
  errorMessage: thrown?.message ?? String(thrown),
  trace: thrown?.stack?.split('\n') ?? [],
});

let handler;
for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  process.env._X_AMZN_TRACE_ID = question.traceId;
  try {
    handler ??= await loadHandler(process.env);
    const result = await handler(JSON.parse(question.payload), contextOf(question, process.env));
    answer({ result: JSON.stringify(result ?? null) });
  } catch (thrown) {
    console.error(thrown);
    answer({ error: faultOf(thrown) });
  }
}
process.exit();
