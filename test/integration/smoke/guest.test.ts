import { expect, test } from '@jest/globals';
import { worldOf } from '../../journeys/world.ts';
import { sendAway, smokeShop, welcomeGuest } from '../../smoke/guest.ts';

/** The operator's tool, with what it answers to some commands; all that it was asked for. */
const operatorThat = (answers: Record<string, unknown>) => {
  const commands: string[] = [];
  const operator = async (...words: string[]) => {
    commands.push(words.join(' '));
    const answer = answers[words.slice(0, 2).join(' ')] ?? {};
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { operator, commands };
};

const estate = '--group smoke --franchise smoke --location smoke --branch smoke --group-software smoke';
const opened = [
  'storefront list',
  `storefront create --name smoke ${estate} --origin https://smoke.invalid`,
  'partner create --name smoke-1 --grant group=smoke',
];

test('D-40 what a run makes is of its own group', async () => {
  const made = { clientId: 'c', clientSecret: 's', webhookSignature: 'w' };
  const shops = [
    { name: 'leeds', group: 'northgate' },
    { name: 'smoke', group: 'smoke' },
  ];
  const { operator, commands } = operatorThat({ 'storefront list': shops, 'partner create': made });

  expect(await welcomeGuest(operator, '1')).toMatchObject({ name: 'smoke-1', clientId: 'c' });
  expect(commands).toEqual(opened);
});

test('D-40 a group that a shop has is left alone', async () => {
  const { operator, commands } = operatorThat({ 'storefront list': [{ name: 'leeds', group: 'smoke' }] });

  await expect(welcomeGuest(operator, '1')).rejects.toThrow(
    'The group "smoke" has storefronts of others: leeds',
  );
  expect(commands).toEqual(['storefront list']);
});

test('D-40 a storefront without its partner goes at once', async () => {
  const { operator, commands } = operatorThat({
    'storefront list': [],
    'partner create': new Error('the endpoint does not answer'),
  });

  await expect(welcomeGuest(operator, '1')).rejects.toThrow('the endpoint does not answer');
  expect(commands).toEqual([...opened, 'storefront delete smoke --yes']);
});

test('D-40 a transaction that cannot be deleted is named, and the partner and the storefront go all the same', async () => {
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
