import { describe, expect, test } from '@jest/globals';
import { requestOf } from '../../../../../localstack/eventbridge/delivery/request.ts';
import type { RuleTarget } from '../../../../../localstack/eventbridge/records.ts';

const detail = {
  to: 'P1',
  message: { id: 'e1', detail: { price: '1.00', list: [1, null], name: 'Zoë' } },
  delivery: { id: 'e1', from: '0', to: '3', omitted: '' },
};
const event = JSON.stringify({ version: '0', id: 'bus-1', source: 'svc', 'detail-type': 'T', detail });
const target: RuleTarget = {
  ...{ Id: 'partner', Arn: 'arn:destination', RoleArn: 'arn:role', InputPath: '$.detail.message' },
  HttpParameters: {
    HeaderParameters: {
      'Idempotency-Key': '$.detail.delivery.id',
      'X-Transaction-From-Version': '$.detail.delivery.from',
      'X-Transaction-Version': '$.detail.delivery.to',
      'X-Transaction-Omitted': '$.detail.delivery.omitted',
    },
  },
};
const destination = { InvocationEndpoint: 'https://partner.example/hook' };
const apiKey = { ApiKeyName: 'X-Webhook-Signature', ApiKeyValue: 'S'.repeat(64) };

const requestFor = (changes: Partial<RuleTarget> = {}, text = event, ApiKeyName = apiKey.ApiKeyName) =>
  requestOf({ event: text, target: { ...target, ...changes } }, destination, {
    apiKey: { ...apiKey, ApiKeyName },
  });
const made = (...given: Parameters<typeof requestFor>) => {
  const request = requestFor(...given);
  if (!request.ok) throw new Error(request.reason);
  return request.value;
};
const withHeaders = (HeaderParameters: Record<string, string>) => ({ HttpParameters: { HeaderParameters } });

describe('the request that the bus makes of an event', () => {
  test('I10 has the documented headers, those of the target by their paths, and the key of the connection', () => {
    expect(made()).toEqual({
      url: 'https://partner.example/hook',
      headers: {
        'User-Agent': 'Amazon/EventBridge/ApiDestinations',
        Range: 'bytes=0-1048575',
        'Accept-Encoding': 'gzip,deflate',
        Connection: 'close',
        'Content-Type': 'application/json; charset=utf-8',
        'Idempotency-Key': 'e1',
        'X-Transaction-From-Version': '0',
        'X-Transaction-Version': '3',
        'X-Transaction-Omitted': '',
        'X-Webhook-Signature': 'S'.repeat(64),
      },
      body: '{"id":"e1","detail":{"price":"1.00","list":[1,null],"name":"Zoë"}}',
    });
  });

  test.each([
    ['the whole event where the target names no input', {}, event],
    ['the input of the target where it has one', { Input: '{ "fixed": true }' }, '{ "fixed": true }'],
  ])('the body is %s', (_, changes, body) => {
    expect(made({ InputPath: undefined, ...changes }).body).toBe(body);
  });

  test('the connection wins over the target, however the header is spelt', () => {
    const { headers } = made(withHeaders({ 'x-webhook-signature': 'forged', 'x-plain': 'kept' }));

    expect(headers).toMatchObject({ 'X-Webhook-Signature': 'S'.repeat(64), 'x-plain': 'kept' });
    expect(headers).not.toHaveProperty('x-webhook-signature');
  });

  test('the content type may be the target’s own', () => {
    const { headers } = made(withHeaders({ 'content-type': 'application/cloudevents+json' }));

    expect(headers['content-type']).toBe('application/cloudevents+json');
    expect(headers).not.toHaveProperty('Content-Type');
  });

  test.each([
    ...['User-Agent', 'range', 'Host', 'content-length', 'Transfer-Encoding', 'Connection'],
    ...['TE', 'Via', 'Expect', 'Date', 'Upgrade'],
  ])('%s is the sender’s: neither target nor connection sets it', (name) => {
    const { headers } = made(withHeaders({ [name]: 'own' }), event, name);

    expect(Object.values(headers)).not.toContain('own');
    expect(Object.values(headers)).not.toContain('S'.repeat(64));
  });

  test.each([
    ['$.detail.nothing', undefined],
    ['$.detail.to.length', undefined],
    ['$.detail.__proto__', undefined],
    ['$.detail.constructor', undefined],
    ['$.detail.delivery', '{"id":"e1","from":"0","to":"3","omitted":""}'],
    ['$.detail-type', 'T'],
    ['fixed', 'fixed'],
    ['$5', '$5'],
  ])('a header of %s is %j', (value, sent) => {
    expect(made(withHeaders({ 'X-Own': value })).headers['X-Own']).toBe(sent);
  });

  test.each([
    ['an input path that finds nothing', { InputPath: '$.detail.none' }, 'e1', 'input path finds nothing'],
    ...['a\r\nX-Injected: 1', 'a\nb', '漢'].map(
      (id) => [`a header value ${JSON.stringify(id)}`, {}, id, 'a header cannot be sent'] as const,
    ),
  ])('%s makes no request', (_, changes, id, reason) => {
    const text = JSON.stringify({ detail: { ...detail, delivery: { id } } });

    expect(requestFor(changes, text)).toEqual({ ok: false, reason });
  });
});
