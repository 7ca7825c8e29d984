import { describe, expect, test } from '@jest/globals';
import { stageNames } from '../../lib/config.ts';
import { brokenLeases } from '../../lib/event-times.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../support/engine/templates.ts';

type FunctionProperties = { Description: string; Timeout: number };
type Rule = {
  ScheduleExpression: string;
  State: string;
  EventBusName?: unknown;
  Targets: { Arn: Reference }[];
};
/** `Fn::GetAtt` of an ARN, or `Ref`: both contain the id of the function in the template. */
type Reference = { Ref?: string; 'Fn::GetAtt'?: [id: string, attribute: string] };
type AsyncInvoke = { FunctionName: Reference };

const never = { Qualifier: '$LATEST', MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 };

describe.each(stageNames)('the times in the templates of stage %s', (stage) => {
  const { service } = templatesOf(stage);

  const nameOf = (reference: Reference | undefined): string | undefined => {
    const id = reference?.Ref ?? reference?.['Fn::GetAtt']?.[0] ?? '';
    return resourcesOf(service, 'AWS::Lambda::Function')[id]?.Properties.Description as string | undefined;
  };

  const rules = (propertiesOf(service, 'AWS::Events::Rule') as Rule[]).filter(
    ({ ScheduleExpression }) => ScheduleExpression,
  );

  test('interface 6.1 schedules run at their minute: rules, on the bus that has schedules, none switched off', () => {
    expect(
      rules.map(({ ScheduleExpression, State, EventBusName }) => [ScheduleExpression, State, EventBusName]),
    ).toEqual([
      ['rate(1 minute)', 'ENABLED', undefined],
      ['rate(10 minutes)', 'ENABLED', undefined],
      ['rate(1 hour)', 'ENABLED', undefined],
      ['rate(10 minutes)', 'ENABLED', undefined],
      ['rate(1 day)', 'ENABLED', undefined],
    ]);
  });

  test('I17 a call by schedule that fails is not made again, and is worthless after 60 s', () => {
    const once = expect.objectContaining({
      RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
    });

    expect(rules.map(({ Targets }) => Targets)).toEqual(Array(5).fill([once]));
  });

  test('I17 nor does Lambda make it again, which by default does so twice, for six hours: each function of a rule', () => {
    const configured = propertiesOf(service, 'AWS::Lambda::EventInvokeConfig') as AsyncInvoke[];

    expect(configured.map(({ FunctionName, ...how }) => [nameOf(FunctionName), how]).sort()).toEqual([
      ['keep-endpoints', never],
      ['publish-dormant', never],
      ['reconcile', never],
      ['sweep-expired', never],
    ]);
    expect(new Set(rules.map(({ Targets: [target] }) => nameOf(target?.Arn)))).toEqual(
      new Set(['keep-endpoints', 'publish-dormant', 'reconcile', 'sweep-expired']),
    );
  });

  test('I20 each function has the time that its work takes, in seconds', () => {
    const functions = propertiesOf(service, 'AWS::Lambda::Function') as FunctionProperties[];

    expect(Object.fromEntries(functions.map(({ Description, Timeout }) => [Description, Timeout]))).toEqual({
      'capture-change': 15,
      'collect-dead-letters': 5,
      'issue-token': 15,
      'keep-endpoints': 120,
      'probe-endpoint': 18,
      'publish-dormant': 15,
      reconcile: 300,
      'rotate-keys': 15,
      'serve-docs': 15,
      'sweep-expired': 300,
      'v1-transaction': 15,
      'v2-partner': 15,
      'v2-read': 15,
      'v2-write': 15,
    });
  });

  test('S-69 what failed is kept for 14 days, 1,209,600 s', () => {
    const queues = Object.entries(resourcesOf(service, 'AWS::SQS::Queue'));
    const last = queues.filter(([id]) => !/^(DormantPublisher|EndpointKeeper)/.test(id));

    expect(
      last.map(([id, { Properties }]) => [id.slice(0, -8), Properties.MessageRetentionPeriod]).sort(),
    ).toEqual([
      ['ChangeCaptureGivenUp', 1_209_600],
      ['PartnerBusDeadLetters', 1_209_600],
    ]);
  });
});

describe('I17 the times of the protocol leave room for each other', () => {
  const kept = {
    sendMs: 6_000,
    storeMs: 6_000,
    abandonMs: 12_000,
    timeoutMs: 15_000,
    leaseMs: 20_000,
    completionHiddenMs: 22_000,
  };

  test('as they are', () => {
    expect(brokenLeases(kept)).toEqual([]);
  });

  test.each([
    [
      { sendMs: 12_000, leaseMs: 25_000, completionHiddenMs: 26_000 },
      'What sending takes at most must be less than abandonMs.',
    ],
    [{ storeMs: 12_000 }, 'What a request to a store takes at most must be less than abandonMs.'],
    [{ timeoutMs: 12_000 }, 'abandonMs must be less than the timeout of publish-dormant.'],
    [{ timeoutMs: 20_000 }, 'The timeout of publish-dormant must be less than leaseMs.'],
    [{ leaseMs: 18_000 }, 'abandonMs and what sending takes must be less than leaseMs.'],
    [
      { completionHiddenMs: 20_000 },
      'The visibility timeout of completions must be more than leaseMs and less than 30 s.',
    ],
    [
      { completionHiddenMs: 30_000 },
      'The visibility timeout of completions must be more than leaseMs and less than 30 s.',
    ],
  ])('%j is refused in one sentence', (times, sentence) => {
    expect(brokenLeases({ ...kept, ...times })).toEqual([sentence]);
  });
});
