import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { KeptCopy } from '../../../../../bin/operator/store/personal-data/personal-data-store.ts';
import type { Transaction } from '../../../../../functions/shared/domain/transaction/transaction.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../../../support/builders/transactions.ts';
import type { MemoryDeadLetters } from '../../../../support/memory/dead-letters.ts';
import type { MemoryPersonalData } from '../../../../support/memory/personal-data.ts';
import { mortalAfter } from '../../../../support/operator/mortal.ts';
import { now, operate } from '../../../../support/operator/operator.ts';
import { begin, json, run, stage, useTool, workspace } from '../../../../support/operator/tool.ts';

useTool();

const email = 'Ann@Example.org';
const [theirs, guests, nested, another] = [uuidOf(1), uuidOf(2), uuidOf(3), uuidOf(4)];
const erasing = ['customer', 'erase', '--email', email, '--yes'];
/** Ada's session: the digest of issuer and subject by `readUserKey` of the stand-ins. */
const issuer = 'https://id.example';
const adas = 'user-8OBwCfXEkQTyEVnUePGS7PIVAWmscSwdNDTi0ey1xgs';
const asAda = ['--issuer', issuer, '--subject', 'ada'];

const kept = () => stage.deps.personalData as MemoryPersonalData;
const letters = () => stage.deps.deadLetters as MemoryDeadLetters;
const aCopy = (id: string, uuid: string, content: KeptCopy['content'], madeAtMs = 0) =>
  kept().kept.push({ key: { pk: id, sk: '0' }, uuid, content, madeAtMs });

/** Three transactions of Ann, known in three ways, and one of somebody whose address has the same ending. */
const fill = async () => {
  await create(theirs, { customer: { email: 'ann@example.org' } });
  await create(guests, { guestEmail: ' ANN@example.org', extras: [{ name: 'Mats' }] });
  await create(nested, { customer: { contacts: [{ mail: 'ann@example.ORG' }] }, isDeleted: 1 });
  await create(another, { customer: { email: 'joann@example.org' }, extras: [] });
};

const eraseByUuid = (...uuids: string[]) => [
  ...['customer', 'erase', '--yes'],
  ...uuids.flatMap((uuid) => ['--uuid', uuid]),
];
const create = (
  uuid: string,
  changes: Partial<Transaction>,
  facts: Parameters<typeof aNewTransaction>[1] = {},
) => stage.deps.transactions.create(aNewTransaction({ uuid, ...changes }, facts));
const storedOf = async (uuid: string) => {
  const stored = await stage.deps.transactions.byUuid(uuid);
  if (!stored) throw new Error(`There is no ${uuid}`);
  return stored;
};
const erasedAtMsOf = async (uuid: string) => (await storedOf(uuid)).erasedAtMs;
const keptIds = () => kept().kept.map(({ key }) => key.pk);
const erasures = () => stage.deps.personalData.erasures;

/** An erasure that dies before the first of what it found; then the first one becomes Bo's, and Bo is notified of it. */
const dyingBeforeItIsBos = async () => {
  const { transactions } = stage.deps;
  const dead = mortalAfter(0)(transactions, ['replace']);
  await operate({ ...stage.deps, transactions: dead }, workspace.stackFile, [...erasing]);
  const found = await storedOf(theirs);
  const customer = { email: 'bo@example.org' };
  const transaction = { ...found.transaction, customer };
  const later = { version: 2, updatedAtMs: now.getTime() + 1, transaction };
  await transactions.replace(found, { ...found, ...later });
  aCopy("Bo's", theirs, { uuid: theirs, customer }, now.getTime() + 1);
};

