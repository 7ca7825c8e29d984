import { expect, test } from '@jest/globals';
import { worldOf } from '../../journeys/world.ts';
import { sendAway, smokeShop, welcomeGuest } from '../../smoke/guest.ts';

/** The operator's tool with one answer to all commands, and what it was asked for. */
const operatorThat = (answer: unknown) => {
  const commands: string[] = [];
  const operator = async (...words: string[]) => {
    commands.push(words.join(' '));
    return answer;
  };
  return { operator, commands };
};

test('D-40 the group of a shop is left alone', async () => {
  const { operator, commands } = operatorThat([{ name: 'leeds', group: 'smoke' }]);

  await expect(welcomeGuest(operator, '1')).rejects.toThrow(
    'The group "smoke" has storefronts of others: leeds',
  );
  expect(commands).toEqual(['storefront list']);
});

test('D-40 a transaction that cannot be deleted is printed, and partner and storefront are deleted nevertheless', async () => {
  const { operator, commands } = operatorThat({});
  const world = worldOf(
    {
      ...{ baseUrl: 'https://api.example', authUrl: 'https://auth.example', operator },
      send: async (request, { method } = {}) => ({
        ...{ request, headers: new Headers(), status: method === 'PATCH' ? 403 : 200 },
        text: JSON.stringify({ data: [{ uuid: 'u' }], _meta: { totalCount: 1 } }),
      }),
    },
    smokeShop,
  );
  const guest = { name: 'smoke-1', clientId: 'c', clientSecret: 's', signature: 'w' };

  await expect(sendAway(world, guest)).rejects.toThrow('u is not deleted');
  expect(commands).toEqual(['partner delete smoke-1 --yes', 'storefront delete smoke --yes']);
});
