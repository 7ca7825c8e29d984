import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Records, State } from '../state.ts';
import { account, arn, busName, region } from '../wiring.ts';
import {
  connectionOperations,
  destinationOperations,
  type EndpointRecords,
  headerName,
  headerValue,
  missing,
  name,
} from './api-destinations.ts';
import { type AwsAnswer, fault, type Operation, type Operations, operation, success } from './protocol.ts';

/** A target of a rule, in the shape of PutTargets and ListTargetsByRule. */
export type RuleTarget = z.output<typeof target>;
type Rule = z.output<typeof inputs.rule> & { Arn: string; targets: RuleTarget[] };

/** What `keep-endpoints` makes for partners. */
export type BusRecords = EndpointRecords & { rules: Records<Rule> };

export const busRecords = ({ records }: State): BusRecords => ({
  rules: records('rule'),
  connections: records('connection'),
  destinations: records('destination'),
});

/** What sends accepted events. */
type Sender = {
  /** Stores an event for a target. */
  accept: (event: { rule: string; target: RuleTarget; event: string }) => void;
  /** Begins to send what was accepted. */
  sendAccepted: () => void;
};

/** Only JSON paths of members, such as `$.detail.message`. */
const jsonPath = /^\$(\.[\w-]+)*$/;

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** All members are required, since each target of a partner has them. */
const target = z.strictObject({
  Id: name,
  Arn: z.string().startsWith(arn('events', 'api-destination/')),
  RoleArn: z.string(),
  InputPath: z.string().regex(jsonPath, 'The embedded stage knows paths like $.detail.message.'),
  HttpParameters: z.strictObject({
    HeaderParameters: z.record(
      headerName,
      headerValue.refine((value) => !value.startsWith('$.') || jsonPath.test(value), 'Not a JSON path.'),
    ),
  }),
  RetryPolicy: z.strictObject({
    MaximumRetryAttempts: z.int().min(0).max(185),
    MaximumEventAgeInSeconds: z.int().min(60).max(86_400),
  }),
  DeadLetterConfig: z.strictObject({ Arn: z.string() }),
});

/** The one pattern that the embedded stage knows: events to a partner. */
const pattern = z.strictObject({ detail: z.strictObject({ to: z.array(z.string()) }) });

const bus = { EventBusName: z.literal(busName) };
const entry = z.strictObject({
  ...bus,
  Source: z.string().min(1),
  DetailType: z.string().min(1),
  Detail: z.string().transform(jsonIn).pipe(z.record(z.string(), z.unknown())),
});
type Entry = z.output<typeof entry>;

const inputs = {
  bus: z.strictObject({ Name: bus.EventBusName }),
  events: z.strictObject({ Entries: z.array(entry).min(1).max(10) }),
  rule: z.strictObject({
    ...bus,
    Name: name,
    EventPattern: z
      .string()
      .refine((text) => pattern.safeParse(jsonIn(text)).success, 'Not a known pattern.'),
    State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  }),
  ofRule: z.strictObject({ ...bus, Name: z.string() }),
  targets: z.strictObject({ ...bus, Rule: z.string(), Targets: z.array(target).min(1) }),
  removal: z.strictObject({ ...bus, Rule: z.string(), Ids: z.array(z.string()).min(1) }),
  targetsOf: z.strictObject({ ...bus, Rule: z.string() }),
};

const mostTargets = 5;

/** The operations of EventBridge that functions and the operator's tool use, on the stage's one bus. */
export const busOperations = (state: State, records: BusRecords, sender: Sender): Operations => ({
  'AWSEvents.DescribeEventBus': operation(inputs.bus, ({ Name }) => success({ Name })),
  'AWSEvents.PutEvents': putEvents(state, records, sender),
  ...ruleOperations(records),
  ...connectionOperations(records),
  ...destinationOperations(records),
});

/** The limit for all entries of a request. */
const requestLimitBytes = 1_048_576;

/** Stores each entry for the targets of every matching rule before it answers. */
const putEvents = ({ inOneStep }: State, { rules }: BusRecords, sender: Sender): Operation => {
  const take = (given: Entry) => {
    const event = eventOf(given);
    for (const { Name, State, EventPattern, targets } of rules.list()) {
      if (State === 'DISABLED' || !matches(EventPattern, given)) continue;
      for (const one of targets) sender.accept({ rule: Name, target: one, event: JSON.stringify(event) });
    }
    return { EventId: event.id };
  };
  return operation(inputs.events, ({ Entries }) => {
    if (Entries.reduce((sum, given) => sum + sizeOf(given), 0) >= requestLimitBytes)
      return fault('ValidationException', 'Total size of the entries in the request is over the limit.');
    const answers = inOneStep(() => Entries.map(take));
    sender.sendAccepted();
    return success({ FailedEntryCount: 0, Entries: answers });
  });
};

const matches = (text: string, { Detail }: Entry): boolean =>
  pattern.parse(JSON.parse(text)).detail.to.some((wanted) => wanted === Detail.to);

const eventOf = ({ Source, DetailType, Detail }: Entry) => ({
  version: '0',
  id: randomUUID(),
  'detail-type': DetailType,
  source: Source,
  account,
  time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
  region,
  resources: [],
  detail: Detail,
});

/** The size by EventBridge's rule: the text of source, detail-type and detail. */
const sizeOf = ({ Source, DetailType, Detail }: Entry): number =>
  Buffer.byteLength([Source, DetailType, JSON.stringify(Detail)].join(''));

const ruleOperations = ({ rules }: BusRecords): Operations => {
  const onRule = <Schema extends z.ZodType<{ Name: string } | { Rule: string }>>(
    schema: Schema,
    perform: (rule: Rule, input: z.output<Schema>) => AwsAnswer,
  ): Operation =>
    operation(schema, (input) => {
      const named = 'Rule' in input ? input.Rule : input.Name;
      const rule = rules.get(named);
      return rule ? perform(rule, input) : missing(named);
    });
  return {
    'AWSEvents.PutRule': operation(inputs.rule, (input) => {
      const Arn = arn('events', `rule/${busName}/${input.Name}`);
      rules.put(input.Name, { ...input, Arn, targets: rules.get(input.Name)?.targets ?? [] });
      return success({ RuleArn: Arn });
    }),
    'AWSEvents.DescribeRule': onRule(inputs.ofRule, ({ targets: _, ...rule }) => success(rule)),
    'AWSEvents.DeleteRule': onRule(inputs.ofRule, ({ targets, Name }) => {
      if (targets.length > 0)
        return fault('ValidationException', "Rule can't be deleted since it has targets.");
      rules.remove(Name);
      return success();
    }),
    'AWSEvents.PutTargets': onRule(inputs.targets, (rule, { Targets }) => {
      const ids = new Set(Targets.map(({ Id }) => Id));
      const targets = [...rule.targets.filter(({ Id }) => !ids.has(Id)), ...Targets];
      if (targets.length > mostTargets)
        return fault('LimitExceededException', `A rule has at most ${mostTargets} targets.`);
      rules.put(rule.Name, { ...rule, targets });
      return success({ FailedEntryCount: 0, FailedEntries: [] });
    }),
    'AWSEvents.RemoveTargets': onRule(inputs.removal, (rule, { Ids }) => {
      rules.put(rule.Name, { ...rule, targets: rule.targets.filter(({ Id }) => !Ids.includes(Id)) });
      return success({ FailedEntryCount: 0, FailedEntries: [] });
    }),
    'AWSEvents.ListTargetsByRule': onRule(inputs.targetsOf, ({ targets }) => success({ Targets: targets })),
  };
};
