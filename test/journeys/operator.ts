import assert from 'node:assert/strict';
import { at, text } from './answers.ts';
import { takeTokens } from './clients.ts';
import { importedCount, writeImportFile } from './imported-transactions.ts';
import type { Journey, OwnStage } from './world.ts';

/** The operator's part of a partner's first ten minutes. */
export const operatorJourney: Journey<OwnStage> = {
  name: 'the operator lets a partner in',
  steps: [
    {
      title: 'RUN-5 the answer of partner create is a partner of one group that can ask for a token',
      isFoundation: true,
      check: async (world) => {
        const words = ['--name', 'Harbour systems', '--grant', 'group=harbour'];
        const created = await world.operator('partner', 'create', ...words);

        const names = ['name', 'clientId', 'clientSecret', 'webhookSignature', 'grants'];
        assert.deepEqual(Object.keys(Object(created)), names);
        world.partner = {
          clientId: text(at(created, 'clientId')),
          clientSecret: text(at(created, 'clientSecret')),
        };
        world.secrets.add(world.partner.clientSecret);
        await takeTokens(world);
      },
    },
    {
      title: 'RUN-6 the operator registers storefronts for two locations of the group',
      isFoundation: true,
      check: async ({ operator, shop: { origin } }) => {
        for (const location of ['quay-1', 'quay-0']) {
          const owner = ['--group', 'harbour', '--franchise', 'harbour-cars', '--location', location];
          const names = ['--branch', `Branch ${location}`, '--group-software', 'harbour-software'];
          const shop = ['--name', `Shop ${location}`, '--origin', origin];
          await operator('storefront', 'create', ...owner, ...names, ...shop);
        }
      },
    },
    {
      title: 'RUN-4 the operator imports the transactions of two groups',
      isFoundation: true,
      check: async ({ operator, folder }) => {
        const summary = await operator('transactions', 'import', writeImportFile(folder));

        assert.equal(at(summary, 'imported'), importedCount, JSON.stringify(summary));
        assert.deepEqual(at(summary, 'refused'), []);
      },
    },
  ],
};