describe('S-61 customer erase', () => {
  beforeEach(fill);

  test('S-61 deletes and empties every transaction with the address, in any spelling, and no others', async () => {
    const erased = await json(erasing);

    const { transaction, version, erasedAtMs } = await storedOf(guests);
    expect(erased).toMatchObject({ transactions: 3, mentionedIn: [] });
    expect({ transaction, version, erasedAtMs }).toEqual({
      transaction: {
        ...{ uuid: guests, status: 0, editable: true, isDeleted: 1, ndMeta: anOwner() },
        priceAdjustment: { payment: false, priceRule: false },
        ...{ externalRedirect: 0, incentive: false, document_id: null, preselectedPaymentMethod: '' },
        ...{ referrerUrl: '', guestEmail: null },
      },
      version: 2,
      erasedAtMs: now.getTime(),
    });
    expect((await storedOf(another)).version).toBe(1);
    // Partners are notified of a deletion, but not of one that was sent before.
    const own = async (uuid: string) => (await storedOf(uuid)).elementVersions.own;
    expect([await own(theirs), await own(nested)]).toEqual([2, 1]);
  });

  test('S-61 copies are erased with their transaction, and if they name an earlier customer; tombstones stay', async () => {
    aCopy('of theirs', theirs, { uuid: theirs, customer: { email: 'ann@example.org' } });
    aCopy('earlier', another, { uuid: another, customer: { email: 'ann@example.org' } });
    aCopy('of another', another, { uuid: another, customer: { email: 'joann@example.org' } });
    aCopy('deletion', theirs, { uuid: theirs, status: 0, ndMeta: {}, isDeleted: 1 });

    const erased = await json(erasing);

    expect(erased).toMatchObject({ copies: 2, mentionedIn: [another] });
    expect(keptIds()).toEqual(['of another', 'deletion']);
  });

  test('S-61 uncollected dead letters are erased as well, by their content or their text', async () => {
    const letterOf = (detail: object) =>
      JSON.stringify({ id: 'b', detail: { to: 'p', message: { detail }, delivery: { id: 'e' } } });
    const kept = [
      letterOf({ uuid: another, customer: { email: 'joann@example.org' }, note: 'ann@example.org' }),
      letterOf({ uuid: theirs, status: 0, ndMeta: {}, isDeleted: 1 }),
      'cut off: {"customer":{"email":"bo@',
      'cut off: {"customer":{"email":"joann@example.org"',
    ];
    letters().letters = [
      letterOf({ uuid: theirs, vehicle: {} }),
      letterOf({ uuid: another, customer: { email: 'Ann@example.org' } }),
      'cut off: {"customer":{"email":"ANN@example.org"',
      `cut off: {"uuid":"${guests}"`,
      ...kept,
    ];

    const erased = await json(erasing);

    expect(erased).toMatchObject({ deadLetters: 4, deadLettersLeft: 4 });
    expect(letters().letters).toEqual(kept);
  });

  test.each([
    ['replace', erasing],
    ['eraseCopy', erasing],
    ['end', erasing],
    ['end', eraseByUuid(theirs)],
  ])('S-61 S-82 a command that died in %s is continued by the same command: %j', async (dying, command) => {
    aCopy('of theirs', theirs, { uuid: theirs, vehicle: {} });
    const whole = stage.deps;
    const mortal = mortalAfter(0);
    const personalData = {
      ...whole.personalData,
      eraseCopy: mortal(whole.personalData, [dying]).eraseCopy,
      erasures: mortal(whole.personalData.erasures, [dying]),
    };
    const transactions = mortal(whole.transactions, [dying]);

    const died = await operate({ ...whole, transactions, personalData }, workspace.stackFile, [...command]);
    await run([...command]);

    expect(died).toMatchObject({ exitCode: 1, noted: expect.stringContaining('It died here') });
    expect((await storedOf(theirs)).transaction.customer).toBeUndefined();
    expect(kept().kept).toEqual([]);
    expect([...kept().receipts.values()]).toHaveLength(1);
  });

  test('S-61 a transaction that names another customer when the person confirms is left as it is', async () => {
    const { transactions, personalData } = stage.deps;
    const { copies } = personalData;
    personalData.copies = async function* (onScan) {
      const found = await storedOf(theirs);
      const transaction = { ...found.transaction, customer: { email: 'bo@example.org' } };
      if (found.version === 1) await transactions.replace(found, { ...found, version: 2, transaction });
      yield* copies(onScan);
    };

    const erased = await json(erasing);

    expect(erased).toMatchObject({ transactions: 2 });
    expect(await storedOf(theirs)).toMatchObject({ version: 2, transaction: { isDeleted: 0 } });
    expect(await erasures().all()).toMatchObject([{ uuids: [guests, nested] }]);
  });

  test.each([
    ['left by the same command', erasing, { transactions: 2, copies: 0 }, ["Bo's"]],
    ['left by a reapplication', ['customer', 'reapply'], { transactions: 2, copies: 0 }, ["Bo's"]],
    ['erased where its uuid is named', [...erasing, '--uuid', theirs], { transactions: 3, copies: 1 }, []],
  ])(
    'S-82 a transaction that an interrupted erasure found, and that belongs to another customer since, is %s',
    async (_, args, counts, left) => {
      await dyingBeforeItIsBos();

      const erased = await json([...args]);

      expect(erased).toMatchObject(counts);
      expect(keptIds()).toEqual(left);
      const { version, transaction } = await storedOf(theirs);
      expect([version, transaction.customer]).toEqual(
        left.length > 0 ? [2, { email: 'bo@example.org' }] : [3, undefined],
      );
    },
  );

  test('S-82 a transaction that belongs to another customer since is erased again if an erasure of its uuid is listed, too', async () => {
    await dyingBeforeItIsBos();
    await erasures().add({ atMs: now.getTime(), uuids: [theirs] });

    expect(await json('customer reapply')).toMatchObject({ transactions: 3 });
  });

  test('S-82 reapply erases restored data without the address', async () => {
    const digest = (await erasures().digester())('ann@example.org');
    await create(uuidOf(5), {}, { updatedAtMs: now.getTime() });
    await erasures().add({ atMs: now.getTime(), digest, uuids: [uuidOf(5)] });

    expect(await json('customer reapply')).toMatchObject({ transactions: 4 });
  });

  test('S-82 reapply erases copies of emptied transactions that still belong to the customer', async () => {
    await run(`customer erase --uuid ${guests} --yes`);
    const digest = (await erasures().digester())('ann@example.org');
    kept().erasures.all = async () => [{ id: 'AT#1', atMs: -1, digest, uuids: [theirs, guests] }];
    aCopy('of the emptied', guests, { uuid: guests, vehicle: {} });

    expect(await json('customer reapply')).toEqual({ transactions: 1, copies: 1 });
  });

  test('S-61 a concurrent change is erased as well', async () => {
    const { transactions } = stage.deps;
    let isFirst = true;
    const replace: typeof transactions.replace = async (before, after) => {
      if (isFirst) await transactions.replace(before, { ...before, version: before.version + 1 });
      isFirst = false;
      return transactions.replace(before, after);
    };
    stage.deps.transactions = { ...transactions, replace };

    await run(erasing);

    expect(await storedOf(theirs)).toMatchObject({ version: 3, transaction: { isDeleted: 1 } });
  });

  const [digest, hers] = [expect.any(String), [theirs, guests, nested]];
  test.each([
    [erasing, '3 transactions (1 deleted, 0 complete)', 'ann@example.org', { customer: digest }, hers],
    [eraseByUuid(theirs), '1 transaction (0 deleted, 0 complete)', theirs, { uuids: [theirs] }, [theirs]],
  ])(
    'TH-22 S-28 %j shows what it found and asks; nothing has the address',
    async (command, found, name, recorded, uuids) => {
      const refused = await run(command.toSpliced(command.indexOf('--yes'), 1), 'somebody');
      await run(command);

      const listed = await erasures().all();
      expect(refused.asked).toEqual([
        `${found} and 0 copies of them will be erased permanently. Type "${name}" to do it: `,
      ]);
      expect(stage.records.map((one) => one.arguments)).toEqual([recorded, recorded]);
      expect(JSON.stringify([stage.records, listed]).toLowerCase()).not.toContain('ann@');
      expect(listed).toMatchObject([{ atMs: now.getTime(), uuids }]);
    },
  );

  test('S-61 an unknown address is reported, with what could not be searched; nothing is listed as erased', async () => {
    aCopy('of another', another, { uuid: another, customer: { email: 'joann@example.org' } });

    const ofNobody = ['customer', 'erase', '--email', 'anne@example.org', '--yes'];
    const sentence = 'Nobody with this address was found: nothing was erased.';

    expect(await run(ofNobody)).toMatchObject({ exitCode: 1, noted: `${sentence}\n`, asked: [] });
    letters().letters = ['cut off: {"customer":{"email":"anne@'];
    expect((await run(ofNobody)).noted).toBe(
      `${sentence} Not searched, because they are in their queue: about 1 dead letter, of any customer. Try again when it is empty.\n`,
    );
    expect(await erasures().all()).toEqual([]);
  });
});

