import { beforeEach, describe, expect, test } from '@jest/globals';
import type { RequestRotation } from '../../../../../bin/operator/keys/rotation-request.ts';
import {
  firstRing,
  type KeyKind,
  type KeyRing,
} from '../../../../../functions/shared/domain/keys/key-ring.ts';
import { rotate } from '../../../../../functions/shared/domain/keys/rotation.ts';
import { refuse, succeed } from '../../../../../functions/shared/domain/outcome.ts';
import { begin, createPartner, json, run, stage, useTool } from '../../../../support/operator/tool.ts';

useTool();

const nowMs = Date.parse('2026-11-21T12:00:00Z');
let asked: KeyKind[];

/** What Secrets Manager and rotate-keys do together. */
const rotates: RequestRotation = async (kind) => {
  asked.push(kind);
  const ring = await stage.deps.rings.read(kind);
  const rotation = `${kind}-${asked.length}`;
  const about = { rotation, nowMs, times: { publishedMs: 600_000, verifiesForMs: 3_720_000 } };
  if (ring) await stage.deps.rings.replace(kind, rotate(ring, { kid: rotation }, about));
  return succeed(rotation);
};

const publishAll = async () => {
  const kids = { access: ['a1', 'a2'], session: ['s1', 's2'], pepper: ['0', 'p2'] };
  for (const kind of ['access', 'session', 'pepper'] as const) {
    const [first = '', second = ''] = kids[kind];
    await stage.deps.rings.replace(kind, firstRing([{ kid: first }, { kid: second }], nowMs - 3_600_000));
  }
};

beforeEach(async () => {
  asked = [];
  begin({ requestRotation: rotates });
  await publishAll();
});

const states = async () =>
  (await json('keys list')).map(({ kid, state }: { kid: string; state: string }) => `${kid} ${state}`);

describe('keys list', () => {
  test('TOK-3 shows each key with its state, and how many secrets are hashed with a pepper', async () => {
    await createPartner('acme');

    const madeAt = '2026-11-21T11:00:00.000Z';
    const signs = { state: 'signs', madeAt, signsFrom: madeAt, retiresAt: null };
    const standby = { ...signs, state: 'standby', signsFrom: null };
    expect(await json('keys list')).toEqual([
      ...[
        { kind: 'access', kid: 'a1', ...signs },
        { kind: 'access', kid: 'a2', ...standby },
      ],
      ...[
        { kind: 'session', kid: 's1', ...signs },
        { kind: 'session', kid: 's2', ...standby },
      ],
      { kind: 'pepper', kid: '0', ...signs, clientSecrets: 1 },
      { kind: 'pepper', kid: 'p2', ...standby, clientSecrets: 0 },
    ]);
  });

  test('M-09 shows until when a former key verifies, and a key that is about to sign', async () => {
    await run('keys rotate access');
    await run('keys rotate access');

    expect((await states()).slice(0, 4)).toEqual([
      ...['a1 verifies', 'a2 signs', 'access-1 will sign', 'access-2 standby'],
    ]);
    expect((await json('keys list'))[0].retiresAt).toBe('2026-11-21T13:02:00.000Z');
  });
});

const nothingRotates = () => {
  stage.deps.requestRotation = async () => refuse('rotation-unfinished');
};

describe('keys rotate', () => {
  test('TOK-3 requests one rotation, waits for it, and shows the keys of the kind', async () => {
    const keys = await json('keys rotate session');

    expect(asked).toEqual(['session']);
    expect(keys.map(({ kid }: { kid: string }) => kid)).toEqual(['s1', 's2', 'session-1']);
    expect(stage.records).toMatchObject([{ command: 'keys rotate', arguments: { kind: 'session' } }]);
  });

  test('refuses an unknown kind, and reports an unfinished rotation', async () => {
    nothingRotates();

    expect((await run('keys rotate jwt')).noted).toBe(
      '"jwt" is not a kind of key: name one of access, session, pepper.\n',
    );
    expect(await run('keys rotate access')).toMatchObject({
      exitCode: 1,
      noted: expect.stringContaining('The access key has an unfinished rotation'),
    });
  });

  test('stops waiting for a rotation that does not appear in the ring', async () => {
    stage.deps.requestRotation = async () => succeed('lost');

    expect(await run('keys rotate access')).toMatchObject({ exitCode: 1 });
  });
});

