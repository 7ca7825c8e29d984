import assert from 'node:assert/strict';
import { at, json } from './answers.ts';
import { aBuyer } from './clients.ts';
import type { Journey, World } from './world.ts';

/** Checkouts at a storefront. Makes it the stage's default, so no other buyer may use the stage. */
export const storefrontJourney: Journey = {
  name: 'a buyer comes from another page',
  steps: [
    {
      title: 'OWN-1 a buyer cannot buy where no storefront is registered',
      check: async (world) => {
        const elsewhere = await aBuyer(world, 'https://evil.example').send('');
        const nowhere = await aBuyer(world).send('?location=nowhere');
        const other = await aBuyer(world).send('?location=quay-0&expand=ndMeta');

        assert.deepEqual([elsewhere.status, nowhere.status], [403, 403]);
        assert.equal(at(json(other), 'ndMeta', 'location'), 'quay-0');
        assert.deepEqual([elsewhere.token, nowhere.token], [null, null]);
      },
    },
    {
      title: "OWN-1 V1-7 a retired storefront's origin is refused and never falls to the stage's default",
      check: async (world) => {
        const closed = 'https://closed.harbour.example';
        await register(world, 'Closed shop', 'closed', '--origin', closed);
        await register(world, 'Stage default', 'fallback', '--default');
        const open = await aBuyer(world, closed).send('?expand=ndMeta');
        await world.operator('storefront', 'delete', 'Closed shop', '--yes');

        const refused = await aBuyer(world, closed).send('');
        const unknown = await aBuyer(world, 'https://unknown.example').send('?expand=ndMeta');
        await register(world, 'Closed shop', 'closed', '--origin', closed);
        const again = await aBuyer(world, closed).send('?expand=ndMeta');
        await world.operator('storefront', 'delete', 'Stage default', '--yes');

        const locations = [open, unknown, again].map((answer) => at(json(answer), 'ndMeta', 'location'));
        assert.deepEqual(locations, ['closed', 'fallback', 'closed']);
        assert.deepEqual([refused.status, refused.token], [403, null]);
        assert.equal(refused.headers.get('Access-Control-Allow-Origin'), null);
      },
    },
  ],
};

/** A storefront of a group that no partner of the journeys may see. */
const register = async ({ operator }: World, name: string, location: string, ...more: string[]) => {
  const owner = ['--group', 'meadow', '--franchise', 'meadow-cars', '--location', location];
  await operator('storefront', 'create', '--name', name, ...owner, '--branch', name, ...more);
};
