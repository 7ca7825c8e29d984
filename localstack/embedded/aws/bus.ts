import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Records, State } from '../state.ts';
import { account, arn, busName, region } from '../wiring.ts';
import {
  description,
  type EndpointRecords,
  endpointOperations,
  endpointRecords,
  headerName,
  headerValue,
  missing,
  name,
} from './api-destinations.ts';
import { type AwsAnswer, fault, type Operation, type Operations, operation, success } from './protocol.ts';

/** A target of a rule, in the shape of PutTargets and ListTargetsByRule. */
export type RuleTarget = z.output<typeof target>;

type Rule = {
  Name: string;
  Arn: string;
  EventBusName: string;
  EventPattern: string;
  State: 'ENABLED' | 'DISABLED';
  Description?: string | undefined;
  RoleArn?: string | undefined;
  targets: RuleTarget[];
};

/** What `keep-endpoints` makes for partners. */
export type BusRecords = EndpointRecords & { rules: Records<Rule> };

export const busRecords = (state: State): BusRecords => ({
  rules: state.records('rule'),
  ...endpointRecords(state),
});

/** What sends accepted events. */
export type Sender = {
  /** Stores an event for a target. */
  accept: (event: { ruleArn: string; target: RuleTarget; event: string }) => void;
  /** Begins to send what was accepted. */
  sendAccepted: () => void;
  /** Gives up the events that were accepted for the removed target. */
  removeTarget: (ruleArn: string, targetId: string) => void;
};

