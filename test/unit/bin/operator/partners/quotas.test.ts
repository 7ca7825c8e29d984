import { expect, test } from '@jest/globals';
import { createPartner, run, stage, useTool } from '../../../../support/operator/tool.ts';

useTool();

const url = 'https://acme.example/hook';
const reached = (what: string, code: string, usual: string, more: number) =>
  `EventBridge creates no more ${what}: the account has reached its quota ${code} (${usual} by default). Request an increase with the following command, and run "partner repair" when it is granted: aws service-quotas request-service-quota-increase --service-code events --quota-code ${code} --desired-value ${more}`;

test.each([
  ['rules-quota', reached('rules on this bus', 'L-244521F2', '300', 1_000)],
  ['destinations-quota', reached('API destinations', 'L-FB1C3A6D', '3,000', 5_000)],
  ['connections-quota', reached('connections', 'L-595D6D42', '3,000', 5_000)],
  ['CONNECTION_NOT_AUTHORIZED', 'EventBridge reports CONNECTION_NOT_AUTHORIZED.'],
])('EV-22 if the bus reports %s, every command names the quota and how to raise it', async (reason, why) => {
  await createPartner();
  stage.keeper.busFault = reason;

  const set = await run(`partner set-webhook acme --url ${url}`);
  const created = await run(`partner create --name other --webhook-url ${url}`);
  const repaired = await run('partner repair');
  const shown = await run('partner show acme');

  expect([set, created, repaired].map(({ exitCode }) => exitCode)).toEqual([1, 1, 1]);
  expect(set.printed).toContain(`The webhook of "acme" is failing: ${why}\n`);
  expect(created.noted).toContain(`The webhook of "other" is failing: ${why}\n`);
  expect(repaired.printed).toContain(`Failing: acme. ${why}\n`);
  expect(shown.printed).toContain(`! ${why}\n`);
});
