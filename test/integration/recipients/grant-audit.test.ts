import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import type { Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { createPartnerDirectory } from '../../../functions/shared/store/partners/directory.ts';
import { createGrantAuditor } from '../../../functions/shared/store/partners/grant-audit.ts';
import { addGrantee, removeGrantee } from '../../../functions/shared/store/partners/grantees.ts';
import { grantKey, nameKey, profileKey } from '../../../functions/shared/store/partners/keys.ts';
import { createPartnerStore } from '../../../functions/shared/store/partners/store.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { anOwner } from '../../support/builders/transactions.ts';
import { addTables, clientOf, documentsOf } from '../../support/engine/engine.ts';
import { type ChooseFault, injectFaults } from '../../support/engine/faults.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();
let sets = 0;

type Place = Awaited<ReturnType<typeof begin>>;

/** Everything over one table of its own; `choose` strikes the auditor alone, and `sleep` is its wait before another try. */
const begin = async (choose: ChooseFault = () => undefined, sleep = async () => {}) => {
  sets += 1;
  await addTables(engine.client, `-grant-audit-${sets}`, ['Partners']);
  const partnersTable = `Partners-grant-audit-${sets}`;
  const documents = documentsOf(clientOf(engine.endpoint));
  injectFaults(documents, choose);
  const retryDelays = { random: () => 0, sleep };
  const auditor = createGrantAuditor({ documents, partnersTable, retryDelays });
  const access = { documents: engine.documents, partnersTable };
  const directory = createPartnerDirectory({ ...access, clock: () => new Date() });
  const foundBy = async (owner: Parameters<typeof anOwner>[0]) =>
    (await directory.ofOwners([anOwner(owner)])).map(({ clientId }) => clientId);
  const spoil = (...TransactItems: ReturnType<typeof addGrantee>[]) =>
    engine.documents.send(new TransactWriteCommand({ TransactItems }));
  return { auditor, store: createPartnerStore(access), partnersTable, foundBy, spoil };
};

const g: Grant = { group: 'G' };
const h: Grant = { group: 'H', location: 'L' };
const named = (clientId: string, grants: Grant[]): Partner =>
  aPartner({ clientId, name: `Partner ${clientId}`, grants });

/** As a version without an index made it. */
const putAlone = async (TableName: string, partner: Partner) => {
  const { clientId, name } = partner;
  for (const Item of [
    { ...nameKey(name), clientId },
    { ...profileKey(clientId), partner, secrets: {} },
  ])
    await engine.documents.send(new PutCommand({ TableName, Item }));
};

const create = ({ store }: Place, partner: Partner) => store.create({ partner, secrets: [] }, 'signature');

test('GRANT-4 whatever the stores write, index and records agree', async () => {
  const place = await begin();
  await create(place, named('P1', [g, h, g]));
  await create(place, named('P2', [g]));
  await create(place, named('P3', []));
  await place.store.update({ before: named('P2', [g]), after: named('P2', [h]) });
  await create(place, named('P4', [{ group: 'gone' }]));
  await place.store.remove('P4');

  expect(await place.auditor.audit()).toEqual({ partners: 3, grants: 2, differences: [] });
});

/** Of two partners the index lacks one grantee, and has two too many: one of them nobody. */
const beginSpoilt = async () => {
  const place = await begin();
  await create(place, named('P1', [g]));
  await create(place, named('P2', [g, h]));
  await place.spoil(
    removeGrantee(place.partnersTable, grantKey(g), 'P2'),
    addGrantee(place.partnersTable, h, 'P1'),
    addGrantee(place.partnersTable, { group: 'X' }, 'gone'),
  );
  return place;
};

test('GRANT-4 an audit says what the index lacks and what it has too much, and changes nothing', async () => {
  const place = await beginSpoilt();
  const found = {
    partners: 2,
    grants: 3,
    differences: expect.arrayContaining([
      { clientId: 'P2', grant: g, found: 'missing' },
      { clientId: 'P1', grant: h, found: 'left-over' },
      { clientId: 'gone', grant: { group: 'X' }, found: 'left-over' },
    ]),
  };

  const first = await place.auditor.audit();

  expect(first).toEqual(found);
  expect(first.differences).toHaveLength(3);
  expect(await place.auditor.audit()).toEqual(found);
  expect(await place.foundBy({ group: 'G' })).toEqual(['P1']);
});

test('GRANT-4 an audit looks at all sixteen parts of the index', async () => {
  const place = await begin();
  const grants = Array.from({ length: 100 }, (_, index): Grant => ({ group: `G${index}` }));
  expect(new Set(grants.map((grant) => grantKey(grant).pk)).size).toBe(16);
  await place.spoil(...grants.map((grant) => addGrantee(place.partnersTable, grant, 'gone')));

  expect(await place.auditor.audit()).toMatchObject({ partners: 0, grants: 100 });
});

test('STO-1 STO-2 an audit reads records and index to their ends, and asks again for what is declined', async () => {
  const declined = new Set<string>();
  const place = await begin((command, input) => {
    if (command === 'QueryCommand') input.Limit = 1;
    const { ClientRequestToken: _, ...request } = input;
    const text = `${command} ${JSON.stringify(request)}`;
    if (declined.has(text)) return undefined;
    declined.add(text);
    return 'throttle';
  });
  const grants = Array.from({ length: 20 }, (_, index): Grant => ({ group: `G${index}` }));
  for (const clientId of ['P1', 'P2']) await putAlone(place.partnersTable, named(clientId, grants.slice(10)));
  await place.spoil(...grants.map((grant) => addGrantee(place.partnersTable, grant, 'gone')));

  expect((await place.auditor.mend()).differences).toHaveLength(40);

  expect(await place.auditor.audit()).toEqual({ partners: 2, grants: 10, differences: [] });
});

test('GRANT-4 mending leaves neither a missing nor a left-over grantee, and what it did is reported once', async () => {
  const place = await beginSpoilt();

  expect((await place.auditor.mend()).differences).toHaveLength(3);

  expect(await place.auditor.mend()).toEqual({ partners: 2, grants: 2, differences: [] });
  expect(await place.foundBy({ group: 'G' })).toEqual(['P1', 'P2']);
  expect(await place.store.all()).toEqual([named('P1', [g]), named('P2', [g, h])]);
});

test('GRANT-4 partners of a version without an index are found after mending, one of hundreds of grants too', async () => {
  const place = await begin();
  const many = Array.from({ length: 200 }, (_, index): Grant => ({ group: 'M', location: `L${index}` }));
  await putAlone(place.partnersTable, named('P1', [g]));
  await putAlone(place.partnersTable, named('P2', many));
  expect(await place.foundBy({ group: 'G' })).toEqual([]);

  const { differences } = await place.auditor.mend();

  expect(differences).toHaveLength(201);
  expect(new Set(differences.map(({ found }) => found))).toEqual(new Set(['missing']));
  expect(await place.foundBy({ group: 'G' })).toEqual(['P1']);
  for (const location of ['L0', 'L89', 'L90', 'L199'])
    expect(await place.foundBy({ group: 'M', location })).toEqual(['P2']);
  expect((await place.auditor.audit()).differences).toEqual([]);
});

/** Declines the first such request of the auditor, and lets the rest of the world work in the wait before the next one. */
const meanwhile = (isIts: (command: string, input: Record<string, unknown>) => boolean) => {
  let isStruck = false;
  const world = { works: async () => {}, choose: (() => undefined) as ChooseFault };
  world.choose = (command, input) => {
    if (isStruck || !isIts(command, input)) return undefined;
    isStruck = true;
    return 'throttle';
  };
  return world;
};

const readsNames = (command: string, { ExpressionAttributeValues }: Record<string, unknown>) =>
  command === 'QueryCommand' && Object.values(ExpressionAttributeValues as object).includes('PARTNERS');

test('GRANT-4 what an operator changes while it is compared is no difference', async () => {
  const world = meanwhile(readsNames);
  const place = await begin(world.choose, () => world.works());
  await create(place, named('P1', [g]));
  await create(place, named('P2', [g]));
  world.works = async () => {
    await place.store.update({ before: named('P1', [g]), after: named('P1', [h]) });
    await place.store.remove('P2');
  };

  expect(await place.auditor.audit()).toEqual({ partners: 1, grants: 1, differences: [] });
});

const writes = (command: string) => command === 'TransactWriteItemsCommand';

test.each([
  {
    what: 'gets another grant',
    change: ({ store }: Place) => store.update({ before: named('P', [g]), after: named('P', [h]) }),
    left: { inG: [], inH: ['P'] },
  },
  { what: 'goes', change: ({ store }: Place) => store.remove('P'), left: { inG: [], inH: [] } },
])('GRANT-4 where a partner $what right before its place is mended, its new record counts', async (row) => {
  const world = meanwhile(writes);
  const place = await begin(world.choose, () => world.works());
  await create(place, named('P', [g]));
  await place.spoil(removeGrantee(place.partnersTable, grantKey(g), 'P'));
  world.works = async () => void (await row.change(place));

  expect((await place.auditor.mend()).differences).toEqual([]);

  expect((await place.auditor.audit()).differences).toEqual([]);
  expect(await place.foundBy({ group: 'G' })).toEqual(row.left.inG);
  expect(await place.foundBy(h)).toEqual(row.left.inH);
});

test('GRANT-4 a place that is missing is mended, too, where its partner changes otherwise right before', async () => {
  const world = meanwhile(writes);
  const place = await begin(world.choose, () => world.works());
  const before = named('P', [g]);
  await create(place, before);
  await place.spoil(removeGrantee(place.partnersTable, grantKey(g), 'P'));
  world.works = async () => void (await place.store.update({ before, after: { ...before, enabled: false } }));

  expect((await place.auditor.mend()).differences).toEqual([{ clientId: 'P', grant: g, found: 'missing' }]);

  expect(await place.foundBy({ group: 'G' })).toEqual(['P']);
});

test('GRANT-4 a partner that comes right before its left-over place is taken away keeps it', async () => {
  const world = meanwhile(writes);
  const place = await begin(world.choose, () => world.works());
  await place.spoil(addGrantee(place.partnersTable, g, 'P'));
  world.works = async () => void (await create(place, named('P', [g])));

  expect((await place.auditor.mend()).differences).toEqual([]);

  expect(await place.foundBy({ group: 'G' })).toEqual(['P']);
  expect(await place.store.byClientId('P')).toEqual(named('P', [g]));
});

test('GRANT-4 a grant that is given right before its left-over place is taken away stays', async () => {
  const world = meanwhile(writes);
  const place = await begin(world.choose, () => world.works());
  await create(place, named('P', [g]));
  await place.spoil(addGrantee(place.partnersTable, h, 'P'));
  world.works = async () =>
    void (await place.store.update({ before: named('P', [g]), after: named('P', [g, h]) }));

  expect((await place.auditor.mend()).differences).toEqual([]);

  expect(await place.foundBy(h)).toEqual(['P']);
});

test('GRANT-4 a mending whose answer is lost, and one that dies half-way, come to the same end', async () => {
  const faults = ['answer-lost', undefined, 'crash-before-send'] as const;
  let writes = 0;
  const place = await begin((command) => {
    if (command !== 'TransactWriteItemsCommand') return undefined;
    writes += 1;
    return writes > faults.length ? undefined : faults[writes - 1];
  });
  await putAlone(place.partnersTable, named('P1', [g]));
  await putAlone(place.partnersTable, named('P2', [g]));

  await place.auditor.mend().catch(() => {});
  await place.auditor.mend();

  expect(await place.foundBy({ group: 'G' })).toEqual(['P1', 'P2']);
  expect((await place.auditor.audit()).differences).toEqual([]);
});
