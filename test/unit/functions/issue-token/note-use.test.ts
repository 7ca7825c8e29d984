import { describe, expect, test } from '@jest/globals';
import {
  basic,
  createTokenService,
  formHeaders,
  partner,
  pepper,
  secret,
} from '../../../support/apis/token-service.ts';

describe('the use of a client secret', () => {
  test('S-20 leaves its day, with one write a day; a wrong secret leaves none', async () => {
    let time = new Date('2026-11-20T12:00:00Z');
    const service = createTokenService({ clock: () => time });
    const days: string[] = [];
    const { noteUse } = service.partners;
    service.partners.noteUse = async (...use) => {
      days.push(use[2]);
      await noteUse(...use);
    };

    await service.ask({ headers: { ...formHeaders, authorization: basic(partner.clientId, 'wrong') } });
    for (const moment of ['12:00:00', '23:59:59']) {
      time = new Date(`2026-11-21T${moment}Z`);
      await service.ask();
      await service.ask({ path: '/oauth2/introspect', body: 'token=a' });
    }
    time = new Date('2026-11-22T00:00:00Z');
    await service.ask();

    expect(days).toEqual(['2026-11-21', '2026-11-22']);
    expect(await service.partners.usesOf(partner.clientId)).toEqual({ s1: '2026-11-22' });
  });

  test('TOK-3 rehashes the secret with the newest pepper, once; then it works without the old pepper', async () => {
    const next = new Map([['1', 'next pepper']]);
    const both = { newest: '1', texts: new Map([['0', pepper], ...next]) };
    const { ask, partners, seen } = createTokenService({ readPeppers: async () => both });

    await ask();
    partners.rehash = () => Promise.reject(new Error('made again'));
    await ask();

    expect(JSON.stringify(seen.log)).not.toContain('useNotNoted');
    const { secrets = [] } = (await partners.credentialsOf(partner.clientId)) ?? {};
    expect(secrets.map(({ pepperId }) => pepperId)).toEqual(['1']);
    const readPeppers = async () => ({ newest: '1', texts: next });
    expect((await createTokenService({ partners, readPeppers }).ask()).status).toBe(200);
  });

  test('S-20 that cannot be stored is logged, and the client gets its token', async () => {
    const service = createTokenService();
    service.partners.noteUse = () => Promise.reject(new Error('no room'));

    expect((await service.ask()).status).toBe(200);
    expect(service.seen.log).toContainEqual({
      name: 'useNotNoted',
      facts: { clientId: partner.clientId },
      fault: 'Error: no room',
    });
    expect(JSON.stringify(service.seen.log)).not.toContain(secret);
  });
});