describe('S-82 customer erase reaches every customer', () => {
  beforeEach(fill);

  test('S-82 --uuid erases those transactions, with or without an e-mail address, and no others', async () => {
    await create(uuidOf(5), { customer: { firstName: 'Ann' } });
    aCopy('first name', uuidOf(5), { uuid: uuidOf(5), customer: { firstName: 'Ann' } });
    aCopy('vehicle', uuidOf(5), { uuid: uuidOf(5), vehicle: { make: 'Mini' } });
    aCopy('of another', another, { uuid: another, customer: { firstName: 'Jo' } });
    letters().letters = [`{"uuid":"${uuidOf(5)}"`, `{"uuid":"${another}"`];

    const erased = await json(eraseByUuid(uuidOf(5), guests));

    expect(erased).toMatchObject({ transactions: 2, copies: 2, deadLetters: 1, mentionedIn: [] });
    expect(await Promise.all([uuidOf(5), guests, theirs, another].map(erasedAtMsOf))).toEqual([
      ...[now.getTime(), now.getTime()],
      ...[undefined, undefined],
    ]);
    expect(keptIds()).toEqual(['of another']);
    expect(letters().letters).toEqual([`{"uuid":"${another}"`]);
  });

  test('S-61 S-82 --email and --uuid together erase what either names, so that nothing can be restored', async () => {
    await create(uuidOf(5), { customer: { firstName: 'Ann' } });

    const erased = await json([...eraseByUuid(uuidOf(5)), '--email', email]);

    expect(erased).toMatchObject({ transactions: 4 });
    expect(await erasures().all()).toMatchObject([
      { digest: expect.any(String), uuids: [theirs, guests, nested, uuidOf(5)] },
    ]);
    expect((await run(`transactions restore ${theirs}`)).noted).toBe(
      `The transaction ${theirs} was erased with its customer: nothing of it is kept.\n`,
    );
  });

  test.each([
    [
      ['--uuid', theirs, '--uuid', uuidOf(9)],
      `There is no transaction ${uuidOf(9)}, and no copy of one: nothing was done.`,
    ],
    [
      ['--same-user'],
      'Name the customer by --email or by --issuer and --subject, their transactions by --uuid, or several of these.',
    ],
    [['--issuer', issuer], '--issuer and --subject belong together: give both, or neither.'],
    [
      ['--email', 'ann', '--subject', 'ada'],
      '--issuer and --subject belong together: give both, or neither.',
    ],
    [['--email', 'ann'], '--email is one address, such as ann@example.org; --uuid needs none.'],
  ])('S-82 %j is refused, and nothing is erased', async (options, sentence) => {
    const { exitCode, noted } = await run(['customer', 'erase', '--yes', ...options]);

    expect([exitCode, noted]).toEqual([1, expect.stringContaining(`${sentence}\n`)]);
    expect(await erasedAtMsOf(theirs)).toBeUndefined();
  });

  test('S-82 an erasure by uuid that is repeated changes nothing more', async () => {
    await run(eraseByUuid(theirs));

    const { asked } = await run(`customer erase --uuid ${theirs}`, theirs);

    expect(asked).toEqual([expect.stringContaining('0 transactions and 0 copies of them will be erased')]);
    expect((await storedOf(theirs)).version).toBe(2);
  });

  test('S-82 --uuid of one that was erased by its address says nothing of the others that had this address', async () => {
    await run(erasing);
    aCopy('of theirs', theirs, { uuid: theirs, vehicle: { make: 'Mini' } });
    aCopy('of guests', guests, { uuid: guests, vehicle: { make: 'Ford' } });
    const file = join(workspace.folder, 'theirs.json');

    const exported = await json(['customer', 'export', file, '--yes', '--uuid', theirs]);
    await run(eraseByUuid(theirs));

    expect([exported.copies, readFileSync(file, 'utf8').includes('Ford')]).toEqual([1, false]);
    expect(keptIds()).toEqual(['of guests']);
  });
});

