import assert from 'node:assert/strict';
import { assertProblem, at, json, list } from './answers.ts';
import type { Deployed } from './deployed.ts';
import type { Report } from './report.ts';

/** Tokens of one partner, of both OAuth scopes and of `nop2/write` alone. */
export type Tokens = { both: string; writeOnly: string };

/** What a partner meets when it asks wrongly (ERR-1 to ERR-5), at the functions and at the gateway. */
export const proveRefusals = async (report: Report, deployed: Deployed, tokens: Tokens) => {
  const { baseUrl, send } = deployed;
  const transactions = `${baseUrl}/api/v2/transaction`;
  const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

  await report.prove('ERR-2, R-01, R-02: without a token, a challenge under its real name', async () => {
    const answer = await send(transactions);

    assertProblem(answer, 401, 'Unauthorized');
    assert.equal(answer.headers.get('WWW-Authenticate'), 'Bearer realm="api"');
    assert.equal(at(json(answer), 'message'), 'Your request was made with invalid credentials.');
  });

  await report.prove('ERR-2: a token that is none is told to be invalid', async () => {
    const answer = await send(transactions, as('e30.e30.e30'));

    assertProblem(answer, 401, 'Unauthorized');
    assert.match(answer.headers.get('WWW-Authenticate') ?? '', /^Bearer realm="api", error="invalid_token"/);
  });

  await report.prove('ERR-2: a token without the OAuth scope of reads is 403', async () => {
    const answer = await send(transactions, as(tokens.writeOnly));

    assertProblem(answer, 403, 'Forbidden');
    assert.match(answer.headers.get('WWW-Authenticate') ?? '', /error="insufficient_scope"/);
  });

  await report.prove('FLT-2, ERR-1: a wrong filter is 422 and named as the caller wrote it', async () => {
    const answer = await send(`${transactions}?filter[nope]=1&filter[status]=2`, as(tokens.both));

    assertProblem(answer, 422, 'Unprocessable Content');
    const fields = list(at(json(answer), 'errors')).map((fault) => at(fault, 'field'));
    assert.deepEqual(fields.sort(), ['filter[nope]', 'filter[status]']);
  });

  await report.prove('ERR-3: without a token a wrong filter is 401 all the same', async () => {
    assertProblem(await send(`${transactions}?filter[nope]=1`), 401, 'Unauthorized');
  });

  await report.prove('QS-1: more parameters than a request may have are 400', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `p${index}=1`).join('&');

    assertProblem(await send(`${transactions}?${many}`, as(tokens.both)), 400, 'Bad Request');
  });

  await report.prove('VERB-1: another method on a list is 405 and says which are allowed', async () => {
    const answer = await send(transactions, { method: 'DELETE', ...as(tokens.both) });

    assertProblem(answer, 405, 'Method Not Allowed');
    assert.match(answer.headers.get('Allow') ?? '', /\bGET\b.*\bHEAD\b.*\bOPTIONS\b/);
  });

  await report.prove('VERB-1: OPTIONS needs no token', async () => {
    const answer = await send(transactions, { method: 'OPTIONS' });

    assert.deepEqual([answer.status, answer.text], [204, '']);
    assert.match(answer.headers.get('Allow') ?? '', /\bGET\b/);
  });

  await report.prove("V2-1: an unknown uuid is 404 in the API's own words", async () => {
    assertProblem(await send(`${transactions}/no-such-uuid`, as(tokens.both)), 404, 'Not Found');
  });

  await report.prove(
    "ERR-5, S-75: the gateway's own 404 for an unknown route has the same shape",
    async () => {
      assertProblem(await send(`${baseUrl}/api/v2/nothing-here`, as(tokens.both)), 404, 'Not Found');
    },
  );
};
