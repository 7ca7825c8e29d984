import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { eventTypes } from '../shared/domain/event/event.ts';
import { settingsOf } from '../shared/domain/event/timing.ts';
import { oneOf, refusedFilters } from '../shared/domain/query/filter.ts';
import { disguisedNames } from '../shared/domain/query/names.ts';
import { acceptParameters } from '../shared/domain/query/parameters.ts';
import { replayPolicy } from '../shared/domain/rate-limit.ts';
import { newPass } from '../shared/events/passes.ts';
import { readJsonBody } from '../shared/http/json-body.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import { bodyProblem, invalidMembers, queryProblem } from '../shared/http/request-problems.ts';
import { json } from '../shared/http/response.ts';
import type { LimitedEvent } from '../shared/middleware/limit-rate.ts';
import { line } from '../shared/schema/fields.ts';
import { schemaErrors } from '../shared/schema/validate.ts';
import { refusedPages } from './event-query.ts';
import { isoTime } from './events.ts';
import type { PutPass } from './put-pass.ts';
import { type OrderDeps, orderSending } from './sending-order.ts';
import { readTime, timeForm, timeText } from './time-text.ts';

export type ReplayDeps = OrderDeps & { putPass: PutPass };

/** What was sent, or should have been, since a time. */
export const replaySinceSchema = z.strictObject({
  since: timeText(`The member must be ${timeForm}.`),
  type: z.optional(z.enum(eventTypes, `The member must be ${oneOf(eventTypes)}.`)),
  transaction: z.optional(line(100).check(z.minLength(1, 'The member must not be empty.'))),
});

/** What is not tried any more. */
export const replayFailedSchema = z.strictObject({
  state: z.literal('failed', 'The member must be "failed".'),
});

/**
 * Orders a pass over the partner's log, or over what it is owed, which the sender works off (V2-10). Each transaction is
 * sent once, with present values.
 */
export const replayEvents = async (event: LimitedEvent, deps: ReplayDeps): Promise<HandlerResult> => {
  const query = acceptParameters(event.multiValueQueryStringParameters);
  if (!query.ok) return queryProblem(query);
  const errors = [
    ...refusedFilters(query.value),
    ...refusedPages(query.value),
    ...disguisedNames(query.value),
  ];
  if (errors.length > 0) return queryProblem({ ok: false, reason: 'invalid-filter', errors });
  const body = readJsonBody(event);
  if (!body.ok) return bodyProblem(body.fault);
  const { value, bytes } = body.value;
  const isOfFailed = Object.hasOwn(value, 'state');
  const refused = schemaErrors(isOfFailed ? replayFailedSchema : replaySinceSchema, value);
  if (refused.length > 0) return invalidMembers(refused);

  const { since = '', type, transaction } = value as Record<string, string>;
  const sinceMs = readTime(since);
  const nowMs = deps.clock().getTime();
  const pass = newPass(
    {
      clientId: event.partner.clientId,
      ...(isOfFailed ? { does: 'wake', only: 'GIVEN_UP' } : { does: 'replay' }),
      ...(sinceMs !== undefined && { sinceMs }),
      ...(type !== undefined && { type }),
      ...(transaction !== undefined && { transaction }),
    },
    nowMs,
    { newId: randomUUID, leaseMs: settingsOf(0).leaseMs },
  );
  const answer = { since: sinceMs === undefined ? null : isoTime(sinceMs), until: isoTime(nowMs) };
  return orderSending(
    event,
    {
      route: 'v2/event/replay',
      bytes,
      policy: replayPolicy,
      carryOut: async () => json(202, answer),
      write: (record) => deps.putPass(pass, record),
    },
    deps,
  );
};