describe('S-82 transactions with the address', () => {
  test('S-82 copies of a transaction that a restored table lacks are erased by its uuid', async () => {
    aCopy('of one that is gone', uuidOf(5), { uuid: uuidOf(5), customer: { firstName: 'Ann' } });

    expect(await json(eraseByUuid(uuidOf(5)))).toMatchObject({ transactions: 0, copies: 1 });
    expect(kept().kept).toEqual([]);
  });

  test('S-82 a transaction of others that mentions the address, now or in a copy, stays, and the commands that show and erase it are printed', async () => {
    const someone = { email: 'jo@example.org' };
    await create(another, { customer: someone, extras: [{ name: 'For ann@example.org' }] });
    await create(uuidOf(6), { customer: someone });
    aCopy('earlier', uuidOf(6), { uuid: uuidOf(6), extras: [{ name: 'For ann@example.org' }] });

    const { noted } = await run(erasing);

    expect(noted).toContain(
      'The address is also mentioned in 2 transactions of others, now or in a copy that is kept. Data of other customers is not changed.\n' +
        `Look at them:                      customer export others.json --uuid ${another} --uuid ${uuidOf(6)}\n` +
        `Erase those of the same customer:  customer erase --uuid ${another} --uuid ${uuidOf(6)}\n`,
    );
    expect([await erasedAtMsOf(another), keptIds()]).toEqual([undefined, ['earlier']]);
  });

  test('S-82 an address is found by its digest, in any spelling of the restored table', async () => {
    await create(guests, { customer: { email } });
    await run('customer erase --email ANN@Example.org. --yes');
    await create(theirs, { guestEmail: 'Ann <ann＠example.org>' });

    expect(await json('customer reapply')).toEqual({ transactions: 1, copies: 0 });
  });
});