describe('keys remove', () => {
  test('M-10 removes the signing key at once: the next one signs, and a new one becomes standby', async () => {
    const said = await run('keys remove a1', 'a1');

    expect(said.printed).toBe(
      'a1 is removed. Every function knows this within 60 s.\n' +
        'Until then, usually for 20 s, a new token may be refused as well: request another one.\n',
    );
    expect(said.asked).toEqual([
      'Every access token that this key signed is refused from now on; clients fetch new ones. Type "a1" to do it: ',
    ]);
    expect((await states()).slice(0, 2)).toEqual(['a2 signs', 'access-1 standby']);
    expect(stage.records).toMatchObject([
      { command: 'keys remove', arguments: { kind: 'access', kid: 'a1' } },
    ]);
  });

  test('M-10 a former key is removed without a rotation', async () => {
    await run('keys rotate session');

    expect(await json('keys remove s1 --yes')).toEqual({
      ...{ kind: 'session', kid: 's1', removed: true, holdsWithinSeconds: 60, isFilled: true },
    });
    expect(asked).toEqual(['session']);
  });

  test('M-09 the other session keys verify as long as a session lives', async () => {
    await run('keys rotate session');
    await run('keys rotate session');

    nothingRotates();
    await run('keys remove session-2 --yes');

    const former = (await json('keys list')).find(({ kid }: { kid: string }) => kid === 's1');
    expect(former.retiresAt).toBe('2026-12-21T12:02:00.000Z');
  });

  test('TH-22 names the partners whose secrets end with a pepper, and changes nothing without a confirmation', async () => {
    await createPartner('acme');

    const said = await run('keys remove 0', 'no');

    expect(said.asked).toEqual([
      '1 client secrets are hashed with this pepper and end now, of acme. Type "0" to do it: ',
    ]);
    expect(said.noted).toBe('Nothing was changed: the typed name is another one.\n');
    expect((await stage.deps.rings.read('pepper'))?.revision).toBe(1);
    expect((await run('keys remove p2', 'no')).asked[0]).toContain(
      '0 client secrets are hashed with this pepper and end now. Type',
    );
  });

  test('TOK-6 ends the tokens of secrets that end with a pepper, when no process can issue more of them', async () => {
    const { clientId } = await createPartner('acme');
    const waits: number[] = [];
    const ended: [string, number][] = [];
    stage.deps.wait = async (ms) => void waits.push(ms);
    const { endTokens } = stage.deps.partners;
    stage.deps.partners.endTokens = async (client, fromMs) => {
      ended.push([client, waits.length]);
      return endTokens(client, fromMs);
    };

    const { noted, printed } = await run('keys remove 0 --yes');

    expect(noted).toContain('ending the tokens of acme');
    expect(printed).toContain('Secrets of acme ended with it: "partner rotate-secret" gives a new one.');
    expect(waits.at(-1)).toBe(60_000);
    expect(ended).toEqual([[clientId, waits.length]]);
    expect((await run('keys remove pepper-1 --yes')).noted).not.toContain('ending the tokens');
  });

  test.each([
    ['TOK-6 names', 'is hashed under the newest pepper until all know of its removal', '0', 'late', ['acme']],
    ['TOK-3 does not name', 'was moved to the next pepper in time', 'p2', 'moved', []],
  ])('%s whose secret %s, and ends the tokens all the same', async (_, _when, pepperId, hash, lockedOut) => {
    const { clientId } = await createPartner('acme');
    const { partners } = stage.deps;
    const secret = async () => (await partners.credentialsOf(clientId))?.secrets[0];
    const rehash = async (to: { hash: string; pepperId: string }) => {
      const former = await secret();
      if (former) await partners.rehash(clientId, former, to);
    };
    if (pepperId === '0') await rehash({ hash: 'under p2', pepperId: 'p2' });
    stage.deps.wait = () => rehash({ hash, pepperId });

    const removed = await json('keys remove 0 --yes');

    expect(removed).toMatchObject({ kind: 'pepper', kid: '0', lockedOut });
    expect((await partners.profileOf(clientId))?.tokensFromMs).toBe(nowMs + 5_000);
  });

  test('M-10 of the only key that can sign is refused, and of an unknown one as well', async () => {
    nothingRotates();
    const first = await run('keys remove a2 --yes');

    expect([first.exitCode, first.printed]).toEqual([
      1,
      'a2 is removed. Every function knows this within 60 s.\n' +
        'There is no new standby key yet: run "keys rotate access" until "keys list" shows one.\n',
    ]);
    expect((await run('keys remove a1 --yes')).noted).toBe(
      'Without a1 no key could sign: run "keys rotate" for its kind first.\n',
    );
    expect((await run('keys remove a2 --yes')).noted).toBe('There is no key "a2": "keys list" shows all.\n');
  });

  /** The ring is changed by another run right before this one changes it. */
  const changeBehind = (change: (ring: KeyRing) => KeyRing) => {
    const { rings } = stage.deps;
    const { replace } = rings;
    rings.replace = async (kind, ring) => {
      rings.replace = replace;
      const before = await rings.read(kind);
      if (before) await replace(kind, change(before));
      return replace(kind, ring);
    };
  };

  test('S-28 a concurrent rotation is kept: the removal is decided again', async () => {
    const about = { rotation: 'r', nowMs, times: { publishedMs: 0 } };
    changeBehind((ring) => rotate(ring, { kid: 'fresh' }, about));

    await run('keys remove a1 --yes');

    expect((await states()).slice(0, 2)).toEqual(['a2 signs', 'fresh standby']);
  });

  test('S-28 a key that another run removes at the same time is removed', async () => {
    changeBehind(({ revision, entries }) => ({
      revision: revision + 1,
      entries: entries.filter(({ kid }) => kid !== 'a2'),
    }));

    const { exitCode, printed } = await run('keys remove a2 --yes');

    expect([exitCode, printed]).toEqual([0, expect.stringContaining('a2 is removed.')]);
    expect((await states()).slice(0, 2)).toEqual(['a1 signs', 'access-1 standby']);
  });
});
