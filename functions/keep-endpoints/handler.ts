import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { type BatchAnswer, workOnEach } from '../shared/runtime/record-batch.ts';
import { answerCheck } from './answer-check.ts';
import { type KeepDeps, keepEndpoint } from './keep.ts';
import { readMessage } from './message.ts';
import { pollInTurn, type TurnDeps } from './turn.ts';

export type Deps = KeepDeps & TurnDeps;

/** A message names one partner to work on; the schedule polls partners in turn. */
export const createHandler =
  (deps: Deps) =>
  async (event: SQSEvent | object): Promise<BatchAnswer | undefined> => {
    if ('Records' in event)
      return workOnEach('SQS', event, { work: (record) => work(record, deps), log: deps.log });
    const { partners, differing, fault } = await pollInTurn(deps);
    deps.report({ differingEndpoints: differing });
    if (fault !== undefined) throw fault;
    deps.log('endpointsSeen', { partners, differing });
    return undefined;
  };

/** A delayed message is forwarded to the FIFO queue, so that no partner is worked on twice at once. */
const work = async ({ body }: SQSRecord, deps: Deps): Promise<void> => {
  const { isLater, check, ...message } = readMessage(body);
  if (isLater) return deps.requests.send([message]);
  const beganAtMs = deps.clock().getTime();
  await keepEndpoint(message, deps);
  if (check) await answerCheck({ clientId: message.clientId, check, beganAtMs }, deps);
};
