import assert from 'node:assert/strict';
import { at, json, text } from './answers.ts';
import { accessTokenOf, askForToken, basic, programOf } from './clients.ts';
import type { Credentials, Journey } from './world.ts';

const scopes = 'nop2/read nop2/webhook';
const address = 'https://hooks.harbour.example/transactions';

/** A partner that manages itself, with its token. */
let partner: Credentials;
let token: string;

/** A partner looks after its own webhook and its own secret (V2-13). */
export const selfServiceJourney: Journey = {
  name: 'a partner manages its webhook and its secret',
  steps: [
    {
      title: 'RUN-5 V2-13 the operator gives nop2/webhook by name',
      isFoundation: true,
      check: async (world) => {
        const words = ['--name', 'Harbour self-service', '--grant', 'group=harbour'];
        const created = await world.operator('partner', 'create', ...words, '--oauth-scopes', scopes);
        partner = created as Credentials;
        world.secrets.add(partner.clientSecret);
        const granted = await askForToken(world, partner, 'grant_type=client_credentials');
        assert.equal(at(json(granted), 'scope'), scopes);
        token = accessTokenOf(world, granted);
      },
    },
    {
      title: 'V2-13 an address that is set is being checked, and Location tells of it',
      check: async (world) => {
        const { ask, write } = programOf(world, token);
        const set = await write('PUT', '/api/v2/webhook', { url: address });
        const seen = await ask(set.headers.get('Location') ?? '');

        assert.deepEqual([set.status, seen.status], [202, 200], set.text);
        assert.equal(at(json(seen), 'url'), address);
        assert.match(text(at(json(seen), 'state')), /^(verifying|failing)$/);
      },
    },
    {
      title: 'V2-13 S-20 a second secret counts beside the first',
      check: async (world) => {
        const made = await world.send(`${world.authUrl}/oauth2/secret`, {
          method: 'POST',
          headers: { Authorization: basic(partner) },
          body: new URLSearchParams({ overlap_hours: '1' }),
        });
        assert.equal(made.status, 201, made.text);
        const clientSecret = text(at(json(made), 'client_secret'));
        world.secrets.add(clientSecret);

        for (const credentials of [partner, { ...partner, clientSecret }]) {
          const granted = await askForToken(world, credentials, 'grant_type=client_credentials');
          assert.equal(granted.status, 200, granted.text);
          accessTokenOf(world, granted);
        }
      },
    },
    {
      title: 'S-28 V2-13 the operator sees each of these changes, with the partner as its actor',
      check: async (world) => {
        const removed = await programOf(world, token).ask('/api/v2/webhook', { method: 'DELETE' });
        const listed = await world.operator('audit', 'list', '--by', 'Harbour self-service');

        const records = at(listed, 'records') as { command: string }[];
        assert.equal(removed.status, 204);
        assert.deepEqual(
          records.map(({ command }) => command),
          ['partner remove-webhook', 'partner rotate-secret', 'partner set-webhook'],
        );
      },
    },
  ],
};