describe('S-88 transactions of one session', () => {
  const [old, deleted, tablets] = [uuidOf(11), uuidOf(12), uuidOf(13)];
  const bo = { customer: { name: 'Bo', mobile: '0777 canary' } };

  /**
   * Ada's session has one with Ann's address, one of Bo, and one that Ada deleted before signing in, whose session has moved.
   * A tablet has another one with the address, and one of Bo. Another user has one.
   */
  const fillSessions = async () => {
    await create(theirs, { customer: { email } }, { session: adas });
    await create(old, bo, { session: adas });
    await create(deleted, { ...bo, isDeleted: 1 }, { session: 'before' });
    await create(guests, { guestEmail: email }, { session: 'tablet' });
    await create(tablets, bo, { session: 'tablet' });
    await create(another, bo, { session: 'user-other' });
    await stage.sessions.endBySignIn('before', adas, now);
    aCopy('of the old', old, { uuid: old, customer: { name: 'Bo' } });
  };
  beforeEach(fillSessions);

  const erasedOf = async () => {
    const all = [theirs, old, deleted, guests, tablets, another];
    const erased = await Promise.all(all.map(async (uuid) => (await erasedAtMsOf(uuid)) !== undefined));
    return all.filter((_, index) => erased[index]);
  };

  test('S-88 the others are named with the commands that show and erase them, before the question, and stay', async () => {
    const file = join(workspace.folder, 'others.json');
    const { printed } = await run(['customer', 'export', file, '--yes', '--email', email]);
    const { noted, asked } = await run(['customer', 'erase', '--email', email], 'ann@example.org');

    const [ofUser, ofTablet] = [`--uuid ${old} --uuid ${deleted}`, `--uuid ${tablets}`];
    expect(noted).toBe(
      'Of the same signed-in user, and not included without --same-user: 2 transactions.\n' +
        `Look at them:                      customer export others.json ${ofUser}\n` +
        `Erase those of the same customer:  customer erase ${ofUser}\n` +
        'Of the same anonymous session, perhaps of another person, and not included: 1 transaction.\n' +
        `Look at them:                      customer export others.json ${ofTablet}\n` +
        `Erase those of the same customer:  customer erase ${ofTablet}\n`,
    );
    expect(printed).toContain(noted);
    expect(asked).toEqual([expect.stringContaining('2 transactions (0 deleted, 0 complete)')]);
    expect([await erasedOf(), keptIds()]).toEqual([[theirs, guests], ['of the old']]);
  });

  test('S-88 who then does not confirm has been told of the others, and nothing is erased', async () => {
    const { exitCode, noted, asked } = await run(['customer', 'erase', '--email', email], 'no');

    expect([exitCode, asked.length, await erasedOf()]).toEqual([1, 1, []]);
    expect(noted).toContain('not included without --same-user: 2 transactions.');
    expect(noted).toContain('of another person, and not included: 1 transaction.');
  });

  test.each<[string, string[], string[], object]>([
    ['--email', ['--email', email], [theirs, guests], { signedIn: [old, deleted], anonymous: [tablets] }],
    [
      '--email --same-user',
      ['--email', email, '--same-user'],
      [theirs, old, deleted, guests],
      { signedIn: [], anonymous: [tablets] },
    ],
    ['--uuid', ['--uuid', old], [old], { signedIn: [theirs, deleted], anonymous: [] }],
    [
      '--uuid of one deleted before the sign-in, --same-user',
      ['--uuid', deleted, '--same-user'],
      [theirs, old, deleted],
      { signedIn: [], anonymous: [] },
    ],
    [
      '--uuid of an anonymous session, --same-user',
      ['--uuid', tablets, '--same-user'],
      [tablets],
      { signedIn: [], anonymous: [guests] },
    ],
    ['--issuer --subject', asAda, [theirs, old, deleted], { signedIn: [], anonymous: [] }],
    [
      '--issuer --subject --email',
      [...asAda, '--email', email],
      [theirs, old, deleted, guests],
      { signedIn: [], anonymous: [tablets] },
    ],
  ])('S-88 S-62 export and erase with %s concern the same transactions', async (_, who, found, left) => {
    const file = join(workspace.folder, 'same.json');

    const exported = await json(['customer', 'export', file, '--yes', ...who]);
    const erased = await json(['customer', 'erase', '--yes', ...who]);

    const { transactions } = JSON.parse(readFileSync(file, 'utf8'));
    expect(transactions.map(({ uuid }: { uuid: string }) => uuid).sort()).toEqual(found.toSorted());
    expect([exported, erased]).toMatchObject(
      [0, 1].map(() => ({ transactions: found.length, sameSession: left, mentionedIn: [] })),
    );
    expect(await erasedOf()).toEqual(found);
  });

  test.each(['export', 'erase'])(
    'S-88 %s with --same-user is refused if the address is in transactions of two users, since it may be the address of one',
    async (command) => {
      const [gift, bos] = [uuidOf(8), uuidOf(9)];
      await create(gift, { customer: { email } }, { session: 'user-bo' });
      await create(bos, { customer: { email: 'bo@example.org' } }, { session: 'user-bo' });
      const file = join(workspace.folder, 'two-users.json');
      const target = command === 'export' ? [file] : [];

      const { exitCode, noted } = await run([
        ...['customer', command, ...target, '--yes', '--email', email, '--same-user'],
      ]);

      expect([exitCode, noted]).toEqual([
        1,
        expect.stringContaining(
          'The transactions found are of 2 signed-in users, so --same-user could include another person. Nothing was done: name the user by --issuer and --subject, or the transactions by --uuid.\n',
        ),
      ]);
      expect([existsSync(file), await erasedAtMsOf(gift), await erasedAtMsOf(bos)]).toEqual([
        ...[false, undefined, undefined],
      ]);
      expect(await erasedOf()).toEqual([]);
    },
  );

  test('S-88 S-82 one that is included is not reported as mentioning the address', async () => {
    const stored = await storedOf(old);
    const transaction = { ...stored.transaction, extras: [{ name: 'For ann@example.org' }] };
    await stage.deps.transactions.replace(stored, { ...stored, version: 2, transaction });

    const file = join(workspace.folder, 'mentions.json');
    const alone = await json(['customer', 'export', file, '--email', email]);
    const together = await json([...erasing, '--same-user']);

    expect([alone.mentionedIn, together.mentionedIn]).toEqual([[old], []]);
  });

  test('S-88 a user without transactions is reported, and nothing is listed as erased', async () => {
    const { exitCode, noted } = await run([
      'customer',
      'erase',
      '--issuer',
      `${issuer}/`,
      '--subject',
      'ada',
    ]);

    expect([exitCode, noted, await erasures().all()]).toEqual([
      ...[1, 'Nobody with this issuer and subject was found: nothing was erased.\n', []],
    ]);
  });

  test('S-88 S-28 an audit record and the list of erasures have neither user nor session', async () => {
    await run(['customer', 'erase', ...asAda, '--same-user'], 'ada');

    expect(await erasedOf()).toEqual([theirs, old, deleted]);
    expect(stage.records.map((one) => one.arguments)).toEqual([
      { user: expect.stringContaining('digest of'), sameUser: true },
    ]);
    expect(JSON.stringify([stage.records, await erasures().all()])).not.toMatch(/"ada"|id\.example|user-/);
  });

  test.each([
    ['--email', ['--email', email, '--same-user'], [theirs, old, deleted, guests]],
    ['--uuid', ['--uuid', theirs, '--same-user'], [theirs, old, deleted]],
    ['--issuer', asAda, [theirs, old, deleted]],
  ])('S-88 by %s, a run that died anywhere is continued by the same command', async (_, who, found) => {
    for (let changes = 0; ; changes += 1) {
      begin();
      await fillSessions();
      const { transactions, personalData } = stage.deps;
      const mortal = mortalAfter(changes);
      const dying = {
        ...stage.deps,
        transactions: mortal(transactions, ['replace']),
        personalData: mortal(personalData, ['eraseCopy']),
      };
      const command = ['customer', 'erase', '--yes', ...who];
      const died = await operate(dying, workspace.stackFile, command);
      await run(command);

      expect([changes, await erasedOf(), keptIds()]).toEqual([changes, found, []]);
      if (died.exitCode === 0) break;
      expect(changes).toBeLessThan(10);
    }
  });
});

