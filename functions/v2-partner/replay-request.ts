import * as z from 'zod/mini';
import { type MessageType, messageTypes } from '../shared/domain/event/event.ts';
import { type FieldError, oneOf, refusedFilters } from '../shared/domain/query/filter.ts';
import type { QueryOutcome } from '../shared/domain/query/list-query.ts';
import { disguisedNames } from '../shared/domain/query/names.ts';
import { acceptParameters, type QueryParameters } from '../shared/domain/query/parameters.ts';
import type { CursorSeal } from '../shared/http/cursor-seal.ts';
import { readJsonBody } from '../shared/http/json-body.ts';
import { type Problem, problem } from '../shared/http/problem.ts';
import type { HttpEvent } from '../shared/http/request.ts';
import { bodyProblem, invalidMembers } from '../shared/http/request-problems.ts';
import { line } from '../shared/schema/fields.ts';
import { schemaErrors } from '../shared/schema/validate.ts';
import type { DeliveryLogPosition } from '../shared/store/debounce/delivery-log-store.ts';
import { type EventFilter, refusedPages } from './event-query.ts';
import { type EventState, eventStates } from './event-state.ts';
import { readTime, timeForm, timeText } from './time-text.ts';

const wordOf = <Word extends string>(words: readonly Word[]) =>
  z.enum(words, `The member must be ${oneOf(words)}.`);

/** What to replay: everything since a time, filtered in the same way as a list of events. */
export const replaySchema = z.strictObject({
  since: timeText(`The member must be ${timeForm}.`),
  type: z.optional(wordOf(messageTypes)),
  state: z.optional(wordOf(eventStates)),
  transaction: z.optional(line(100).check(z.minLength(1, 'The member must not be empty.'))),
  after: z.optional(line(300)),
});

/** A position in a replay, which ends at the time of its first request. */
export type ReplayPlace = { position: DeliveryLogPosition; untilMs: number };
export type ReplayBody = {
  filter: EventFilter;
  place: ReplayPlace | undefined;
  /** As the caller wrote it, for the next request. */
  members: Record<string, string>;
  bytes: Buffer;
};

/** The body says what to replay. Filters in the query are refused (FLT-4). */
export const readReplayQuery = ({
  multiValueQueryStringParameters,
}: HttpEvent): QueryOutcome<QueryParameters> => {
  const accepted = acceptParameters(multiValueQueryStringParameters);
  if (!accepted.ok) return accepted;
  const errors = [
    ...refusedFilters(accepted.value),
    ...refusedPages(accepted.value),
    ...disguisedNames(accepted.value),
  ];
  return errors.length > 0 ? { ok: false, reason: 'invalid-filter', errors } : accepted;
};

export const readReplay = async (
  event: HttpEvent,
  seal: CursorSeal,
): Promise<{ ok: true; value: ReplayBody } | { ok: false; problem: Problem }> => {
  const body = readJsonBody(event);
  if (!body.ok) return { ok: false, problem: bodyProblem(body.fault) };
  const { value, bytes } = body.value;
  const { after, ...members } = value as Record<string, string>;
  const place = typeof after === 'string' ? await readPlace(after, members, seal) : undefined;
  const errors = schemaErrors(replaySchema, value);
  const isUnfitting = after !== undefined && !place && !errors.some(({ field }) => field === 'after');
  const unfitting = isUnfitting ? [unfittingAfter] : [];
  if (errors.length > 0) return { ok: false, problem: invalidMembers([...errors, ...unfitting]) };
  if (isUnfitting) return { ok: false, problem: problem('unfitting-cursor', { errors: unfitting }) };
  return { ok: true, value: { filter: filterOf(members), place, members, bytes } };
};

const unfittingAfter: FieldError = {
  field: 'after',
  message: 'The cursor is invalid, or belongs to other members. Begin without it.',
};

/** From members that the schema has accepted. */
const filterOf = ({ since = '', type, state, transaction }: Record<string, string>): EventFilter => ({
  sinceMs: readTime(since) ?? 0,
  ...(type !== undefined && { type: type as MessageType }),
  ...(state !== undefined && { state: state as EventState }),
  ...(transaction !== undefined && { transaction }),
});

/** An opaque `after`, encrypted, and bound to the partner and to the other members. */
export const writePlace = (
  { position, untilMs }: ReplayPlace,
  members: Record<string, string>,
  seal: CursorSeal,
): Promise<string> =>
  seal.close(`${untilMs}.${position.claimedAtMs}.${position.eventId ?? ''}`, aboutOf(members));

const readPlace = async (
  cursor: string,
  members: Record<string, string>,
  seal: CursorSeal,
): Promise<ReplayPlace | undefined> => {
  const place = await seal.open(cursor, aboutOf(members));
  if (place === undefined) return undefined;
  const [until, claimed, eventId] = place.split('.');
  const position = { claimedAtMs: Number(claimed), ...(eventId && { eventId }) };
  return { untilMs: Number(until), position };
};

const aboutOf = ({ since, type, state, transaction }: Record<string, string>) => [
  ...['replay', since, type ?? null, state ?? null, transaction ?? null],
];
