import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../functions/shared/runtime/clock.ts';
import { createPattern, type Pattern } from '../aws/event-pattern.ts';
import { fault, type Operation, operation, success } from '../aws/json-protocol.ts';
import { account, region } from '../aws/names.ts';
import type { CloudBus } from '../cloudformation/model.ts';
import type { Emit } from '../feed/happening.ts';
import type { DeliveryStore } from './delivery/store.ts';
import { eventFactsOf } from './event-facts.ts';
import { type EventRecords, type Rule, ruleKey } from './records.ts';
import { findBus } from './rules.ts';

const entrySchema = z.strictObject({
  Time: z.number().optional(),
  Source: z.string().optional(),
  Resources: z.array(z.string()).default([]),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  EventBusName: z.string().default('default'),
});
type EventEntry = z.output<typeof entrySchema>;
const schema = z.strictObject({ Entries: z.array(entrySchema).min(1).max(10) });

/** The limit for all entries of a request. */
const requestLimitBytes = 1_048_576;

export type PutEventsDeps = {
  buses: readonly CloudBus[];
  records: Pick<EventRecords, 'rules'>;
  deliveries: Pick<DeliveryStore, 'accept'>;
  inOneStep: <Result>(work: () => Result) => Result;
  /** Begins to send the accepted events. */
  dispatchAccepted: () => void;
  now: Clock;
  /** Reports a happening to the console. */
  emit?: Emit;
};

type EnabledRule = { rule: Rule; matches: Pattern };

/** PutEvents. Stores each entry for the targets of every matching rule before it answers. */
export const putEvents = ({
  buses,
  records,
  deliveries,
  inOneStep,
  dispatchAccepted,
  now,
  emit = () => {},
}: PutEventsDeps): Operation => {
  const rulesOf = (bus: CloudBus): EnabledRule[] =>
    records.rules
      .list(ruleKey(bus.name, ''))
      .filter(({ State }) => State === 'ENABLED')
      .map((rule) => ({ rule, matches: createPattern(JSON.parse(rule.EventPattern)) }));

  const take = (entry: EventEntry, rules: readonly EnabledRule[]) => {
    const event = eventOf(entry, randomUUID(), now());
    const matching = rules.filter(({ matches }) => matches(event));
    for (const { rule } of matching) keep(rule, JSON.stringify(event));
    emit({ kind: 'accepted', ...eventFactsOf(event), rules: matching.length });
    return { EventId: event.id };
  };

  const keep = ({ Arn, targets }: Rule, event: string) => {
    const acceptedMs = now().getTime();
    for (const target of targets) deliveries.accept({ ruleArn: Arn, target, event, acceptedMs });
  };

  return operation(schema, ({ Entries }) => {
    if (Entries.reduce((sum, entry) => sum + sizeOf(entry), 0) >= requestLimitBytes)
      return fault('ValidationException', 'Total size of the entries in the request is over the limit.');
    const rules = new Map(buses.map((bus) => [bus, rulesOf(bus)]));
    const answers = inOneStep(() =>
      Entries.map((entry) => {
        const bus = findBus(buses, entry.EventBusName);
        // As on AWS, an entry for an unknown bus is accepted and dropped.
        return refusalOf(entry) ?? take(entry, (bus && rules.get(bus)) ?? []);
      }),
    );
    dispatchAccepted();
    return success({
      FailedEntryCount: answers.filter((answer) => 'ErrorCode' in answer).length,
      Entries: answers,
    });
  });
};

const eventOf = ({ Source, DetailType, Detail, Resources, Time }: EventEntry, id: string, now: Date) => ({
  version: '0',
  id,
  'detail-type': DetailType,
  source: Source,
  account,
  time: (Time === undefined ? now : new Date(Time * 1000)).toISOString().replace(/\.\d+Z$/, 'Z'),
  region,
  resources: Resources,
  detail: JSON.parse(Detail ?? ''),
});

type Refused = { ErrorCode: string; ErrorMessage: string };

const refusalOf = ({ Source, DetailType, Detail }: EventEntry): Refused | undefined => {
  for (const [name, value] of Object.entries({ Source, DetailType, Detail })) {
    if (!value) return invalid(name, `${name} is a required argument.`);
  }
  if (DetailType && DetailType.length > 128) return invalid('DetailType', 'DetailType is too long.');
  if (Source?.startsWith('aws.')) {
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' };
  }
  return isObject(Detail ?? '')
    ? undefined
    : { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
};

const invalid = (name: string, reason: string): Refused => ({
  ErrorCode: 'InvalidArgument',
  ErrorMessage: `Parameter ${name} is not valid. Reason: ${reason}`,
});

const isObject = (text: string): boolean => {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

/** The size by EventBridge's rule: 14 bytes for a time, and the text of source, detail-type, detail and resources. */
const sizeOf = ({ Time, Source = '', DetailType = '', Detail = '', Resources }: EventEntry): number =>
  (Time === undefined ? 0 : 14) + Buffer.byteLength([Source, DetailType, Detail, ...Resources].join(''));
