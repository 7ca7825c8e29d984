import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { nodeHandler } from '../../../../partner-kit/src/index.ts';
import { aMessage, aReceiver } from '../../../support/partner-kit/webhooks.ts';

/** What Node gives a server, with its headers in lower case; Express adds `body` where a parser ran. */
const aRequest = ({ headers, body }: ReturnType<typeof aMessage>, method = 'POST') =>
  Object.assign(Readable.from([Buffer.from(body.slice(0, 10)), Buffer.from(body.slice(10))]), {
    method,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  });

async function* brokenOff() {
  yield Buffer.from('{"id":');
  throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}

const aResponse = () => {
  const said = { status: 0, headers: {} as Record<string, string>, text: '' };
  return {
    said,
    writeHead: (status: number, headers: Record<string, string> = {}) =>
      Object.assign(said, { status, headers }),
    end: (text = '') => Object.assign(said, { text }),
  };
};

const parsed = async (facts: ReturnType<typeof aMessage>, body: unknown) => {
  const request = aRequest(facts);
  for await (const _ of request);
  return Object.assign(request, { body });
};

describe('KIT-16 servers of Node and Express', () => {
  test('KIT-16 a body is read from the stream', async () => {
    const { receiver, changes } = aReceiver();
    const response = aResponse();

    await nodeHandler(receiver)(aRequest(aMessage({ detail: { customer: { lastName: 'Ø' } } })), response);

    expect(response.said).toEqual({ status: 204, headers: {}, text: '' });
    expect(changes).toMatchObject([{ detail: { customer: { lastName: 'Ø' } } }]);
  });

  test.each([
    ['express.json', (body: string) => JSON.parse(body)],
    ['express.raw', (body: string) => Buffer.from(body)],
    ['express.text', (body: string) => body],
  ])('KIT-16 a body that %s has read is accepted', async (_, parse) => {
    const { receiver, changes } = aReceiver();
    const [message, response] = [aMessage(), aResponse()];

    await nodeHandler(receiver)(await parsed(message, parse(message.body)), response);

    expect(response.said.status).toBe(204);
    expect(changes).toHaveLength(1);
  });

  test.each([{}, undefined])(
    'KIT-16 a parser that left %j of the body is named, and the message is sent again',
    async (left) => {
      const { receiver, faults } = aReceiver();
      const response = aResponse();

      await nodeHandler(receiver)(await parsed(aMessage(), left), response);

      expect(response.said).toMatchObject({ status: 500, text: '{"error":"body-consumed"}' });
      expect(String(faults)).toContain('mount the receiver before the parsers');
    },
  );

  test('KIT-16 a body beyond the limit is read to its end, answered, and the connection closed', async () => {
    const { receiver } = aReceiver({ bodyLimit: 100 });
    const [request, response] = [aRequest(aMessage({ detail: { big: 'x'.repeat(500) } })), aResponse()];

    await nodeHandler(receiver)(request, response);

    expect(response.said).toMatchObject({ status: 413, headers: { Connection: 'close' } });
    expect(request.readableEnded).toBe(true);
  });

  test('KIT-16 a body that does not come is answered, and the connection closed', async () => {
    const { receiver } = aReceiver({ sleep: async () => {} });
    const { method, headers } = aRequest(aMessage());
    const [request, response] = [new Readable({ read: () => {} }), aResponse()];

    await nodeHandler(receiver)(Object.assign(request, { method, headers }), response);

    expect(response.said).toMatchObject({ status: 408, headers: { Connection: 'close' } });
  });

  test('KIT-16 a sender that disconnects does not end the process: the handler does not reject', async () => {
    const { receiver, changes } = aReceiver();
    const { method, headers } = aRequest(aMessage());
    const response = aResponse();
    const request = Object.assign(Readable.from(brokenOff()), { method, headers });

    await expect(nodeHandler(receiver)(request, response)).resolves.toBeUndefined();

    expect(response.said.status).toBe(500);
    expect(changes).toEqual([]);
  });

  test('KIT-16 a refusal gives its reason', async () => {
    const { receiver } = aReceiver();
    const response = aResponse();

    await nodeHandler(receiver)(aRequest(aMessage(), 'GET'), response);

    expect(response.said).toEqual({
      status: 405,
      headers: { 'Content-Type': 'application/json' },
      text: '{"error":"wrong-method"}',
    });
  });
});
