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

const work = async ({ body }: SQSRecord, deps: Deps): Promise<void> => {
  const { check, ...message } = readMessage(body);
  const beganAtMs = deps.clock().getTime();
  await keepEndpoint(message, deps);
  if (check) await answerCheck({ clientId: message.clientId, check, beganAtMs }, deps);
};
