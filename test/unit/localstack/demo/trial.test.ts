import { expect, test } from '@jest/globals';
import { findTrial } from '../../../../localstack/demo/trial.ts';

const partner = (name: string) => ({
  ...{ name, clientId: name, clientSecret: 'secret', webhookSignature: 'signature', grants: [] },
});
const stack = {
  ...{ baseUrl: 'http://127.0.0.1:8787', authUrl: 'http://127.0.0.1:8787' },
  partners: [partner('gone'), partner('here')],
};

/** A stage that gives these partners a token. */
const stageOf = (known: string[]) => {
  const asked: string[] = [];
  const send = async (url: string, { headers }: { headers: Record<string, string> }) => {
    if (!url.endsWith('/oauth2/token')) {
      asked.push(decodeURIComponent(new URL(url).search));
      return Response.json({ data: [{ uuid: 'u1' }, { uuid: 'u2' }] });
    }
    const [clientId = ''] = atob(headers.Authorization?.split(' ')[1] ?? '').split(':');
    if (!known.includes(clientId)) return Response.json({ error: 'invalid_client' }, { status: 401 });
    return Response.json({ access_token: 'token', token_type: 'Bearer', expires_in: 3600 });
  };
  return { send: send as unknown as typeof fetch, asked };
};

test('RUN-1 what can be tried is open now, as the first partner that may still read', async () => {
  const { send, asked } = stageOf(['here']);

  const trial = await findTrial(stack, send);

  expect([trial?.partner.name, trial?.open]).toEqual(['here', ['u1', 'u2']]);
  expect(asked).toEqual(['?filter[status]=0&fields=uuid&per-page=2']);
});

test('RUN-1 where no partner may read, nothing can be tried', async () => {
  expect(await findTrial(stack, stageOf([]).send)).toBeUndefined();
});
