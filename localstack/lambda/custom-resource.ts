import { UserError } from '../../bin/operator/user-error.ts';
import { account, region } from '../aws/names.ts';
import type { CloudTask } from '../cloudformation/model.ts';
import { openLoopbackServer } from '../loopback/server.ts';
import type { FunctionPool } from './function-pool.ts';

/** Runs a custom resource as CloudFormation does: sends a Create event, and receives the answer at `ResponseURL`. */
export const runTask = async ({ id, type, properties }: CloudTask, pool: FunctionPool): Promise<void> => {
  const answers: string[] = [];
  const { url, stop } = await openLoopbackServer(async (request, response) => {
    for await (const part of request) answers.push(String(part));
    response.end();
  });
  const event = {
    RequestType: 'Create',
    ResponseURL: `${url}/`,
    StackId: `arn:aws:cloudformation:${region}:${account}:stack/local/local`,
    RequestId: id,
    LogicalResourceId: id,
    ResourceType: type,
    ResourceProperties: properties,
  };
  const outcome = await pool.invoke(event, id);
  await stop();
  const reason = outcome.ok ? refusedBecause(answers.join('')) : outcome.reason;
  if (reason) throw new UserError(`${pool.name} did not finish: ${reason}. More is in ${pool.logFile}`);
};

const refusedBecause = (answer: string): string | undefined => {
  const { Status, Reason } = answer === '' ? {} : JSON.parse(answer);
  return Status === 'FAILED' ? String(Reason) : undefined;
};
