import { expect, test } from '@jest/globals';
import { findTrials } from '../../../../localstack/demo/trial.ts';

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
  const send = async (address: string, { headers }: { headers: Record<string, string> }) => {
    const url = new URL(address);
    if (url.pathname === '/api/v2/webhook') return Response.json({ url: 'http://127.0.0.1:9000/' });
    if (url.pathname === '/api/v2/partner')
      return Response.json({
        grants: [{ group: 'G1', location: 'L1', branches: ['Leeds'], branchCount: 1 }],
      });
    if (url.pathname === '/api/v2/transaction') {
      asked.push(decodeURIComponent(url.search));
      return Response.json({ data: [{ uuid: 'u1' }, { uuid: 'u2' }] });
    }
    const [clientId = ''] = atob(headers.Authorization?.split(' ')[1] ?? '').split(':');
    if (!known.includes(clientId)) return Response.json({ error: 'invalid_client' }, { status: 401 });
    return Response.json({ access_token: 'token', token_type: 'Bearer', expires_in: 3600 });
  };
  return { send: send as unknown as typeof fetch, asked };
};

test('RUN-1 what can be tried is open now and what is granted now, by each partner that may still read', async () => {
  const { send, asked } = stageOf(['here']);

  expect(await findTrials(stack, send)).toEqual([
    {
      partner: partner('here'),
      grants: [{ group: 'G1', location: 'L1' }],
      ...{ open: ['u1', 'u2'], webhookUrl: 'http://127.0.0.1:9000/' },
    },
  ]);
  expect(asked).toEqual(['?filter[status]=0&fields=uuid&per-page=2']);
});
