import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Answers } from '../../../../support/operator/stand-in-keep-endpoints.ts';
import { begin, createPartner, json, run, stage, useTool } from '../../../../support/operator/tool.ts';

useTool();

const url = 'https://acme.example/hook';
const rotate = (step = '') => `partner rotate-signature acme ${step}`.trim();
const answering = (answers: Answers) => Object.assign(stage.keeper, { answers });
let clientId: string;
let first: string;
const kept = () => stage.signatureOf(clientId);
const announce = async () => (await json(rotate())).nextWebhookSignature;
const nextCreatedAt = async () => (await json('partner show acme')).webhookSignature.nextCreatedAt;

beforeEach(async () => {
  ({ clientId, webhookSignature: first } = await createPartner('acme', '--webhook-url', url));
});

describe('S-27 rotate-signature', () => {
  test('S-18 S-87 creates a value of 64 letters and digits, shown once, and wakes nobody: no message carries it', async () => {
    const sent = stage.keeper.sent.length;
    const announced = await json(rotate());

    expect(announced).toEqual({
      ...{ name: 'acme', clientId },
      nextWebhookSignature: expect.stringMatching(/^[A-Za-z0-9]{64}$/),
    });
    expect(announced.nextWebhookSignature).not.toBe(first);
    expect(await kept()).toEqual({ signature: first, next: announced.nextWebhookSignature });
    expect(await nextCreatedAt()).toBe('2026-11-21T12:00:00.000Z');
    expect(stage.keeper.sent).toHaveLength(sent);
  });

  test('S-18 says that the value is shown only once, and what to do with it', async () => {
    const { exitCode, printed } = await run(rotate());

    expect(exitCode).toBe(0);
    expect(printed).toMatch(/\b[A-Za-z0-9]{64}\b/);
    expect(printed).toContain(
      'This is the only time that it is shown: hand it over now. No message carries it yet.',
    );
    expect(printed).toContain('"partner rotate-signature --finish"');
  });

  test('--finish makes the next value the present one, and discards the former', async () => {
    const next = await announce();

    expect(await json(rotate('--finish'))).toEqual({ name: 'acme', clientId, finished: true });
    expect(await kept()).toEqual({ signature: next });
    expect(await nextCreatedAt()).toBeNull();
  });

  const unchanged =
    'Nothing was changed, since it would refuse its events. To switch anyway, add --unchecked.';
  const refusing = { status: 204, wrongStatus: 401, nextStatus: 401 };
  test.each([
    [refusing, `It answers 401 to the next signature. ${unchanged}`],
    [{ fault: 'redirect' }, unchanged],
    [{ status: 204, wrongStatus: 401 }, `${url} did not answer within 5 s. ${unchanged}`],
    [undefined, 'has no result after 60 s'],
  ])('I22 --finish changes nothing if the endpoint answers %j', async (answers, why) => {
    const next = await announce();
    const recorded = stage.records.length;
    if (answers) answering(answers);
    else stage.keeper.isDown = true;

    expect((await json(rotate('--finish'))).error).toContain(why);
    expect(await kept()).toEqual({ signature: first, next });
    expect(stage.records).toHaveLength(recorded);
  });

  test('--finish --unchecked asks only the person', async () => {
    const next = await announce();
    answering(refusing);

    await json(rotate('--finish --unchecked --yes'));

    expect(await kept()).toEqual({ signature: next });
    expect(stage.keeper.sent.at(-1)).toEqual({ clientId });
  });

  test('--cancel discards the next value and keeps the present one', async () => {
    await announce();

    expect(await json(rotate('--cancel'))).toEqual({ name: 'acme', clientId, cancelled: true });
    expect(await kept()).toEqual({ signature: first });
  });

  test('a step that the bus does not have yet is recorded and reported, with exit code 1', async () => {
    Object.assign(stage.deps, { now: () => new Date('2026-11-21T12:05:00Z') });
    await announce();
    stage.keeper.isDown = true;

    expect(await run(rotate('--finish --unchecked --yes'))).toMatchObject({
      exitCode: 1,
      printed:
        'The step is recorded. The webhook of "acme" is still verifying: the service continues, and "partner show acme" shows its state.\n',
    });
  });

  const none = 'The partner "acme" has no next signature: "partner rotate-signature" creates one.';
  const hasOne =
    'The partner "acme" already has a next signature, which was shown when it was created. Switch to it with --finish, or discard it with --cancel.';
  test.each([
    ['', true, hasOne],
    ['--finish', false, none],
    ['--cancel', false, none],
    ['--finish --cancel', false, 'Name one of --finish and --cancel.'],
  ])('"%s" is an error where there is a next value: %j', async (steps, isAnnounced, error) => {
    if (isAnnounced) await announce();
    const before = await kept();

    expect(await json(rotate(steps))).toEqual({ error });
    expect(await kept()).toEqual(before);
  });

  test('a partner without a webhook can rotate, and nobody is woken', async () => {
    begin();
    ({ clientId } = await createPartner());
    const next = await announce();

    expect((await run(rotate('--finish'))).exitCode).toBe(0);
    expect(await kept()).toEqual({ signature: next });
    expect(stage.keeper.sent).toEqual([]);
  });
});
