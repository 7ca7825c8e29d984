import { describe, expect, test } from '@jest/globals';
import { generateKey } from '../../../functions/rotate-keys/key-material.ts';
import { tokenIdOf } from '../../../functions/shared/domain/token-standing.ts';
import { createRingStore } from '../../../functions/shared/store/keys/ring-store.ts';
import { createPartnerNotes } from '../../../functions/shared/store/partners/notes.ts';
import { createDenylistWriter } from '../../../functions/shared/store/requests/denylist.ts';
import type { Ask } from '../builders/http-event.ts';
import { aRing, heldKeys } from '../builders/key-rings.ts';
import { refusal } from './aws.ts';
import { askingOf, type UsedFunctions } from './use-functions.ts';

/** A function of V2, and a request that it answers with this status where its caller may make it. */
export type PartnerApi = { name: string; target: string; ask: Ask; status: number };

/** The tests of what each function of V2 does before a request is its own. They end all tokens, so they come last in a file. */
export const provePartnerApi = (functions: UsedFunctions, { name, target, ask, status }: PartnerApi) => {
  const start = async (perMinute = '300') => {
    const asking = askingOf(await functions.start(name, { PARTNER_REQUESTS_PER_MINUTE: perMinute }));
    return async (token: string, path = target) =>
      asking(path, { ...ask, headers: { ...ask.headers, Authorization: `Bearer ${token}` } });
  };
  const token = () => functions.place.signToken();
  const statusesOf = async (request: (token: string) => Promise<{ status: number }>, count: number) => {
    const statuses: number[] = [];
    for (let n = 0; n < count; n += 1) statuses.push((await request(await token())).status);
    return statuses;
  };

  describe(`${name} as every function of V2`, () => {
    test('S-40 all tokens of a partner have one rate over all processes, whose count the table has', async () => {
      const [first, second] = [await start('31'), await start('31')];
      functions.pass(60 - ((Date.now() / 1000) % 60) + 12);

      expect(await statusesOf(first, 31)).toEqual(Array(31).fill(status));
      const refused = await first(await token());
      expect(await statusesOf(second, 30)).toEqual([...Array(29).fill(status), 429]);

      expect([refused.status, refused.headers]).toMatchObject([
        429,
        { 'RateLimit-Policy': '"partner";q=31;w=60', RateLimit: '"partner";r=0;t=48', 'Retry-After': '48' },
      ]);
      expect(functions.logged('HTTP_ANSWERED')[0]).toMatchObject({ service: name, status });
    });

    test('S-40 requests that cannot be counted are answered, and the log says so', async () => {
      const request = await start('31');
      functions.aws.interfere(({ target, body }) =>
        target.endsWith('.UpdateItem') && body.includes('RATE#') ? refusal('InternalServerError') : undefined,
      );

      const statuses = await statusesOf(request, 30);
      functions.aws.interfere();

      expect(statuses).toEqual(Array(30).fill(status));
      expect(functions.logged('RATE_NOT_COUNTED')).toMatchObject([
        { service: name, clientId: functions.place.clientId },
      ]);
    });

    test('ERR-1 what a problem is, the stage’s own document says', async () => {
      const request = await start();

      const { body } = await request(await token(), '/api/v2/nothing');

      expect(body.type).toBe('https://api.example/docs/problems#not-found');
    });

    test('M-11 R-30 a token of another issuer, audience or key, or of an hour ago, is none', async () => {
      const request = await start();
      const { signToken } = functions.place;
      const stranger = await heldKeys([await generateKey('RS256')]).active();
      const old = await token();
      functions.pass(3_600 + 61);

      const answers = [
        await request(await signToken({ issuer: 'https://api.example' })),
        await request(await signToken({ audience: 'https://auth.example' })),
        await request(await signToken({ key: stranger })),
        await request(old),
        await request(await token()),
      ];

      expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401, 401, status]);
      expect(answers[0]?.headers['WWW-Authenticate']).toBe(
        'Bearer realm="api", error="invalid_token", resource_metadata="https://resource.example/.well-known/oauth-protected-resource/api/v2"',
      );
    });

    test('V-01 a token that was revoked is none, and another of its partner is one', async () => {
      const request = await start();
      const { documents } = functions;
      const jti = tokenIdOf('s1', 'revoked');
      const revoked = await functions.place.signToken({ jti });
      const denylist = createDenylistWriter({ documents, requestsTable: 'Requests' });
      await denylist.add({ jti, expiresAtMs: Date.now() + 3_600_000 });
      await createPartnerNotes({ documents, partnersTable: 'Partners' }).noteRevocation(
        functions.place.clientId,
        Date.now(),
      );

      expect([(await request(revoked)).status, (await request(await token())).status]).toEqual([401, status]);
    });

    test('M-10 a key that retires is none from that moment on, as the ring says that was read within 20 s', async () => {
      const request = await start();
      const { documents, place } = functions;
      expect((await request(await token())).status).toBe(status);
      const ring = aRing([place.key]);
      const retiresAtMs = Date.now() + 30_000;
      await createRingStore({ documents, partnersTable: 'Partners' }).replace('access', {
        ...ring,
        revision: 2,
        entries: ring.entries.map((entry) => ({ ...entry, retiresAtMs })),
      });

      functions.pass(21);
      const before = await request(await token());
      functions.pass(9);
      const after = await request(await token());

      expect([before.status, after.status]).toEqual([status, 401]);
    });
  });
};
