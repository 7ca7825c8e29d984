import assert from 'node:assert/strict';
import type { Journey } from './world.ts';

/** The last of the journeys that change nothing. */
export const untouchedJourney: Journey = {
  name: 'what was only asked for',
  steps: [
    {
      title: 'D-40 nothing was written so far but tokens',
      check: async ({ answers, authUrl }) => {
        const written = answers.filter(
          ({ request, status }) => !/^(GET|HEAD|OPTIONS) /.test(request) && status < 400,
        );

        const tokens = ['token', 'introspect', 'revoke'].map((name) => `POST ${authUrl}/oauth2/${name}`);
        assert.deepEqual(
          written.map(({ request }) => request).filter((request) => !tokens.includes(request)),
          [],
        );
      },
    },
  ],
};
