import { z } from 'zod';
import { UserError } from '../../bin/operator/user-error.ts';
import { createPattern } from '../aws/event-pattern.ts';
import {
  type AwsResponse,
  fault,
  type Operation,
  type Operations,
  operation,
  success,
} from '../aws/json-protocol.ts';
import { account, region } from '../aws/names.ts';
import type { CloudBus } from '../cloudformation/model.ts';
import { type EventRecords, nameSchema, type Rule, ruleKey } from './records.ts';

/** Only JSON paths of members, such as `$.detail.message`. */
const jsonPath = /^\$(\.[\w-]+)*$/;
const path = z.string().max(256).regex(jsonPath, 'The local stage knows paths like $.detail.message.');
const headerValue = z
  .string()
  .max(512)
  .refine((value) => !value.startsWith('$.') || jsonPath.test(value), 'Not a JSON path.');

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
    Id: nameSchema,
    Arn: z.string().regex(/^arn:aws:events:[^:]*:\d{12}:api-destination\//, 'Only API destinations.'),
    RoleArn: z.string({ error: 'A role is required for API destinations.' }),
    Input: z.string().max(8192).refine(isJson, 'Not JSON.').optional(),
    InputPath: path.optional(),
    HttpParameters: z
      .strictObject({ HeaderParameters: z.record(z.string(), headerValue).optional() })
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
const schemas = {
  PutRule: z.strictObject({
    ...bus,
    Name: nameSchema,
    EventPattern: z.string().max(2048),
    State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
    Description: z.string().max(512).optional(),
    RoleArn: z.string().optional(),
  }),
  ofRule: z.strictObject({ ...bus, Name: z.string() }),
  PutTargets: z.strictObject({ ...bus, Rule: z.string(), Targets: z.array(target).min(1).max(100) }),
  RemoveTargets: z.strictObject({ ...bus, Rule: z.string(), Ids: z.array(z.string()).min(1).max(100) }),
  ListTargetsByRule: z.strictObject({ ...bus, Rule: z.string() }),
};

const mostTargets = 5;

export type RuleDeps = {
  buses: readonly CloudBus[];
  records: Pick<EventRecords, 'rules'>;
  /** Gives up the events that were accepted for the removed target. */
  removeTarget: (ruleArn: string, targetId: string) => void;
};

/** Operations on rules and their targets. */
export const ruleOperations = ({ buses, records: { rules }, removeTarget }: RuleDeps): Operations => {
  /** An operation on a bus of the template; the input has its name or ARN. */
  const onBus = <Schema extends z.ZodType<{ EventBusName: string }>>(
    schema: Schema,
    perform: (bus: CloudBus, input: z.output<Schema>) => AwsResponse,
  ): Operation =>
    operation(schema, (input) => {
      const found = findBus(buses, input.EventBusName);
      return found ? perform(found, input) : noBus(input.EventBusName);
    });

  const onRule = <Schema extends z.ZodType<{ EventBusName: string } & ({ Name: string } | { Rule: string })>>(
    schema: Schema,
    perform: (rule: Rule, input: z.output<Schema>, save: (rule: Rule) => void) => AwsResponse,
  ): Operation =>
    onBus(schema, ({ name: busName }, input) => {
      const name = 'Rule' in input ? input.Rule : input.Name;
      const key = ruleKey(busName, name);
      const rule = rules.get(key);
      const missing = () =>
        fault('ResourceNotFoundException', `Rule ${name} does not exist on EventBus ${busName}.`);
      return rule ? perform(rule, input, (changed) => rules.put(key, changed)) : missing();
    });

  return {
    PutRule: onBus(schemas.PutRule, ({ name: EventBusName }, input) => {
      const refused = patternFault(input.EventPattern);
      if (refused) return refused;
      const key = ruleKey(EventBusName, input.Name);
      const Arn = `arn:aws:events:${region}:${account}:rule/${EventBusName}/${input.Name}`;
      // Only the targets of an existing rule are kept; absent members of the request are not.
      rules.put(key, { ...input, EventBusName, Arn, targets: rules.get(key)?.targets ?? [] });
      return success({ RuleArn: Arn });
    }),
    DescribeRule: onRule(schemas.ofRule, ({ targets: _, ...rule }) => success(rule)),
    DeleteRule: onRule(schemas.ofRule, ({ targets, EventBusName, Name }) => {
      if (targets.length > 0)
        return fault('ValidationException', "Rule can't be deleted since it has targets.");
      rules.remove(ruleKey(EventBusName, Name));
      return success();
    }),
    PutTargets: onRule(schemas.PutTargets, (rule, { Targets }, save) => {
      const ids = new Set(Targets.map(({ Id }) => Id));
      const targets = [...rule.targets.filter(({ Id }) => !ids.has(Id)), ...Targets];
      if (targets.length > mostTargets)
        return fault('LimitExceededException', `A rule has at most ${mostTargets} targets.`);
      save({ ...rule, targets });
      return success({ FailedEntryCount: 0, FailedEntries: [] });
    }),
    RemoveTargets: onRule(schemas.RemoveTargets, (rule, { Ids }, save) => {
      save({ ...rule, targets: rule.targets.filter(({ Id }) => !Ids.includes(Id)) });
      for (const id of Ids) removeTarget(rule.Arn, id);
      return success({ FailedEntryCount: 0, FailedEntries: [] });
    }),
    ListTargetsByRule: onRule(schemas.ListTargetsByRule, ({ targets }) => success({ Targets: targets })),
  };
};

export const findBus = (buses: readonly CloudBus[], named: string): CloudBus | undefined =>
  buses.find(({ name, arn }) => named === name || named === arn);

export const noBus = (named: string): AwsResponse =>
  fault('ResourceNotFoundException', `Event bus ${named} does not exist.`);

const patternFault = (text: string): AwsResponse | undefined => {
  try {
    createPattern(JSON.parse(text));
    return undefined;
  } catch (error) {
    if (!(error instanceof UserError) && !(error instanceof SyntaxError)) throw error;
    return fault('InvalidEventPatternException', `Event pattern is not valid. Reason: ${error.message}`);
  }
};
