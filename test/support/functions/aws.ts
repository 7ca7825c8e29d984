import { buffer } from 'node:stream/consumers';
import { openLoopback } from '../../../localstack/embedded/loopback.ts';
import { askedOf } from '../rights/asked.ts';
import { passOn } from '../rights/recorder.ts';
import { tableRights } from '../rights/table-rights.ts';

/** One request: its operation, such as `AmazonSQS.SendMessageBatch`, and its body. */
export type AwsCall = { target: string; body: string };

/** The answer in place of the service. Undefined if the service itself answers, after the awaited work. */
export type Interfere = (call: AwsCall) => Promise<undefined> | object | undefined;

/** A refusal, as AWS words it. */
export const refusal = (name: string) => ({ __type: name, message: 'refused by a test' });

/**
 * All of AWS that functions ask, at one address: the engine answers, SQS takes every message, and EventBridge every event. Each
 * request is noted.
 */
export const startAws = async (engineEndpoint: string) => {
  const calls: AwsCall[] = [];
  let interfere: Interfere = () => undefined;

  const { url, stop } = await openLoopback(async (request, response) => {
    const body = await buffer(request);
    const call = { target: String(request.headers['x-amz-target']), body: body.toString() };
    calls.push(call);
    const taken = (await interfere(call)) ?? takenBy(call);
    const answer = taken ? answerWith(taken) : await passOn(engineEndpoint, request, body);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  return {
    endpoint: url,
    calls,
    /** From now on requests are answered by this first; without an argument, by the services alone again. */
    interfere: (by: Interfere = () => undefined) => {
      interfere = by;
    },
    /** What was sent to queues and to the bus. */
    sent: () => calls.flatMap(entriesOf),
    /** What the tables were asked for, as IAM judges it. */
    asked: () => toTables(calls).flatMap(({ target, body }) => askedOf(target, body)),
    /** The same as rights. */
    rightsUsed: () =>
      [
        ...new Set(toTables(calls).flatMap(({ target, body }) => tableRights(target, Buffer.from(body)))),
      ].sort(),
    stop,
  };
};

const answerWith = (answer: object) => ({
  status: '__type' in answer ? 400 : 200,
  headers: { 'Content-Type': 'application/x-amz-json-1.0' },
  body: JSON.stringify(answer),
});

/** What SQS and EventBridge answer, which keep nothing here. */
const takenBy = ({ target, body }: AwsCall): object | undefined => {
  if (target.startsWith('AmazonSQS.')) return {};
  if (target === 'AWSEvents.PutEvents')
    return { FailedEntryCount: 0, Entries: JSON.parse(body).Entries.map(() => ({ EventId: 'bus-1' })) };
  return target.startsWith('AWSEvents.') ? { Name: 'bus' } : undefined;
};

const toTables = (calls: readonly AwsCall[]) => calls.filter(({ target }) => target.startsWith('DynamoDB_'));

type Sent = { QueueUrl?: string; Entries: Record<string, unknown>[] };

/** Each message with the name of its queue, each event as it is. */
const entriesOf = ({ target, body }: AwsCall): Record<string, unknown>[] => {
  if (!/^(AmazonSQS\.SendMessageBatch|AWSEvents\.PutEvents)$/.test(target)) return [];
  const { QueueUrl, Entries } = JSON.parse(body) as Sent;
  const queue = QueueUrl?.split('/').at(-1);
  return Entries.map((entry) => ({ ...(queue !== undefined && { queue }), ...entry }));
};