describe('S-61 customer reapply', () => {
  beforeEach(fill);

  test('S-61 erases restored data again, and leaves later data of the customer', async () => {
    await run(erasing);
    const later = { createdAtMs: now.getTime() - 1, updatedAtMs: now.getTime() + 1 };
    const erased = await storedOf(theirs);
    const { erasedAtMs: _, ...restored } = erased;
    const transaction = { ...restored.transaction, isDeleted: 0 as const };
    await stage.deps.transactions.replace(erased, { ...restored, transaction });
    await create(uuidOf(5), { customer: { email } });
    await create(uuidOf(6), { customer: { email } }, later);
    await create(uuidOf(7), { customer: { email } }, { ...later, updatedAtMs: now.getTime() });
    aCopy('old', another, { customer: { email } }, now.getTime() - 1);
    aCopy('new', uuidOf(6), { customer: { email } }, now.getTime() + 1);

    const again = await json('customer reapply');

    expect(again).toEqual({ transactions: 3, copies: 1 });
    expect((await storedOf(uuidOf(6))).transaction.customer).toEqual({ email });
    expect(await erasedAtMsOf(uuidOf(7))).toBe(now.getTime());
    expect(keptIds()).toEqual(['new']);
  });

  test('S-82 erases transactions again that were erased by uuid, even changed ones, and nothing else', async () => {
    await erasures().add({ atMs: -1, uuids: [another] });
    aCopy('of another', another, { customer: { firstName: 'Jo' } });
    aCopy('of theirs', theirs, { customer: { email } });

    expect(await json('customer reapply')).toEqual({ transactions: 1, copies: 1 });

    expect(await erasedAtMsOf(another)).toBe(now.getTime());
    expect(keptIds()).toEqual(['of theirs']);
  });
});

