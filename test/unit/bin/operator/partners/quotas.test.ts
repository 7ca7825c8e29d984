import { describe, expect, test } from '@jest/globals';
import { createPartnerEndpoints } from '../../../../../functions/shared/outbound/endpoint/endpoints.ts';
import { randomFrom } from '../../../../support/builders/random.ts';
import { createMemoryEventBridge } from '../../../../support/memory/event-bridge.ts';
import { place } from '../../../../support/operator/operator.ts';
import {
  begin,
  createPartner,
  run,
  stage,
  useOperatorTool,
} from '../../../../support/operator/operator-tool.ts';

useOperatorTool();

const url = 'https://acme.example/hook';
const wait = async () => {};

const more = (code: string, value: number) =>
  `Ask for more, and run this again when it is granted: aws service-quotas request-service-quota-increase --service-code events --quota-code ${code} --desired-value ${value}`;
const quotas = [
  [
    'rules',
    `EventBridge makes no more rules on this bus: the account's quota L-244521F2, 300 unless it was raised, is reached. ${more('L-244521F2', 1_000)}`,
  ],
  [
    'destinations',
    `EventBridge makes no more API destinations: the account's quota L-FB1C3A6D, 3,000 unless it was raised, is reached. ${more('L-FB1C3A6D', 5_000)}`,
  ],
  [
    'connections',
    `EventBridge makes no more connections: the account's quota L-595D6D42, 3,000 unless it was raised, is reached. ${more('L-595D6D42', 5_000)}`,
  ],
] as const;

/** A stage whose bus has room for one partner; `parts` counts what it holds. */
const aFullStage = async (part: 'rules' | 'destinations' | 'connections') => {
  const client = createMemoryEventBridge({ [part]: 1 });
  begin({ endpoints: createPartnerEndpoints({ client, settings: place, wait }) });
  await createPartner('first', '--webhook-url', url);
  const parts = () => [client.connections.size, client.destinations.size, client.rules.size];
  const names = async () => (await stage.deps.partners.all()).map(({ name }) => name);
  return { parts, names };
};

describe.each(quotas)('EV-22 where the account has no more %s', (part, sentence) => {
  test('set-webhook says which quota it is and how to raise it, and nothing half made is left', async () => {
    const { parts } = await aFullStage(part);
    await createPartner('acme');

    const said = await run(['partner', 'set-webhook', 'acme', '--url', url]);

    expect([said.exitCode, said.noted]).toEqual([1, `The partner "acme" is as it was. ${sentence}\n`]);
    expect(parts()).toEqual([1, 1, 1]);
    expect(await stage.deps.partners.byName('acme')).not.toHaveProperty('webhookUrl');
  });

  test('partner create makes no partner', async () => {
    const { parts, names } = await aFullStage(part);

    const said = await run(['partner', 'create', '--name', 'acme', '--webhook-url', url]);

    expect([said.exitCode, said.noted, said.printed]).toEqual([
      1,
      `The partner "acme" is not made. ${sentence}\n`,
      '',
    ]);
    expect([parts(), await names()]).toEqual([[1, 1, 1], ['first']]);
  });

  test('a partner without a webhook can be made', async () => {
    await aFullStage(part);

    expect(await createPartner('acme')).toHaveProperty('clientSecret');
  });

  test('an address can still be changed', async () => {
    const { parts } = await aFullStage(part);

    const said = await run(['partner', 'set-webhook', 'first', '--url', 'https://acme.example/2']);

    expect([said.exitCode, parts()]).toEqual([0, [1, 1, 1]]);
  });
});

test('EV-22 the 301st partner with a webhook is refused, and the others are as they were', async () => {
  const client = createMemoryEventBridge({ rules: 300 });
  const { integer } = randomFrom(301);
  begin({
    endpoints: createPartnerEndpoints({ client, settings: place, wait }),
    // The usual bytes of these tests begin again after some partners.
    random: (size) => Uint8Array.from({ length: size }, () => integer(0, 255)),
  });
  for (let number = 1; number <= 300; number += 1) await createPartner(`p${number}`, '--webhook-url', url);

  const said = await run(['partner', 'create', '--name', 'p301', '--webhook-url', url]);

  expect(said.noted).toContain('The partner "p301" is not made. EventBridge makes no more rules');
  expect([client.connections.size, client.destinations.size, client.rules.size]).toEqual([300, 300, 300]);
  expect((await stage.deps.partners.all()).length).toBe(300);
});

test('EV-22 a command that mends an endpoint says the same', async () => {
  const client = createMemoryEventBridge({ rules: 1 });
  begin({ endpoints: createPartnerEndpoints({ client, settings: place, wait }) });
  await createPartner('acme', '--webhook-url', url);
  await run(['partner', 'disable', 'acme', '--yes']);
  const [[name, rule] = []] = client.rules;
  client.rules.clear();
  if (name && rule) client.rules.set('foreign', rule);

  const said = await run(['partner', 'enable', 'acme']);

  expect(said.noted).toContain('EventBridge makes no more rules on this bus: the account');
});
