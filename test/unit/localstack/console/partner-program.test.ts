import { describe, expect, test } from '@jest/globals';
import { createPartnerProgram } from '../../../../localstack/console/partner-program.ts';

/** A service whose tokens are t1, t2, …, and which refuses those that are told. */
const aProgram = (refused: string[]) => {
  const asked: string[] = [];
  let tokens = 0;
  const send = async (url: string | URL | Request, { headers, method }: RequestInit = {}) => {
    const { Authorization = '' } = headers as Record<string, string>;
    asked.push(`${method} ${url} ${Authorization}`);
    if (String(url).endsWith('/oauth2/token')) {
      tokens += 1;
      return Response.json({ access_token: `t${tokens}` });
    }
    return new Response(null, { status: refused.includes(Authorization) ? 401 : 200 });
  };
  const program = createPartnerProgram({
    ...{ baseUrl: 'http://api', authUrl: 'http://auth', credentials: { clientId: 'id', clientSecret: 's' } },
    send: send as typeof fetch,
  });
  return { asked, edit: () => program('PATCH', '/api/v2/transaction/u', {}) };
};

describe('RUN-12 the console’s program', () => {
  test('asks for one token, and uses it again', async () => {
    const { asked, edit } = aProgram([]);

    expect([await edit(), await edit()]).toEqual([200, 200]);
    expect(asked).toEqual([
      'POST http://auth/oauth2/token Basic aWQ6cw==',
      'PATCH http://api/api/v2/transaction/u Bearer t1',
      'PATCH http://api/api/v2/transaction/u Bearer t1',
    ]);
  });

  test('asks for another when the API refuses it, as after a move of the clock, and again when that moved meanwhile', async () => {
    const { asked, edit } = aProgram(['Bearer t1', 'Bearer t2']);

    expect(await edit()).toBe(200);
    expect(asked.at(-1)).toBe('PATCH http://api/api/v2/transaction/u Bearer t3');
  });

  test('gives up on an API that refuses every token', async () => {
    const { asked, edit } = aProgram(['Bearer t1', 'Bearer t2', 'Bearer t3']);

    expect(await edit()).toBe(401);
    expect(asked).toHaveLength(6);
  });
});
