import { expect, test } from '@jest/globals';
import { createPartner, run, stage, useOperatorTool } from '../../../../support/operator/operator-tool.ts';

useOperatorTool();

const url = 'https://acme.example/hook';
const more = (code: string, value: number) =>
  `Ask for more, and run "partner repair" when it is granted: aws service-quotas request-service-quota-increase --service-code events --quota-code ${code} --desired-value ${value}`;

const quotas = [
  [
    'rules-quota',
    `EventBridge makes no more rules on this bus: the account's quota L-244521F2, 300 unless it was raised, is reached. ${more('L-244521F2', 1_000)}`,
  ],
  [
    'destinations-quota',
    `EventBridge makes no more API destinations: the account's quota L-FB1C3A6D, 3,000 unless it was raised, is reached. ${more('L-FB1C3A6D', 5_000)}`,
  ],
  [
    'connections-quota',
    `EventBridge makes no more connections: the account's quota L-595D6D42, 3,000 unless it was raised, is reached. ${more('L-595D6D42', 5_000)}`,
  ],
] as const;

test.each(quotas)(
  'EV-22 where the account has reached its %s, every command says which it is and how to raise it',
  async (reason, sentence) => {
    await createPartner();
    stage.keeper.busFault = reason;

    const set = await run(['partner', 'set-webhook', 'acme', '--url', url]);
    const created = await run(['partner', 'create', '--name', 'other', '--webhook-url', url]);
    const repaired = await run(['partner', 'repair']);
    const shown = await run(['partner', 'show', 'acme']);

    expect([set, created, repaired].map(({ exitCode }) => exitCode)).toEqual([1, 1, 1]);
    expect(set.printed).toContain(`The webhook of "acme" is failing: ${sentence}\n`);
    expect(created.noted).toContain(`The webhook of "other" is failing: ${sentence}\n`);
    expect(repaired.printed).toContain(`Failing: acme. ${sentence}\n`);
    expect(shown.printed).toContain(`! ${sentence}\n`);
  },
);

test('EV-22 another fault of the bus is named as the bus does', async () => {
  await createPartner();
  stage.keeper.busFault = 'CONNECTION_NOT_AUTHORIZED';

  expect((await run(['partner', 'set-webhook', 'acme', '--url', url])).printed).toContain(
    'The webhook of "acme" is failing: the bus says CONNECTION_NOT_AUTHORIZED.\n',
  );
});
