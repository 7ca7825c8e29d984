import { describe, expect, test } from '@jest/globals';
import { partnerEnv as env, runCommand } from '../../../support/partner-kit/command.ts';
import { aClient, clientSecret, json, tokenAnswer } from '../../../support/partner-kit/fake-service.ts';

const url = 'https://partner.example/hook';

describe('KIT-1 V2-13 the partner’s own webhook', () => {
  test('KIT-5 V2-13 a request that shows a value is sent once, because no key would give the value again', async () => {
    const reset = () => Promise.reject(new TypeError('reset'));
    const { client, sent } = aClient({ api: reset });

    await expect(client.webhook.announceSignature()).rejects.toMatchObject({ type: 'no-answer' });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.headers.has('Idempotency-Key')).toBe(false);
  });

  test('KIT-5 V2-13 a removal is retried, because it can be repeated', async () => {
    const answers = [() => Promise.reject(new TypeError('reset')), () => new Response(null, { status: 204 })];
    const { client, sent } = aClient({ api: () => answers[sent.length - 1]?.() ?? json({}) });

    await client.webhook.remove();

    expect(sent.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  });
});

describe('KIT-1 V2-13 the client secret', () => {
  const made = {
    ...{ client_id: 'client-1', client_secret: 'fresh', client_secret_expires_at: 0, secret_id: 's2' },
    ...{ former_secret_id: 's1', former_secret_expires_at: 1_795_429_800 },
  };

  test('V2-13 is rotated at the token service, by Basic', async () => {
    const { client, sent } = aClient({ api: () => json(made, { status: 201 }) });

    expect(await client.secret.rotate({ overlapHours: 48 })).toMatchObject({
      ...{ data: made, requestId: 'request-1' },
    });
    expect(sent.map(({ method, url: { href }, body }) => [method, href, body])).toEqual([
      ['POST', 'https://auth.example.com/oauth2/secret', 'overlap_hours=48'],
    ]);
    expect(sent[0]?.headers.get('Authorization')).toBe(`Basic ${btoa(`client-1:${clientSecret}`)}`);
  });

  test('KIT-8 V2-13 a refusal is an OAuth error, without a secret', async () => {
    const refusal = { error: 'unauthorized_client', error_description: `Not with ${clientSecret}.` };
    const { client } = aClient({ api: () => json(refusal, { status: 400 }) });

    const error = await client.secret.rotate().catch((fault: Error) => fault);

    expect(error).toMatchObject({ type: 'token-refused', status: 400, error: 'unauthorized_client' });
    expect(String(error)).not.toContain(clientSecret);
  });
});

describe('KIT-17 V2-13 commands', () => {
  const runWith = async (line: string, answer: object, status = 200) => {
    const asked: string[] = [];
    const fetch = async (input: unknown, { method = 'GET', body }: RequestInit = {}) => {
      const { pathname } = new URL(String(input));
      if (pathname === '/oauth2/token') return tokenAnswer('t');
      asked.push([method, pathname, body].filter(Boolean).join(' '));
      return status === 204 ? new Response(null, { status }) : Response.json(answer, { status });
    };
    return {
      asked,
      ...(await runCommand(line.split(' '), { env, fetch: fetch as typeof globalThis.fetch })),
    };
  };
  const webhook = {
    ...{ url, state: 'failing', since: '2026-11-22T12:00:00.000Z', reason: 'HTTP_500', pausedBy: null },
    ...{ servedUrl: 'https://old.example/', signature: { ageDays: 3 }, nextSignature: null },
  };

  test.each([
    ['webhook show', 'GET /api/v2/webhook'],
    [`webhook set ${url}`, `PUT /api/v2/webhook {"url":"${url}"}`],
    ['webhook pause', 'PATCH /api/v2/webhook {"paused":true}'],
    ['webhook resume', 'PATCH /api/v2/webhook {"paused":false}'],
    ['webhook rotate --switch', 'PATCH /api/v2/webhook {"signature":"next"}'],
  ])('%s requests it, and shows the webhook', async (line, request) => {
    const { asked, printed, exitCode } = await runWith(line, webhook);

    expect([exitCode, asked]).toEqual([0, [request]]);
    expect(printed).toBe(
      `${[
        'address         https://partner.example/hook',
        'state           failing, it answered 500, since 2026-11-22 12:00:00 UTC',
        'sent to         https://old.example/',
        'signature       3 days old',
        'next signature  none',
      ].join('\n')}\n`,
    );
  });

  test('webhook remove needs --yes', async () => {
    const first = await runWith('webhook remove', {}, 204);
    const second = await runWith('webhook remove --yes', {}, 204);

    expect([first.exitCode, first.asked, second.exitCode, second.asked]).toEqual([
      ...[1, [], 0, ['DELETE /api/v2/webhook']],
    ]);
  });

  test('webhook rotate and secret rotate show the value, and what to do with it', async () => {
    const signature = await runWith('webhook rotate', { signature: 'next-value' }, 201);
    const secret = await runWith(
      'secret rotate --overlap-hours 48',
      { client_secret: 'fresh-secret', former_secret_expires_at: 1_795_429_800 },
      201,
    );

    expect(signature.printed).toContain('next-value\n');
    expect(signature.asked).toEqual(['POST /api/v2/webhook/signature']);
    expect(secret.asked).toEqual(['POST /oauth2/secret overlap_hours=48']);
    expect(secret.printed).toBe(
      'The new client secret, shown only once:\nfresh-secret\nThe present one ends at 2026-11-23T10:30:00.000Z.\n',
    );
  });

  test.each([
    ['--failed', 'POST /api/v2/event/replay {"state":"failed"}', null, 'What failed is sent again.\n'],
    [
      '--since 2026-11-22T12:00:00Z',
      'POST /api/v2/event/replay {"since":"2026-11-22T12:00:00.000Z"}',
      '2026-11-22T12:00:00.000Z',
      'Everything since 2026-11-22T12:00:00.000Z is sent again.\n',
    ],
  ])(
    'V2-10 events replay %s requests it, and says what is sent again',
    async (options, request, since, said) => {
      const answer = { since, until: '2026-11-22T13:00:00.000Z' };
      const { asked, printed } = await runWith(`events replay ${options}`, answer, 202);

      expect([asked, printed]).toEqual([[request], said]);
    },
  );

  test.each(['0', '169', '1.5', 'day'])(
    'secret rotate --overlap-hours %s is refused before it is sent',
    async (hours) => {
      const { exitCode, asked } = await runWith(`secret rotate --overlap-hours ${hours}`, {});

      expect([exitCode, asked]).toEqual([1, []]);
    },
  );
});
