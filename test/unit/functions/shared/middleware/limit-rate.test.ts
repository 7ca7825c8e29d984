import { describe, expect, test } from '@jest/globals';
import { partnerPolicy } from '../../../../../functions/shared/domain/rate-limit.ts';
import { createRateLimiter } from '../../../../../functions/shared/middleware/rate-limiter.ts';
import { aV2Partner } from '../../../../support/apis/v2-partner.ts';
import { aV2Read } from '../../../../support/apis/v2-read.ts';
import { aV2Write } from '../../../../support/apis/v2-write.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';
import { uuidOf } from '../../../../support/builders/transactions.ts';
import { createMemoryRequestCounts } from '../../../../support/memory/request-counts.ts';

const list = '/api/v2/transaction';
const partner = aPartner();
const atRate = (quota: number) => ({
  partnerRate: partnerPolicy(quota),
  rates: createRateLimiter({ counts: createMemoryRequestCounts(), log: () => {} }),
});
const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

test('S-40 beyond its rate a partner gets 429 until the next minute of the clock', async () => {
  const clock = () => new Date('2026-03-01T12:00:12.250Z');
  const { get } = await aV2Read({ ...atRate(1), clock });
  await get(list);

  const { status, headers, body } = await get(list);

  expect(status).toBe(429);
  expect(headers).toMatchObject({
    'Content-Type': 'application/problem+json',
    'Retry-After': '48',
    'RateLimit-Policy': '"partner";q=1;w=60',
    RateLimit: '"partner";r=0;t=48',
  });
  expect(body).toEqual({
    type: 'https://api.example/docs/problems#too-many-requests',
    title: 'Too Many Requests',
    status: 429,
    detail: 'Too many requests. Try again after the time in Retry-After.',
    instance: '/api/v2/transaction',
    name: 'Too Many Requests',
    message: 'Too many requests. Try again after the time in Retry-After.',
    code: 0,
    requestId: 'request-1',
  });
});

describe('ERR-3 S-40 beyond the rate', () => {
  const disabled = aPartner({ clientId: 'BCDEFGHIJKLMNOPQRSTUVWXYZA', enabled: false });
  test.each([
    ['an unknown route is 404', '/nope', {}, 404],
    ['a method that is not allowed is 405', list, { method: 'DELETE' }, 405],
    ['no token is 401', list, { headers: { Authorization: '' } }, 401],
    ['a disabled partner is 401', list, as(disabled.clientId), 401],
    ['a missing OAuth scope is 403', list, as(`write.${partner.clientId}`), 403],
    ['too many levels of parameters are 429', `${list}?a[b][c][d][e]=1`, {}, 429],
    ['a bad filter is 429', `${list}?filter[nope]=1`, {}, 429],
    ['what does not exist is 429', `${list}/${uuidOf(9)}`, {}, 429],
  ])('%s', async (_, target, more, expected) => {
    const { get } = await aV2Read({ ...atRate(1), partners: [partner, disabled] });
    await get(list);

    expect((await get(target, more)).status).toBe(expected);
  });

  test('a write that is not JSON is 429, and one without the OAuth scope 403', async () => {
    const { ask } = await aV2Write({ ...atRate(1), partners: [partner] });
    await ask(`${list}/${uuidOf(9)}`, { body: {} });

    expect((await ask(`${list}/${uuidOf(9)}`, { body: '{"nope":1' })).status).toBe(429);
    const reader = { body: {}, partner: `read.${partner.clientId}` };
    expect((await ask(`${list}/${uuidOf(9)}`, reader)).status).toBe(403);
  });

  test('a replay is 429, and one without the OAuth scope 403', async () => {
    const { ask } = await aV2Partner({ ...atRate(1), partners: [partner] });
    await ask('/api/v2/partner');

    expect((await ask('/api/v2/webhook/test', { method: 'POST' })).status).toBe(429);
    const reader = `read.${partner.clientId}`;
    expect((await ask('/api/v2/webhook/test', { method: 'POST', as: reader })).status).toBe(403);
  });
});

test('S-40 a request that is refused for its token or scope is not counted, and its response has no rate headers', async () => {
  const { get } = await aV2Read({ ...atRate(1), partners: [partner] });
  for (const token of ['', `write.${partner.clientId}`]) {
    const { headers } = await get(list, as(token));
    expect(Object.keys(headers).filter((name) => name.startsWith('RateLimit'))).toEqual([]);
  }

  expect((await get(list)).status).toBe(200);
});

test.each([
  ['a page', list, {}, 200],
  ['nothing new', list, { headers: { 'If-None-Match': '*' } }, 304],
  ['the head of a page', list, { method: 'HEAD' }, 200],
  ['a bad filter', `${list}?filter[nope]=1`, {}, 422],
  ['nothing found', `${list}/${uuidOf(9)}`, {}, 404],
])(
  'S-40 %s shows the rate limit of the partner',
  async (_, target, { headers, ...more }: object & { headers?: object }, status) => {
    const { get } = await aV2Read({ ...atRate(300), partners: [partner] });
    await get(list);

    const answer = await get(target, { ...more, headers: { ...headers } });

    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'RateLimit-Policy': '"partner";q=300;w=60',
      RateLimit: '"partner";r=298;t=60',
    });
  },
);

test('S-40 a fault shows it as well', async () => {
  const reader = { listWithin: () => Promise.reject(new Error('fault')), byUuid: async () => undefined };
  const { get } = await aV2Read({ ...atRate(300), reader });

  const { status, headers } = await get(list);

  expect([status, headers.RateLimit]).toEqual([500, '"partner";r=299;t=60']);
});