describe('S-62 customer export', () => {
  beforeEach(fill);

  test('S-62 has all data of the customer in one file, and says what could not be searched', async () => {
    aCopy('of theirs', theirs, { uuid: theirs, vehicle: { make: 'Mini' } }, now.getTime());
    letters().letters = ['one', 'two'];
    const file = join(workspace.folder, 'ann.json');
    const exporting = ['customer', 'export', file, '--email', email];

    const exported = await json(exporting);

    const document = JSON.parse(readFileSync(file, 'utf8'));
    const counts = { transactions: 3, copies: 1, deadLettersNotSearched: 2 };
    const left = { mentionedIn: [], sameSession: { signedIn: [], anonymous: [] } };
    expect(exported).toEqual({ file, ...counts, ...left });
    expect((await run([...exporting, '--yes'])).printed).toContain(
      'Not searched, because they are in their queue: about 2 dead letters, of any customer.',
    );
    expect(document.transactions.map(({ uuid }: { uuid: string }) => uuid)).toEqual([theirs, guests, nested]);
    expect(document).toMatchObject({
      email: 'ann@example.org',
      exportedAt: '2026-11-21T12:00:00.000Z',
      copies: [{ transaction: theirs, content: { vehicle: { make: 'Mini' } } }],
      notifiedTo: [],
      deadLettersNotSearched: 2,
    });
    expect(stage.records[0]).toMatchObject({ command: 'customer export' });
  });

  test('S-62 S-82 has nothing of a transaction that an interrupted erasure left and that is another customer’s since', async () => {
    await dyingBeforeItIsBos();
    const file = join(workspace.folder, 'left.json');

    expect(await json(['customer', 'export', file, '--email', email])).toMatchObject({ copies: 0 });
  });

  test('S-62 an unknown address writes no file', async () => {
    const file = join(workspace.folder, 'nobody.json');

    const { exitCode, noted } = await run(['customer', 'export', file, '--email', 'anne@example.org']);

    expect([exitCode, noted]).toEqual([1, 'Nobody with this address was found: no file was written.\n']);
    expect(existsSync(file)).toBe(false);
  });

  test('S-62 S-82 has the transactions that --uuid names, without an address', async () => {
    aCopy('of another', another, { uuid: another, vehicle: { make: 'Mini' } });
    const file = join(workspace.folder, 'named.json');

    await json(`customer export ${file} --uuid ${another}`);

    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      email: null,
      transactions: [{ uuid: another, customer: { email: 'joann@example.org' } }],
      copies: [{ transaction: another, content: { vehicle: { make: 'Mini' } } }],
    });
  });
});
