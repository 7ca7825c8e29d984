import { describe, expect, test } from '@jest/globals';
import {
  basic,
  createTokenService,
  formHeaders,
  now,
  partner,
  pepper,
  secret,
} from '../../../support/apis/token-service.ts';

const two = {
  newest: '1',
  texts: new Map([
    ['0', pepper],
    ['1', 'next pepper'],
  ]),
};

describe('the use of a client secret', () => {
  test('S-20 stores its day, with one write a day', async () => {
    let time = now;
    const service = createTokenService({ clock: () => time });
    const days: string[] = [];
    const { noteUse } = service.partners;
    service.partners.noteUse = async (...use) => {
      days.push(use[2]);
      await noteUse(...use);
    };

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

  test('S-20 a wrong secret stores no day', async () => {
    const service = createTokenService();
    await service.ask({ headers: { ...formHeaders, authorization: basic(partner.clientId, 'wrong') } });

    expect(await service.partners.usesOf(partner.clientId)).toEqual({});
  });

  test('TOK-3 rehashes the secret with the newest pepper, once; then it works without the old pepper', async () => {
    const service = createTokenService({ readPeppers: async () => two });
    const storedPepper = async () =>
      (await service.partners.credentialsOf(partner.clientId))?.secrets.map(({ pepperId }) => pepperId);
    expect(await storedPepper()).toEqual(['0']);

    expect((await service.ask()).status).toBe(200);

    expect(await storedPepper()).toEqual(['1']);
    const { partners } = service;
    const alone = { newest: '1', texts: new Map([['1', 'next pepper']]) };
    const later = createTokenService({ partners, readPeppers: async () => alone });
    expect((await later.ask()).status).toBe(200);
  });

  test('TOK-3 does not rehash a secret that has the newest pepper', async () => {
    const service = createTokenService();
    service.partners.rehash = () => Promise.reject(new Error('not expected'));

    await service.ask();

    expect(JSON.stringify(service.seen.log)).not.toContain('useNotNoted');
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
