import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { testEventType } from '../shared/domain/event/event.ts';
import { afterFailure, reasonOf } from '../shared/events/failures.ts';
import { type LogLine, notesOf, owingOf } from '../shared/events/rows.ts';
import { type DebounceTable, owe } from '../shared/events/table.ts';
import type { EndpointRequests } from '../shared/outbound/endpoint-requests.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { Report } from '../shared/runtime/metrics.ts';
import { type BatchAnswer, workOnEach } from '../shared/runtime/record-batch.ts';
import { readDeadLetter } from './dead-letter.ts';

export type Deps = {
  table: Pick<DebounceTable, 'read' | 'save' | 'write'>;
  newId: () => string;
  /** Asks for a check of the endpoint at which a delivery died. */
  endpointRequests: EndpointRequests;
  clock: Clock;
  log: Log;
  report: Report;
};

/** Its partner is behind from what each dead letter should have said. The sender does the rest. */
export const createHandler =
  (deps: Deps) =>
  async (event: SQSEvent): Promise<BatchAnswer> => {
    const { table, clock, log, newId } = deps;
    const failing = new Set<string>();
    const collect = async (record: SQSRecord) => {
      const read = readDeadLetter(record);
      // The letter may be all that is left of an event, so it stays for a person.
      if (!read.ok) throw new Error('A dead letter is not an event of this bus');
      const { clientId, uuid, type, eventId, from, to, tries, fault, busEventId } = read.value;
      const atMs = clock().getTime();
      const reason = reasonOf(fault);
      const isOfEndpoint = reason !== 'TARGET_REMOVED';
      if (type !== testEventType) {
        const failure = afterFailure(reason, isOfEndpoint ? tries + 1 : tries, atMs);
        await owe(table, { clientId, uuid, ...owingOf(type, { from, to }), ...failure });
      }
      const line: LogLine = {
        clientId,
        atMs,
        eventId,
        uuid,
        type,
        from,
        to,
        outcome: 'FAILED',
        reason,
        busEventId,
      };
      const left = await table.write(notesOf([line], newId));
      if (left.length > 0) throw new Error('The line of a dead letter was not written');
      log('deliveryDead', { eventId, clientId, reason });
      if (isOfEndpoint) failing.add(clientId);
    };
    const answer = await workOnEach('SQS', event, { work: collect, log });
    deps.report({ deadLetters: event.Records.length - answer.batchItemFailures.length });
    await askForChecks([...failing], deps);
    return answer;
  };

/** Does not throw: the next dead letter asks for the check again. */
const askForChecks = async (clientIds: readonly string[], { endpointRequests, log }: Deps): Promise<void> => {
  try {
    await endpointRequests.send(clientIds.map((clientId) => ({ clientId, isUndelivered: true })));
  } catch (fault) {
    log('checkNotAsked', {}, fault);
  }
};
