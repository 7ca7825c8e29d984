import { describe, expect, test } from '@jest/globals';
import {
  createPartner,
  json,
  run,
  stage,
  useOperatorTool,
} from '../../../../support/operator/operator-tool.ts';

useOperatorTool();

const url = 'https://acme.example/hook';
const rotate = (...more: string[]) => ['partner', 'rotate-signature', 'acme', ...more];

/** The signatures that messages to a partner carry, as the bus has them. */
const sentTo = (clientId: string) => {
  const { AuthParameters } = stage.bus.connections.get(`transactions-local-${clientId}`) ?? {};
  const [next] = AuthParameters?.InvocationHttpParameters?.HeaderParameters ?? [];
  return { signature: AuthParameters?.ApiKeyAuthParameters?.ApiKeyValue, next: next?.Value };
};
const acme = async () => {
  const partner = await stage.deps.partners.byName('acme');
  if (!partner) throw new Error('There is no partner acme');
  return partner;
};
/** An endpoint that accepts these values and no others. */
const taking = (...values: string[]) => {
  stage.deps.probe = {
    ...stage.deps.probe,
    check: async (_url, { signature }) => ({
      ok: true,
      value: { wrongStatus: 401, status: values.includes(signature) ? 204 : 401 },
    }),
  };
};

describe('S-27 rotate-signature', () => {
  test('announces a value of 64 letters and digits, which is sent beside the current one', async () => {
    const { clientId, webhookSignature } = await createPartner('acme', '--webhook-url', url);

    const announced = await json(rotate());

    expect(announced).toEqual({
      ...{ name: 'acme', clientId },
      nextWebhookSignature: expect.stringMatching(/^[A-Za-z0-9]{64}$/),
    });
    expect(announced.nextWebhookSignature).not.toBe(webhookSignature);
    expect(sentTo(clientId)).toEqual({ signature: webhookSignature, next: announced.nextWebhookSignature });
    expect(await json(['partner', 'show', 'acme'])).toMatchObject({
      webhookSignature: { nextCreatedAt: '2026-11-21T12:00:00.000Z' },
      webhookDifferences: [],
    });
  });

  test('says that the value is shown once, and what comes next', async () => {
    await createPartner('acme', '--webhook-url', url);

    const { printed } = await run(rotate());

    expect(printed).toContain('This is the only time that it is shown: hand it over now.');
    expect(printed).toContain('"partner rotate-signature --finish"');
  });

  test('--finish makes the announced value the current one, and forgets the former', async () => {
    const { clientId, webhookSignature } = await createPartner('acme', '--webhook-url', url);
    const { nextWebhookSignature } = await json(rotate());
    taking(webhookSignature, nextWebhookSignature);

    expect(await json(rotate('--finish'))).toEqual({ name: 'acme', clientId, finished: true });

    expect(sentTo(clientId)).toEqual({ signature: nextWebhookSignature, next: undefined });
    expect(await stage.deps.partners.signatureOf(clientId)).toEqual({ signature: nextWebhookSignature });
    expect(await json(['partner', 'show', 'acme'])).toMatchObject({
      webhookSignature: { nextCreatedAt: null },
      webhookDifferences: [],
    });
  });

  test('I22 --finish changes nothing while the endpoint refuses the announced value', async () => {
    const { clientId, webhookSignature } = await createPartner('acme', '--webhook-url', url);
    const { nextWebhookSignature } = await json(rotate());
    taking(webhookSignature);

    expect(await json(rotate('--finish'))).toEqual({
      error:
        'It answers 401 to the announced signature. Nothing was changed: its events would be refused. --unchecked switches all the same.',
    });
    expect(sentTo(clientId)).toEqual({ signature: webhookSignature, next: nextWebhookSignature });
  });

  test('I22 --finish changes nothing when the endpoint does not respond', async () => {
    await createPartner('acme', '--webhook-url', url);
    await json(rotate());
    stage.deps.probe = { ...stage.deps.probe, check: async () => ({ ok: false, reason: 'timed out' }) };

    expect((await json(rotate('--finish'))).error).toBe(
      `${url} did not answer within 5 s. Nothing was changed: its events would be refused. --unchecked switches all the same.`,
    );
  });

  test('after a leak, --unchecked switches without asking the endpoint, once the name is typed', async () => {
    const { clientId, webhookSignature } = await createPartner('acme', '--webhook-url', url);
    const { nextWebhookSignature } = await json(rotate());
    taking(webhookSignature);

    const refused = await run(rotate('--finish', '--unchecked'));
    await run(rotate('--finish', '--unchecked'), 'acme');

    expect(refused.noted).toContain('The endpoint of "acme" may refuse every message from now on.');
    expect(sentTo(clientId).signature).toBe(nextWebhookSignature);
  });

  test('--cancel forgets the announced value and changes nothing else', async () => {
    const { clientId, webhookSignature } = await createPartner('acme', '--webhook-url', url);
    await json(rotate());

    expect(await json(rotate('--cancel'))).toEqual({ name: 'acme', clientId, cancelled: true });

    expect(sentTo(clientId)).toEqual({ signature: webhookSignature, next: undefined });
    expect(await stage.deps.partners.signatureOf(clientId)).toEqual({ signature: webhookSignature });
  });

  test('a second announcement does not replace the announced value', async () => {
    const { clientId } = await createPartner('acme', '--webhook-url', url);
    await json(rotate());
    const before = sentTo(clientId);

    expect(await json(rotate())).toEqual({
      error:
        'The partner "acme" has an announced signature already, which was shown then: end with --finish, or with --cancel to begin anew.',
    });
    expect(sentTo(clientId)).toEqual(before);
  });

  test.each(['--finish', '--cancel'])('%s without an announced value is an error', async (step) => {
    await createPartner('acme', '--webhook-url', url);

    expect(await json(rotate(step))).toEqual({
      error: 'The partner "acme" has no announced signature: "partner rotate-signature" announces one.',
    });
  });

  test('--finish and --cancel together are an error', async () => {
    await createPartner('acme', '--webhook-url', url);

    expect(await json(rotate('--finish', '--cancel'))).toEqual({
      error: 'Name one of --finish and --cancel.',
    });
  });

  test('a partner without a webhook can rotate, and its later webhook has the new value', async () => {
    const { clientId } = await createPartner();
    const { nextWebhookSignature } = await json(rotate());

    await json(rotate('--finish'));
    await json(['partner', 'set-webhook', 'acme', '--url', url]);

    expect(sentTo(clientId)).toEqual({ signature: nextWebhookSignature, next: undefined });
    expect(await stage.deps.endpoints.inspect(await acme())).toEqual([]);
  });

  test('S-28 each step is recorded without a value', async () => {
    const { webhookSignature } = await createPartner('acme', '--webhook-url', url);
    const { nextWebhookSignature } = await json(rotate());
    await json(rotate('--cancel'));
    await json(rotate());
    await json(rotate('--finish'));

    expect(stage.records.map(({ arguments: { step } }) => step)).toEqual([
      ...[undefined, 'announce', 'cancel', 'announce', 'finish'],
    ]);
    const text = JSON.stringify(stage.records);
    for (const value of [webhookSignature, nextWebhookSignature]) expect(text).not.toContain(value);
  });
});
