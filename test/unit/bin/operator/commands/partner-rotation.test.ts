import { describe, expect, test } from '@jest/globals';
import type { Answers } from '../../../../support/operator/stand-in-keep-endpoints.ts';
import { createPartner, json, run, stage, useTool } from '../../../../support/operator/tool.ts';

useTool();

const url = 'https://acme.example/hook';
const rotate = (...more: string[]) => ['partner', 'rotate-signature', 'acme', ...more];
const answering = (answers: Answers) => Object.assign(stage.keeper, { answers });
const kept = (clientId: string) => stage.signatureOf(clientId);

describe('S-27 rotate-signature', () => {
  test('announces a value of 64 letters and digits, and waits until the bus sends it', async () => {
    const { clientId, webhookSignature } = await createPartner('acme', '--webhook-url', url);

    const announced = await json(rotate());

    expect(announced).toEqual({
      ...{ name: 'acme', clientId },
      nextWebhookSignature: expect.stringMatching(/^[A-Za-z0-9]{64}$/),
    });
    expect(announced.nextWebhookSignature).not.toBe(webhookSignature);
    expect(await kept(clientId)).toEqual({
      ...{ signature: webhookSignature, next: announced.nextWebhookSignature },
    });
    expect(await json(['partner', 'show', 'acme'])).toMatchObject({
      webhookSignature: { nextCreatedAt: '2026-11-21T12:00:00.000Z' },
    });
    expect(stage.keeper.statuses.get(clientId)?.reached).toMatchObject({
      nextSignatureMadeAtMs: Date.parse('2026-11-21T12:00:00Z'),
    });
  });

  test('S-18 shows the value, this once, although the bus has it not yet, with exit code 1', async () => {
    await createPartner('acme', '--webhook-url', url);
    stage.keeper.isDown = true;

    const { exitCode, printed, noted } = await run(rotate());

    expect(exitCode).toBe(1);
    expect(printed).toMatch(/\b[A-Za-z0-9]{64}\b/);
    expect(printed).toContain('This is the only time that it is shown: hand it over now.');
    expect(printed).toContain('"partner rotate-signature --finish"');
    expect(noted).toContain('The webhook of "acme" is still verifying: the service continues');
  });

  test('--finish makes the announced value the current one, and forgets the former', async () => {
    const { clientId } = await createPartner('acme', '--webhook-url', url);
    const { nextWebhookSignature } = await json(rotate());

    expect(await json(rotate('--finish'))).toEqual({ name: 'acme', clientId, finished: true });

    expect(await kept(clientId)).toEqual({ signature: nextWebhookSignature });
    expect(await json(['partner', 'show', 'acme'])).toMatchObject({
      webhookSignature: { nextCreatedAt: null },
    });
  });

  const unchanged = 'Nothing was changed: its events would be refused. --unchecked switches all the same.';
  test.each([
    [
      { status: 204, wrongStatus: 401, nextStatus: 401 },
      `It answers 401 to the announced signature. ${unchanged}`,
    ],
    [{ fault: 'redirect' }, unchanged],
    [{ status: 204, wrongStatus: 401 }, `${url} did not answer within 5 s. ${unchanged}`],
    [undefined, 'has no result after 60 s'],
  ])('I22 --finish changes nothing where the endpoint answers %j', async (answers, why) => {
    const { clientId, webhookSignature } = await createPartner('acme', '--webhook-url', url);
    const { nextWebhookSignature } = await json(rotate());
    const recorded = stage.records.length;
    if (answers) answering(answers);
    else stage.keeper.isDown = true;

    expect((await json(rotate('--finish'))).error).toContain(why);
    expect(await kept(clientId)).toEqual({ signature: webhookSignature, next: nextWebhookSignature });
    expect(stage.records).toHaveLength(recorded);
  });

  test('--finish --unchecked asks nobody but the person', async () => {
    const { clientId } = await createPartner('acme', '--webhook-url', url);
    const { nextWebhookSignature } = await json(rotate());
    answering({ status: 204, wrongStatus: 401, nextStatus: 401 });

    const refused = await json(rotate('--finish', '--unchecked'));
    await json(rotate('--finish', '--unchecked', '--yes'));

    expect(refused.error).toContain('The endpoint of "acme" may refuse every message from now on.');
    expect(await kept(clientId)).toEqual({ signature: nextWebhookSignature });
    expect(stage.keeper.sent.at(-1)).toEqual({ clientId });
  });

  test('--cancel forgets the announced value and leaves the current one', async () => {
    const { clientId, webhookSignature } = await createPartner('acme', '--webhook-url', url);
    await json(rotate());

    expect(await json(rotate('--cancel'))).toEqual({ name: 'acme', clientId, cancelled: true });
    expect(await kept(clientId)).toEqual({ signature: webhookSignature });
    expect(stage.keeper.statuses.get(clientId)?.reached).not.toHaveProperty('nextSignatureMadeAtMs');
  });

  test('a step that the bus has not taken yet is recorded, and says so, with exit code 1', async () => {
    await createPartner('acme', '--webhook-url', url);
    await json(rotate());
    stage.keeper.isDown = true;

    expect(await run(rotate('--cancel'))).toMatchObject({
      exitCode: 1,
      printed:
        'The step is recorded. The webhook of "acme" is still verifying: the service continues, and "partner show acme" shows its state.\n',
    });
  });

  test('a second value cannot be announced before the first one is finished', async () => {
    const { clientId } = await createPartner('acme', '--webhook-url', url);
    await json(rotate());
    const before = await kept(clientId);

    expect((await json(rotate())).error).toBe(
      'The partner "acme" has a next signature already. It was shown when it was created. Switch to it with --finish, or discard it with --cancel.',
    );
    expect(await kept(clientId)).toEqual(before);
  });

  const none = 'The partner "acme" has no next signature: "partner rotate-signature" creates one.';
  test.each([
    [['--finish'], none],
    [['--cancel'], none],
    [['--finish', '--cancel'], 'Name one of --finish and --cancel.'],
  ])('%j without an announced value is an error', async (steps, error) => {
    await createPartner('acme', '--webhook-url', url);

    expect(await json(rotate(...steps))).toEqual({ error });
  });

  test('a partner without a webhook can rotate, and nobody is woken', async () => {
    const { clientId } = await createPartner();
    const { nextWebhookSignature } = await json(rotate());

    const { exitCode } = await run(rotate('--finish'));

    expect(exitCode).toBe(0);
    expect(await kept(clientId)).toEqual({ signature: nextWebhookSignature });
    expect(stage.keeper.sent).toEqual([]);
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