/** Only JSON paths of members, such as `$.detail.message`. */
const jsonPath = /^\$(\.[\w-]+)*$/;

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const target = z
  .strictObject({
    Id: name,
    Arn: z.string().regex(/^arn:aws:events:[^:]*:\d{12}:api-destination\//, 'Only API destinations.'),
    RoleArn: z.string({ error: 'A role is required for API destinations.' }),
    Input: z.string().max(8192).refine(isJson, 'Not JSON.').optional(),
    InputPath: z
      .string()
      .max(256)
      .regex(jsonPath, 'The embedded stage knows paths like $.detail.message.')
      .optional(),
    HttpParameters: z
      .strictObject({
        HeaderParameters: z
          .record(
            headerName,
            headerValue.refine(
              (value) => !value.startsWith('$.') || jsonPath.test(value),
              'Not a JSON path.',
            ),
          )
          .optional(),
      })
      .optional(),
    RetryPolicy: z
      .strictObject({
        MaximumRetryAttempts: z.int().min(0).max(185).optional(),
        MaximumEventAgeInSeconds: z.int().min(60).max(86_400).optional(),
      })
      .optional(),
    DeadLetterConfig: z.strictObject({ Arn: z.string() }).optional(),
  })
  .refine(
    ({ Input, InputPath }) => Input === undefined || InputPath === undefined,
    'Input or InputPath, not both.',
  );

const bus = { EventBusName: z.string().default('default') };

const entry = z.strictObject({
  Time: z.number().optional(),
  Source: z.string().optional(),
  Resources: z.array(z.string()).default([]),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  ...bus,
});
type Entry = z.output<typeof entry>;

const inputs = {
  bus: z.strictObject({ Name: z.string().default('default') }),
  events: z.strictObject({ Entries: z.array(entry).min(1).max(10) }),
  rule: z.strictObject({
    ...bus,
    Name: name,
    EventPattern: z.string().max(2048),
    State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
    Description: description,
    RoleArn: z.string().optional(),
  }),
  ofRule: z.strictObject({ ...bus, Name: z.string() }),
  targets: z.strictObject({ ...bus, Rule: z.string(), Targets: z.array(target).min(1).max(100) }),
  removal: z.strictObject({ ...bus, Rule: z.string(), Ids: z.array(z.string()).min(1).max(100) }),
  targetsOf: z.strictObject({ ...bus, Rule: z.string() }),
};

const mostTargets = 5;
const busArn = arn('events', `event-bus/${busName}`);
const isOurBus = (given: string) => given === busName || given === busArn;

/** The operations of EventBridge that functions and the operator's tool use, on the stage's one bus. */
export const busOperations = (state: State, records: BusRecords, sender: Sender): Operations => ({
  'AWSEvents.DescribeEventBus': operation(inputs.bus, ({ Name }) =>
    isOurBus(Name) ? success({ Name: busName, Arn: busArn }) : missing(`Event bus ${Name}`),
  ),
  ...putEvents(state, records, sender),
  ...ruleOperations(records, sender),
  ...endpointOperations(records),
});

/** The limit for all entries of a request. */
const requestLimitBytes = 1_048_576;

/** Stores each entry for the targets of every matching rule before it answers. */
const putEvents = ({ inOneStep }: State, { rules }: BusRecords, sender: Sender): Operations => {
  const take = (given: Entry) => {
    const event = eventOf(given);
    // As on AWS, an entry for an unknown bus is accepted and dropped.
    const matching = rules
      .list()
      .filter(({ State, EventPattern }) => State === 'ENABLED' && matches(JSON.parse(EventPattern), event));
    if (isOurBus(given.EventBusName))
      for (const { Arn, targets } of matching)
        for (const one of targets) sender.accept({ ruleArn: Arn, target: one, event: JSON.stringify(event) });
    return { EventId: event.id };
  };
  return {
    'AWSEvents.PutEvents': operation(inputs.events, ({ Entries }) => {
      if (Entries.reduce((sum, given) => sum + sizeOf(given), 0) >= requestLimitBytes)
        return fault('ValidationException', 'Total size of the entries in the request is over the limit.');
      const answers = inOneStep(() => Entries.map((given) => refusalOf(given) ?? take(given)));
      sender.sendAccepted();
      return success({
        FailedEntryCount: answers.filter((answer) => 'ErrorCode' in answer).length,
        Entries: answers,
      });
    }),
  };
};

const eventOf = ({ Source, DetailType, Detail, Resources, Time }: Entry) => ({
  version: '0',
  id: randomUUID(),
  'detail-type': DetailType,
  source: Source,
  account,
  time: (Time === undefined ? new Date() : new Date(Time * 1000)).toISOString().replace(/\.\d+Z$/, 'Z'),
  region,
  resources: Resources,
  detail: JSON.parse(Detail ?? ''),
});

/** Why EventBridge refuses an entry and takes the others. */
const refusalOf = ({ Source, DetailType, Detail }: Entry) => {
  const invalid = (member: string, reason: string) => ({
    ErrorCode: 'InvalidArgument',
    ErrorMessage: `Parameter ${member} is not valid. Reason: ${reason}`,
  });
  for (const [member, value] of Object.entries({ Source, DetailType, Detail }))
    if (!value) return invalid(member, `${member} is a required argument.`);
  if (DetailType && DetailType.length > 128) return invalid('DetailType', 'DetailType is too long.');
  if (Source?.startsWith('aws.'))
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' };
  const isObject = isJson(Detail ?? '') && /^\s*\{/.test(Detail ?? '');
  return isObject ? undefined : { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
};

/** The size by EventBridge's rule: 14 bytes for a time, and the text of source, detail-type, detail and resources. */
const sizeOf = ({ Time, Source = '', DetailType = '', Detail = '', Resources }: Entry): number =>
  (Time === undefined ? 0 : 14) + Buffer.byteLength([Source, DetailType, Detail, ...Resources].join(''));

type Pattern = { [member: string]: Pattern | unknown[] };

/** Whether an event matches a pattern of exact values; of a list in the event, one match is enough. */
export const matches = (pattern: Pattern, value: unknown): boolean =>
  [value].flat().some((one) =>
    Object.entries(pattern).every(([member, wanted]) => {
      const found = (one as Record<string, unknown> | null | undefined)?.[member];
      return Array.isArray(wanted)
        ? [found].flat().some((leaf) => wanted.includes(leaf))
        : matches(wanted, found);
    }),
  );

/** The part of a pattern that the embedded stage does not know: an operator instead of a value. */
const unknownPart = (pattern: unknown): string | undefined => {
  if (typeof pattern !== 'object' || pattern === null || Array.isArray(pattern))
    return JSON.stringify(pattern);
  for (const [member, wanted] of Object.entries(pattern)) {
    if (member.startsWith('$')) return member;
    const unknown = Array.isArray(wanted)
      ? wanted
          .filter((leaf) => typeof leaf === 'object' && leaf !== null)
          .map((leaf) => JSON.stringify(leaf))[0]
      : unknownPart(wanted);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
};

const patternFault = (text: string): AwsAnswer | undefined => {
  const reason = isJson(text) ? unknownPart(JSON.parse(text)) : 'what is no JSON';
  return reason === undefined
    ? undefined
    : fault(
        'InvalidEventPatternException',
        `Event pattern is not valid. Reason: the embedded stage does not know ${reason}.`,
      );
};

const ruleOperations = ({ rules }: BusRecords, sender: Sender): Operations => {
  const onRule = <Schema extends z.ZodType<{ EventBusName: string } & ({ Name: string } | { Rule: string })>>(
    schema: Schema,
    perform: (rule: Rule, input: z.output<Schema>) => AwsAnswer,
  ): Operation =>
    operation(schema, (input) => {
      const { EventBusName } = input;
      const named = 'Rule' in input ? input.Rule : input.Name;
      if (!isOurBus(EventBusName)) return missing(`Event bus ${EventBusName}`);
      const rule = rules.get(named);
      return rule ? perform(rule, input) : missing(`Rule ${named} on EventBus ${busName}`);
    });
  return {
    'AWSEvents.PutRule': operation(inputs.rule, (input) => {
      if (!isOurBus(input.EventBusName)) return missing(`Event bus ${input.EventBusName}`);
      const refused = patternFault(input.EventPattern);
      if (refused) return refused;
      const Arn = arn('events', `rule/${busName}/${input.Name}`);
      // Only the targets of an existing rule are kept; absent members of the request are not.
      const targets = rules.get(input.Name)?.targets ?? [];
      rules.put(input.Name, { ...input, EventBusName: busName, Arn, targets });
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
      for (const id of Ids) sender.removeTarget(rule.Arn, id);
      return success({ FailedEntryCount: 0, FailedEntries: [] });
    }),
    'AWSEvents.ListTargetsByRule': onRule(inputs.targetsOf, ({ targets }) => success({ Targets: targets })),
  };
};
