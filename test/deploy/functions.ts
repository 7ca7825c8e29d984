import assert from 'node:assert/strict';
import { at, list, text } from '../journeys/answers.ts';
import { type Emulator, region } from './account.ts';

/** Calls deployed functions by their names, `publish-dormant`, and waits for their end. */
export type Invoke = (name: string, event: object) => Promise<unknown>;

/** Lambda by its wire protocol, because nothing else needs its client. The emulator checks no signature. */
export const invokerOf = async ({ endpoint }: Emulator): Promise<Invoke> => {
  const ask = async (path: string, body?: object) => {
    const answer = await fetch(`${endpoint}/2015-03-31/functions${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        Authorization: `AWS4-HMAC-SHA256 Credential=test/20260101/${region}/lambda/aws4_request, SignedHeaders=host, Signature=none`,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const said = await answer.text();
    assert.ok(answer.ok && !answer.headers.get('X-Amz-Function-Error'), said);
    return JSON.parse(said === '' ? 'null' : said);
  };
  const functions = list(at(await ask('/?MaxItems=50'), 'Functions'));
  return (name, event) => {
    const found = functions.find((one) => at(one, 'Description') === name);
    return ask(`/${text(at(found, 'FunctionName'))}/invocations`, event);
  };
};
