import assert from 'node:assert/strict';
import { at } from './answers.ts';
import { basic } from './clients.ts';
import type { Journey, OwnStage } from './world.ts';

/** What the journeys leave behind. */
export const aftermathJourney: Journey<OwnStage> = {
  name: 'what is left behind',
  steps: [
    {
      title: 'ERR-5 every answer of both APIs carried a Request-Id',
      check: async ({ answers }) => {
        const without = answers.filter(({ headers }) => !headers.get('Request-Id'));

        assert.deepEqual(
          without.map(({ request }) => request),
          [],
        );
        assert.ok(answers.length > 40);
      },
    },
    {
      title: 'ERR-4 nothing was answered with a fault',
      check: async ({ answers }) => {
        const faults = answers.filter(({ status }) => status >= 500);

        assert.deepEqual(
          faults.map(({ request }) => request),
          [],
        );
      },
    },
    {
      title: 'RUN-4 the listing agrees with the transactions',
      check: async ({ operator }) => {
        assert.equal(at(await operator('listing', 'audit'), 'drift'), 0);
      },
    },
    {
      title: 'S-18 S-25 S-57 O-59 the functions have logged every request, and no secret or token',
      check: async ({ logLines, secrets, partner }) => {
        const lines = await logLines();
        const hidden = [...secrets, basic(partner).slice(10, 60)];
        const leaks = lines.filter((line) => hidden.some((secret) => line.includes(secret)));

        assert.equal(leaks.length, 0, leaks.join('\n'));
        assert.ok(hidden.length > 5);
        assert.ok(
          lines.filter((line) => line.includes('"HTTP_ANSWERED"')).length > 40,
          `${lines.length} lines`,
        );
      },
    },
  ],
};
