import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from '@jest/globals';
import { adopt } from '../../../bin/operator/restore/adopt.ts';
import { createListingAuditor } from '../../../bin/operator/store/listing/audit.ts';
import { createPersonalDataStore } from '../../../bin/operator/store/personal-data/store.ts';
import { createRecoveryStore } from '../../../bin/operator/store/recovery/store.ts';
import { createRevokedSessions } from '../../../bin/operator/store/session-ends.ts';
import { createDebounceTable, createSentLog } from '../../../functions/shared/events/table.ts';
import { createUserKey, createUserKeyReader } from '../../../functions/shared/store/keys/user-key.ts';
import { createAuditStore } from '../../../functions/shared/store/partners/audit-log.ts';
import { recordLifetimeMs } from '../../../functions/shared/store/requests/request-store.ts';
import { createRequestStore } from '../../../functions/shared/store/requests/requests.ts';
import { createSessionEnds } from '../../../functions/shared/store/sessions/session-record.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { type MoveDeps, moveSession } from '../../../functions/v1-transaction/move-session.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { legibly } from '../../support/engine/legibly.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { aWorkspace, memoryDeps, now, operate } from '../../support/operator/operator.ts';

const engine = useEngine();
const workspace = aWorkspace();
afterAll(() => rmSync(workspace.folder, { recursive: true }));

/** Ada's: the digest of issuer and subject by the key below. */
const adas = 'user-8OBwCfXEkQTyEVnUePGS7PIVAWmscSwdNDTi0ey1xgs';
const anonymous = 'A1B2C3D4E5F6G7H8I9J0K1L2M3';
const email = 'canary@erase.example';
const bo = { customer: { name: 'canary-name', mobile: 'canary-mobile' }, vehicle: { vrm: 'canary-plate' } };
const stranger = { customer: { name: 'stranger' } };

const aStage = async () => {
  const access = { ...(await newTables(engine)), clock: () => now, random: randomBytes };
  const sessions = { ...createSessionEnds(access), ...createRevokedSessions(access) };
  const transactions = { ...readerWithoutDrift(access), ...createTransactionWriter(access) };
  await createUserKey(access, 'the key of users');
  const { deps } = memoryDeps({
    ...{ sessions, debounce: createDebounceTable(access), sentLog: createSentLog(access) },
    ...{ listing: createListingAuditor(access), recovery: createRecoveryStore(access) },
    ...{ audit: createAuditStore(access), personalData: createPersonalDataStore(access) },
    readUserKey: createUserKeyReader(access),
  });
  Object.assign(deps.transactions, transactions);
  return { access, deps, sessions, transactions };
};
type Stage = Awaited<ReturnType<typeof aStage>>;

/** Ada begins two anonymously, deletes one and signs in; then she begins two more, one of them with her address. */
const fill = async ({ access, sessions, transactions }: Stage) => {
  const create = (number: number, content: object, session: string) =>
    transactions.create(aNewTransaction({ uuid: uuidOf(number), ...content }, { session }), {
      sessionLimit: 20,
    });
  await create(1, bo, anonymous);
  await create(2, { ...bo, isDeleted: 1 }, anonymous);
  const tokens = { verify: async () => ({ ok: true, value: { id: anonymous } }) };
  const move = { to: adas, owners: [anOwner()] };
  await moveSession('token', move, {
    tokens,
    sessions,
    transactions,
    clock: () => now,
  } as unknown as MoveDeps);
  await create(3, bo, adas);
  await create(4, { guestEmail: email }, adas);
  await create(5, stranger, 'user-other');
  const detail = { uuid: uuidOf(3), ...bo };
  const answer = { status: 200, headers: {}, body: JSON.stringify(detail) };
  const facts = { bodyHash: 'b', uuid: uuidOf(3), expiresAtMs: now.getTime() + recordLifetimeMs };
  await createRequestStore(access).remember({ id: 'IDEM', answer, ...facts }, now);
};

const tableNames = ['transactions', 'listing', 'requests', 'debounce', 'partners', 'audit'] as const;

/** The items that have a text, as `requests SESSION#…`. */
const itemsWith = async ({ access }: Stage, text: string) => {
  const found: string[] = [];
  for (const name of tableNames) {
    const { Items = [] } = await engine.documents.send(
      new ScanCommand({ TableName: access[`${name}Table`] }),
    );
    const having = Items.filter((item) => JSON.stringify(item, legibly).includes(text));
    found.push(...having.map(({ pk, uuid }) => `${name} ${pk ?? uuid}`));
  }
  return found;
};

const leftOf = async (stage: Stage) => ({
  canary: await itemsWith(stage, 'canary'),
  adas: (await itemsWith(stage, adas)).toSorted(),
  anonymous: await itemsWith(stage, anonymous),
});
/** What the service needs until the last token of these sessions has expired (docs/personal-data.md). */
const onlyRecords = {
  canary: [],
  adas: [`requests SESSION#${anonymous}`, `requests SESSION#${adas}`],
  anonymous: [`requests SESSION#${anonymous}`],
};

test.each([
  ['--email canary@erase.example --same-user'],
  [`--uuid ${uuidOf(2)} --same-user`],
  ['--issuer https://id.example --subject ada'],
])(
  'S-88 S-61 S-82 after an erasure by %s no table has the user, and a restored one is erased again',
  async (who) => {
    const stage = await aStage();
    await fill(stage);
    const { access, deps, transactions } = stage;
    const TableName = access.transactionsTable;
    const { Items: former = [] } = await engine.documents.send(new ScanCommand({ TableName }));
    const before = await leftOf(stage);

    const command = ['customer', 'erase', ...who.split(' '), '--yes', '--json'];
    const erased = JSON.parse((await operate(deps, workspace.stackFile, command)).printed);
    const left = await leftOf(stage);
    const lists = await Promise.all(
      [adas, anonymous].map(async (session) => {
        const scope = { kind: 'session', session } as const;
        const page = await transactions.listWithin({ scope, filter: {}, page: 1, perPage: 20 });
        return [page.totalCount, await transactions.newestIncomplete(session)];
      }),
    );
    for (const Item of former) await engine.documents.send(new PutCommand({ TableName, Item }));
    const restored = await leftOf(stage);
    const options = { dryRun: false, record: async () => {} };
    const { erasedAgain } = await adopt(['transactions'], { ...deps, step: () => {} }, options);

    expect([before.canary.length, before.adas.length]).toEqual([5, 8]);
    expect(erased).toMatchObject({
      transactions: 4,
      copies: 1,
      sameSession: { signedIn: [], anonymous: [] },
    });
    expect(left).toEqual(onlyRecords);
    expect(lists).toEqual([
      [0, undefined],
      [0, undefined],
    ]);
    expect([restored.canary.length, erasedAgain]).toEqual([4, { transactions: 4, copies: 0 }]);
    expect(await leftOf(stage)).toEqual(onlyRecords);
    expect(await itemsWith(stage, 'stranger')).toEqual([`transactions ${uuidOf(5)}`]);
    expect(await deps.listing.audit()).toMatchObject({ entryDrift: [], counterDrift: [] });
  },
);
