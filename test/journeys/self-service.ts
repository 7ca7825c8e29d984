import assert from 'node:assert/strict';
import { at, json, text } from './answers.ts';
import { accessTokenOf, askForToken, basic, programOf } from './clients.ts';
import type { Credentials, Journey, World } from './world.ts';

const scopes = 'nop2/read nop2/webhook';
const address = 'https://hooks.harbour.example/transactions';

/** A partner that manages itself, with its token. */
let partner: Credentials;
let token: string;

const ask = (world: World, method: string, path = '', body?: object) =>
  programOf(world, token).ask(`/api/v2/webhook${path}`, { method, ...(body && { body }) });

/** A partner looks after its own webhook and its own secret (V2-13). */
export const selfServiceJourney: Journey = {
  name: 'a partner manages its webhook and its secret',
  steps: [
    {
      title: 'RUN-5 V2-13 the operator gives nop2/webhook by name',
      isFoundation: true,
      check: async (world) => {
        const words = [
          '--name',
          'Harbour self-service',
          '--grant',
          'group=harbour',
          '--oauth-scopes',
          scopes,
        ];
        const created = await world.operator('partner', 'create', ...words);
        partner = {
          clientId: text(at(created, 'clientId')),
          clientSecret: text(at(created, 'clientSecret')),
        };
        world.secrets.add(partner.clientSecret);
        const granted = await askForToken(world, partner, 'grant_type=client_credentials');
        assert.equal(at(json(granted), 'scope'), scopes);
        token = accessTokenOf(world, granted);
      },
    },
    {
      title: 'V2-13 an address that is set is being checked, and Location tells of it',
      check: async (world) => {
        const set = await ask(world, 'PUT', '', { url: address });
        assert.equal(set.status, 202, set.text);

        const seen = await programOf(world, token).ask(set.headers.get('Location') ?? '');

        assert.equal(seen.status, 200, seen.text);
        assert.equal(at(json(seen), 'url'), address);
        assert.match(text(at(json(seen), 'state')), /^(verifying|failing)$/);
      },
    },
    {
      title: 'V2-13 it is paused and resumed',
      check: async (world) => {
        const paused = json(await ask(world, 'PATCH', '', { paused: true }));
        const resumed = json(await ask(world, 'PATCH', '', { paused: false }));

        assert.deepEqual([at(paused, 'state'), at(paused, 'pausedBy')], ['paused', 'partner']);
        assert.equal(at(resumed, 'pausedBy'), null);
      },
    },
    {
      title: 'V2-13 S-27 the next signature is shown once, and chosen',
      check: async (world) => {
        const made = await ask(world, 'POST', '/signature');
        assert.equal(made.status, 201, made.text);
        world.secrets.add(text(at(json(made), 'signature')));

        const chosen = await ask(world, 'PATCH', '', { signature: 'next' });

        assert.equal(chosen.status, 200, chosen.text);
        assert.equal(at(json(chosen), 'nextSignature'), null);
      },
    },
    {
      title: 'V2-13 it is removed',
      check: async (world) => {
        const removed = await ask(world, 'DELETE');

        assert.deepEqual([removed.status, removed.text], [204, '']);
        assert.equal(at(json(await ask(world, 'GET')), 'state'), 'off');
      },
    },
    {
      title: 'V2-13 S-20 a second secret counts beside the first',
      check: async (world) => {
        const made = await world.send(`${world.authUrl}/oauth2/secret`, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/x-www-form-urlencoded',
            Authorization: basic(partner),
          },
          body: 'overlap_hours=1',
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
        const listed = await world.operator('audit', 'list', '--by', 'Harbour self-service');

        const records = at(listed, 'records') as { command: string }[];
        assert.deepEqual(records.map(({ command }) => command).reverse(), [
          ...['partner set-webhook', 'partner pause', 'partner resume'],
          ...['partner rotate-signature', 'partner rotate-signature', 'partner remove-webhook'],
          'partner rotate-secret',
        ]);
      },
    },
  ],
};
