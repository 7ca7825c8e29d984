import assert from 'node:assert/strict';
import { at } from './answers.ts';
import type { Deployed } from './deployed.ts';
import { functionLogs } from './logs.ts';
import type { Ministack } from './ministack.ts';
import type { Operator } from './operator.ts';
import type { Report } from './report.ts';

type Aftermath = {
  ministack: Ministack;
  deployed: Deployed;
  operator: Operator;
  /** Texts that nobody may find in a log. */
  secrets: string[];
};

/** What the walk has left behind. */
export const proveAftermath = async (
  report: Report,
  { ministack, deployed, operator, secrets }: Aftermath,
) => {
  await report.prove('ERR-5: every answer of both APIs carried a Request-Id', async () => {
    const without = deployed.answers.filter(({ headers }) => !headers.get('Request-Id'));

    assert.deepEqual(
      without.map(({ request }) => request),
      [],
    );
    assert.ok(deployed.answers.length > 40);
  });

  await report.prove('ERR-4: nothing was answered with a fault', async () => {
    const faults = deployed.answers.filter(({ status }) => status >= 500);

    assert.deepEqual(
      faults.map(({ request }) => request),
      [],
    );
  });

  await report.prove('RUN-4: the listing agrees with the transactions', async () => {
    assert.equal(at(await operator('listing', 'audit'), 'drift'), 0);
  });

  await report.prove(
    'S-57, O-59: the functions have logged every request and no secret or token',
    async () => {
      const lines = await functionLogs(ministack);
      const told = lines.filter((line) => secrets.some((secret) => line.includes(secret)));

      assert.deepEqual(told, []);
      assert.ok(
        lines.filter((line) => line.includes('"HTTP_ANSWERED"')).length > 40,
        `${lines.length} lines`,
      );
    },
  );
};
