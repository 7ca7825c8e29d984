import type { Target } from '@aws-sdk/client-eventbridge';
import { describe, expect, test } from '@jest/globals';
import {
  connectionOf,
  ruleOf,
  targetOf,
} from '../../../../../../functions/shared/outbound/endpoint/definition.ts';
import { foundOf } from '../../../../../../functions/shared/outbound/endpoint/inspect.ts';
import { aPartner } from '../../../../../support/builders/a-partner.ts';

const settings = {
  stage: 'local',
  busName: 'transactions-local',
  deliveryRoleArn: 'role',
  deadLetterQueueArn: 'queue',
};
const partner = aPartner({ webhookUrl: 'https://partner.example/hook', signatureMadeAtMs: 1 });

const differencesWith = (Description: string | undefined, hidesDescriptions?: boolean) => {
  const { Description: _, ...made } = connectionOf(settings, partner, 's');
  const connection = { ...made, Description, ConnectionState: 'AUTHORIZED' as const };
  const place = { ...settings, ...(hidesDescriptions !== undefined && { hidesDescriptions }) };
  const served = { partner, servedUrl: partner.webhookUrl };
  return foundOf({ connection, targets: [] }, served, place).differences;
};

test.each([
  ['that says nothing of its signature', undefined, undefined, true],
  ['that says nothing of it, on AWS', undefined, false, true],
  ['that says nothing of it, where no description is shown', undefined, true, false],
  ['of a former signature, where no description is shown', 'Signature of 2020-01-01', true, true],
  ['of its signature', 'Signature of 1970-01-01T00:00:00.001Z', false, false],
])('S-27 a connection %s differs', (_what, description, hides, differs) => {
  expect(differencesWith(description, hides).includes('SIGNATURE_DIFFERS')).toBe(differs);
});

describe('D-09 a target', () => {
  const made = targetOf(settings, 'destination');
  const differs = (changes: Partial<Target>) => {
    const rule = { ...ruleOf(settings, partner.clientId), State: 'ENABLED' as const };
    const state = {
      rule,
      destination: { ApiDestinationArn: 'destination' },
      targets: [{ ...made, ...changes }],
    };
    const served = { partner, servedUrl: partner.webhookUrl };
    return foundOf(state, served, settings).differences.includes('TARGET_DIFFERS');
  };

  test.each<[string, Partial<Target>]>([
    ['another role', { RoleArn: 'other' }],
    ['a body of its own', { Input: '{}' }],
    ['a query', { HttpParameters: { ...made.HttpParameters, QueryStringParameters: { a: 'b' } } }],
    ['fewer tries', { RetryPolicy: { ...made.RetryPolicy, MaximumRetryAttempts: 1 } }],
    ['less time to try', { RetryPolicy: { ...made.RetryPolicy, MaximumEventAgeInSeconds: 60 } }],
    ['another dead-letter queue', { DeadLetterConfig: { Arn: 'other' } }],
  ])('with %s differs', (_, changes) => {
    expect(differs(changes)).toBe(true);
  });

  test('is equal with its headers in another order, and with the empty lists that the bus adds', () => {
    const headers = Object.entries(made.HttpParameters?.HeaderParameters ?? {}).reverse();
    const none = { PathParameterValues: [], QueryStringParameters: {} };

    expect(differs({ HttpParameters: { HeaderParameters: Object.fromEntries(headers), ...none } })).toBe(
      false,
    );
  });
});
