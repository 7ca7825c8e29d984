import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Answers } from '../../../../support/operator/stand-in-keep-endpoints.ts';
import { begin, createPartner, json, run, stage, useTool } from '../../../../support/operator/tool.ts';

useTool();

const url = 'https://acme.example/hook';
const other = 'https://acme.example/2';
const since = '2026-11-21T12:00:00.000Z';

const acme = async () => {
  const partner = await stage.deps.partners.byName('acme');
  if (!partner) throw new Error('There is no partner acme');
  return partner;
};
let clientId: string;
/** A partner whose webhook is on. */
const createAcme = async () => {
  ({ clientId } = await createPartner('acme', '--webhook-url', url));
};
const answering = (answers: Answers) => Object.assign(stage.keeper, { answers });
const on = { webhook: 'on', webhookSince: since, webhookReason: null, webhookServedUrl: url };
const waitingLine = (what: string, seconds: number) => `Waiting until ${what} (${seconds} s at most) …\n`;

describe('RUN-5 partner create --webhook-url', () => {
  const create = (...more: string[]) => [
    ...`partner create --name acme --webhook-url ${url}`.split(' '),
    ...more,
  ];

  test('writes the address with the record, and returns when the webhook is on', async () => {
    const said = await run([...create(), '--json']);

    expect(JSON.parse(said.printed)).toMatchObject({ name: 'acme', grants: [], ...on });
    expect(said.exitCode).toBe(0);
    expect(said.noted).toBe(
      `${waitingLine('the webhook of "acme" is on', 60)}It accepts messages with its signature (204).\nIt refuses a wrong signature (401), as it should.\nEvents for "acme" are sent to ${url}.\n`,
    );
    expect(await acme()).toMatchObject({ webhookUrl: url, webhookSetAtMs: Date.parse(since) });
  });

  const cannotSend = () => {
    stage.deps.endpointRequests = { send: () => Promise.reject(new Error('no rights')) };
  };
  const nobodyWorks = () => {
    stage.keeper.isDown = true;
  };
  const knowsNoSignature = () => void answering({ status: 401, wrongStatus: 401 });
  const left = 'Its webhook is verifying: "partner show acme" shows its state.\n';
  const stillVerifying = `${waitingLine('the webhook of "acme" is on', 60)}The webhook of "acme" is still verifying: the service continues, and "partner show acme" shows its state.\n`;
  const refused = `The webhook of "acme" is failing: ${url} answers 401.\nWhen it accepts the signature above, run "partner set-webhook acme --url ${url}" again.\n`;

  test.each<[string, string, () => void, number, string, string]>([
    ['it is not waited for', '--no-wait', () => {}, 0, 'verifying', left],
    ['nothing can be sent to keep-endpoints', '--no-wait', cannotSend, 0, 'verifying', left],
    ['nothing can be sent to keep-endpoints', '', cannotSend, 1, 'verifying', '(no rights)'],
    ['nobody works for a minute', '', nobodyWorks, 1, 'verifying', stillVerifying],
    ['its endpoint does not know its signature yet', '', knowsNoSignature, 1, 'failing', refused],
  ])('S-18 shows the secrets although %s (%s)', async (_, option, breakIt, exitCode, webhook, noted) => {
    breakIt();

    const said = await run([...create(...(option ? [option] : [])), '--json']);

    expect([said.exitCode, said.noted]).toEqual([exitCode, expect.stringContaining(noted)]);
    const { clientSecret, webhookSignature, webhook: state } = JSON.parse(said.printed);
    expect([typeof clientSecret, typeof webhookSignature, state]).toEqual(['string', 'string', webhook]);
    expect((await acme()).webhookUrl).toBe(url);
  });
});

describe('S-47 addresses', () => {
  const untakable =
    'has characters that EventBridge does not accept in an address, or more than 2,048 characters.';
  test.each([
    ['https://acme.example/#x', 'has a fragment (#), which is never sent.'],
    ['https://acme.example:0/', 'names port 0, which cannot be reached.'],
    ['https://metadata.google.internal/', 'names a host of a private network.'],
    ['https://a.example/*', untakable],
  ])('%s is refused in a sentence by both commands', async (text, sentence) => {
    await createPartner();
    const error = `"${text}" ${sentence}`;

    expect(await json(`partner set-webhook acme --url ${text}`)).toEqual({ error });
    expect(await createPartner('other', '--webhook-url', text)).toEqual({ error });
    expect(stage.records).toHaveLength(1);
  });

  test('the local stage accepts a loopback address', async () => {
    begin({ endpointRules: { allowsLoopback: true } });

    await createPartner('acme', '--webhook-url', 'http://127.0.0.1:8790/acme');

    expect((await acme()).webhookUrl).toBe('http://127.0.0.1:8790/acme');
  });
});

describe('partner set-webhook', () => {
  const set = (...more: string[]) => ['partner', 'set-webhook', 'acme', '--url', url, ...more];

  test('has the address checked, and returns when it is on', async () => {
    const { clientId } = await createPartner();

    expect(await json(set())).toEqual({
      ...{ name: 'acme', clientId, webhookUrl: url, before: { webhookUrl: null } },
      ...on,
      ...{ takesSignature: true, refusesWrongSignature: true, takesNextSignature: null },
      ...{ status: 204, wrongStatus: 401, fault: null, dryRun: false },
    });
    expect(stage.records.at(-1)).toMatchObject({
      command: 'partner set-webhook',
      arguments: { name: 'acme', clientId, url },
    });
    expect(stage.keeper.sent).toEqual([{ clientId, check: { id: expect.any(String), url } }]);
  });

  test('changes the address, and shows the difference', async () => {
    await createPartner('acme', '--webhook-url', other);

    const said = await run(set());

    expect(said.printed).toBe(
      `Partner "acme":\n  - ${other}\n  + ${url}\nIt accepts messages with its signature (204).\nIt refuses a wrong signature (401), as it should.\nEvents for "acme" are sent to ${url}.\n`,
    );
    expect(said.noted).toBe(waitingLine('the webhook of "acme" is on', 60));
    expect((await acme()).webhookUrl).toBe(url);
  });

  test.each<[Answers, string]>([
    [{ status: 403, wrongStatus: 401 }, 'URL answers 403.'],
    [{ fault: 'timed out' }, 'URL did not answer within 5 s.'],
    [{ fault: 'name not found' }, 'The host of URL is not known.'],
    [{ fault: 'address not allowed' }, 'The host of URL resolves to an address outside the public internet.'],
    [{ fault: 'answer too large' }, 'URL answers with more than 64 kB.'],
    [{ fault: 'too many interim answers' }, 'URL keeps sending interim (1xx) answers.'],
    [{ fault: 'redirect' }, 'URL redirects. EventBridge follows no redirects: use the target address.'],
    [{ fault: 'no connection: ECONNREFUSED' }, 'URL could not be reached (ECONNREFUSED).'],
    [{ fault: 'no connection: CERT_HAS_EXPIRED' }, 'The certificate of URL has expired.'],
    [{ fault: 'no connection: ERR_TLS_CERT_ALTNAME_INVALID' }, 'The certificate of URL is of another host.'],
    ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'].map((code): [Answers, string] => [
      { fault: `no connection: ${code}` },
      `The certificate of URL is not trusted (${code}).`,
    ]),
  ])(
    'says why an address is failing (%j), and that events still go to the former one',
    async (answers, sentence) => {
      await createPartner('acme', '--webhook-url', other);
      answering(answers);

      const { exitCode, printed } = await run(set());

      expect(exitCode).toBe(1);
      expect(printed).toContain(
        `The webhook of "acme" is failing: ${sentence.replace('URL', url)} Events still go to its former address ${other}.\n`,
      );
      expect(await json('partner show acme')).toMatchObject({
        ...{ webhookUrl: url, webhook: 'failing', webhookServedUrl: other },
      });
    },
  );

  const quotaOf = (what: string, code: string, usual: string, more: number) =>
    `EventBridge creates no more ${what}: the account has reached its quota ${code} (${usual} by default). Request an increase with the following command, and run "partner repair" when it is granted: aws service-quotas request-service-quota-increase --service-code events --quota-code ${code} --desired-value ${more}`;
  test.each([
    ['rules-quota', quotaOf('rules on this bus', 'L-244521F2', '300', 1_000)],
    ['destinations-quota', quotaOf('API destinations', 'L-FB1C3A6D', '3,000', 5_000)],
    ['connections-quota', quotaOf('connections', 'L-595D6D42', '3,000', 5_000)],
    ['CONNECTION_NOT_AUTHORIZED', 'EventBridge reports CONNECTION_NOT_AUTHORIZED.'],
  ])('EV-22 says what EventBridge reports: %s', async (reason, sentence) => {
    await createPartner();
    stage.keeper.busFault = reason;

    expect((await run(set())).printed).toContain(`The webhook of "acme" is failing: ${sentence}\n`);
  });

  test('the same address is checked again', async () => {
    await createPartner('acme', '--webhook-url', url);
    Object.assign(stage.deps, { now: () => new Date(Date.parse(since) + 5) });

    await json(set());

    expect(await acme()).toMatchObject({ webhookSetAtMs: Date.parse(since) + 5 });
  });

  test('with --unchecked an address that does not answer is used, and not called', async () => {
    await createPartner();
    answering({ fault: 'timed out' });

    const { exitCode, printed } = await run([...set('--unchecked'), '--json']);

    expect(exitCode).toBe(0);
    expect(JSON.parse(printed)).toMatchObject({ webhookUrl: url, ...on });
    expect(await acme()).toMatchObject({ webhookUnchecked: true });
    expect(stage.keeper.sent).toEqual([{ clientId: (await acme()).clientId }]);
    expect(stage.records.at(-1)?.arguments).toMatchObject({ unchecked: true });

    await json(`partner set-webhook acme --url ${other}`);

    expect(await acme()).not.toHaveProperty('webhookUnchecked');
  });

  test('with --no-wait returns at once, and says that it is verifying', async () => {
    const { clientId } = await createPartner();

    expect(await json(set('--no-wait'))).toMatchObject({ webhookUrl: url, webhook: 'verifying' });
    expect(stage.keeper.sent).toEqual([{ clientId }]);
  });

  test.each([
    [{ status: 204, wrongStatus: 401 }, 0],
    [{ status: 403, wrongStatus: 401 }, 1],
  ])('TH-22 a dry run has it checked (%j: exit code %i) and changes nothing', async (answers, exitCode) => {
    await createPartner();
    const recorded = stage.records.length;
    answering(answers);

    const said = await run(set('--dry-run'));

    expect(said.exitCode).toBe(exitCode);
    expect(said.printed).toContain(`  + ${url}\nNothing was changed (--dry-run).\n`);
    expect((await acme()).webhookUrl).toBeUndefined();
    expect(stage.records).toHaveLength(recorded);
  });
});

describe('partner check-webhook', () => {
  beforeEach(createAcme);

  const redirects = expect.stringContaining('redirects');
  test.each<[Answers, number, boolean, boolean | null, unknown]>([
    [{ wrongStatus: 401, status: 204 }, 0, true, true, null],
    [{ wrongStatus: 403, status: 204 }, 0, true, true, null],
    [{ wrongStatus: 200, status: 200 }, 1, true, false, null],
    [{ wrongStatus: 401, status: 500 }, 1, false, true, null],
    [{ wrongStatus: 500, status: 204 }, 1, true, null, null],
    [{ wrongStatus: 404, status: 204 }, 1, true, null, null],
    [{ wrongStatus: 302, status: 204 }, 1, true, null, null],
    [{ wrongStatus: 500, status: 500 }, 1, false, null, null],
    [{ fault: 'redirect' }, 1, false, null, redirects],
  ])('an endpoint with the answers %j is exit code %i', async (answers, exitCode, ...expected) => {
    const before = await acme();
    answering(answers);

    const said = await run('partner check-webhook acme --json');

    const { takesSignature, refusesWrongSignature, fault, ...shown } = JSON.parse(said.printed);
    expect(said).toMatchObject({ exitCode, noted: `Waiting until ${url} has answered (60 s at most) …\n` });
    expect([takesSignature, refusesWrongSignature, fault]).toEqual(expected);
    expect(shown).toMatchObject({ webhookUrl: url, takesNextSignature: null });
    expect(await acme()).toEqual(before);
    expect(stage.keeper.sent.at(-1)).toEqual({ clientId, check: { id: expect.any(String), url } });
  });

  const takes = 'It accepts messages with its signature (204).\n';
  const refuses = 'It refuses a wrong signature (401), as it should.\n';
  const praisesNoFault =
    'It does not accept messages with its signature (500).\n' +
    'It answers a wrong signature with 500, which does not prove that it checks signatures: answer 401 or 403.\n';
  const notYet = 'It does not accept the next signature yet (401).\n';
  const canSwitch = 'It also accepts the next signature: "partner rotate-signature --finish" can switch.\n';
  test.each<[string, Answers, boolean, string]>([
    ['TH-03 a fault is no refusal', { wrongStatus: 500, status: 500 }, false, praisesNoFault],
    ['whether --finish can switch', { wrongStatus: 401, status: 204, nextStatus: 401 }, true, notYet],
    ['whether --finish can switch', { wrongStatus: 401, status: 204, nextStatus: 204 }, true, canSwitch],
  ])('says %s: %j', async (_, answers, isRotating, sentences) => {
    if (isRotating) await json('partner rotate-signature acme');
    answering(answers);

    const { printed } = await run('partner check-webhook acme');

    expect(printed).toBe(`${url}\n${isRotating ? takes + refuses : ''}${sentences}`);
  });

  test('a check without a result after a minute is an error', async () => {
    stage.keeper.isDown = true;

    expect(await json('partner check-webhook acme')).toEqual({
      error: `The check of ${url} for "acme" has no result after 60 s: run the command again. Nothing was changed.`,
    });
  });
});

describe('partner pause and resume', () => {
  beforeEach(createAcme);

  test('a pause waits until the bus has no retries, a resume until it is on; both can be repeated', async () => {
    const said = await run('partner pause acme');

    expect(said).toMatchObject({
      exitCode: 0,
      printed:
        'Events for "acme" are kept until "partner resume acme", and EventBridge has stopped its retries.\n',
      noted: waitingLine('the bus has stopped all retries to "acme"', 120),
    });
    expect(await json('partner pause acme')).toEqual({
      ...{ name: 'acme', clientId, webhookUrl: url, ...on, webhook: 'paused' },
    });
    expect((await acme()).webhookPaused).toBe('operator');
    expect((await run('partner list')).printed).toContain(' paused ');
    expect(await json('partner list')).toMatchObject([{ webhook: 'paused', webhookPausedBy: 'operator' }]);
    const resumed = [await json('partner resume acme'), await json('partner resume acme')];
    expect(resumed).toEqual(Array(2).fill({ name: 'acme', clientId, webhookUrl: url, ...on }));
    expect(await acme()).not.toHaveProperty('webhookPaused');
  });

  test('V2-13 the operator takes over a pause of the partner, and resumes it', async () => {
    const afterOfPartners = async (command: string) => {
      const before = await acme();
      await stage.deps.partners.update({ before, after: { ...before, webhookPaused: 'partner' } });
      await json(`partner ${command} acme`);
      return (await acme()).webhookPaused;
    };

    expect([await afterOfPartners('pause'), await afterOfPartners('resume')]).toEqual([
      'operator',
      undefined,
    ]);
  });

  test('a resume that is not done after two minutes says what is awaited, and counts as done', async () => {
    await json('partner pause acme');
    let waitedMs = 0;
    stage.deps.wait = async (ms) => {
      waitedMs += ms;
    };

    const said = await run('partner resume acme');

    expect(said).toMatchObject({
      exitCode: 1,
      printed:
        'The webhook of "acme" is still verifying: the service continues, and "partner show acme" shows its state.\n',
    });
    expect(waitedMs).toBe(120_000);
    expect(stage.done.at(-1)).toBe('partner resume');
  });

  test('DR-12 a command that is ended while it waits counts as done once', async () => {
    stage.deps.wait = () => Promise.reject(new Error('killed'));

    await run('partner pause acme');

    expect(stage.done).toEqual(['partner create', 'partner pause']);
  });

  test('S-77 a resume while all webhooks are stopped says until when its events are kept', async () => {
    await json('partner pause acme');
    await json('webhooks stop --yes');

    expect((await run('partner resume acme')).printed).toBe(
      'Events for "acme" are kept until "webhooks start", and EventBridge has stopped its retries.\n',
    );
  });

  test.each([['pause'], ['resume'], ['set-webhook', '--url', url]])(
    '%s of a disabled partner says that nothing is sent or kept',
    async (command, ...more) => {
      await json('partner disable acme');

      expect((await run(['partner', command, 'acme', ...more])).printed).toContain(
        '"acme" is disabled: nothing is sent or kept until "partner enable acme".\n',
      );
    },
  );
});

describe('partner disable, enable, revoke-grant', () => {
  beforeEach(createAcme);

  test('S-77 a disable waits until the bus has nothing of the partner', async () => {
    expect(await run('partner disable acme')).toMatchObject({
      exitCode: 0,
      printed: expect.stringContaining('"acme" is disabled: nothing is sent or kept'),
      noted: waitingLine('the bus has no resources of "acme" any more', 120),
    });
    expect(await json('partner enable acme')).toMatchObject({ enabled: true, ...on });
  });

  test('a dry run and a partner without a webhook wake nobody', async () => {
    await createPartner('plain');
    const before = stage.keeper.sent.length;

    await json('partner disable plain');
    await json('partner disable acme --dry-run');
    await json('partner grant acme --grant group=H');

    expect(stage.keeper.sent).toHaveLength(before);
  });

  test('a revoke says what may still arrive, and how to stop it', async () => {
    await createPartner('plain');
    const revoke = async (name: string) =>
      (await run(`partner revoke-grant ${name} --grant group=G`)).printed;

    expect(await revoke('acme')).toContain(
      'Done.\nEvents that EventBridge has accepted may still arrive for up to 24 h: "partner pause acme" stops that, and "partner resume acme" sends them again if the partner may still see them.\n',
    );
    expect(await revoke('plain')).not.toContain('24 h');
  });
});

test('V2-13 the state in partner list and show is the one that its partner reads', async () => {
  await createAcme();
  const [startMs, servedUrl] = [Date.parse(since), url];
  // EventBridge does not know the target yet.
  const status = { state: 'on', sinceMs: startMs + 60_000, servedUrl, servedSetAtMs: startMs } as const;
  stage.keeper.statuses.set(clientId, status);

  expect(await json('partner list')).toMatchObject([{ webhook: 'verifying' }]);
  expect(await json('partner show acme')).toMatchObject({ webhook: 'verifying' });
  await run('webhooks stop --yes');
  expect(await json('partner list')).toMatchObject([{ webhook: 'paused', webhookPausedBy: null }]);
});

describe('partner remove-webhook, delete', () => {
  test('a removal deletes everything about the address from the record, and waits for the bus', async () => {
    const { clientId } = await createPartner('acme', '--webhook-url', url);
    await json(`partner set-webhook acme --url ${url} --unchecked`);
    await json('partner pause acme');

    const said = await run('partner remove-webhook acme', 'acme');

    expect(said.printed).toBe('"acme" has no webhook: nothing is sent to it.\n');
    const { webhookChange, ...record } = await acme();
    expect(Object.keys(record).filter((name) => name.startsWith('webhook'))).toEqual([]);
    expect(webhookChange).toMatchObject({ by: 'operator' });
    expect(stage.keeper.statuses.get(clientId)).toMatchObject({ state: 'off' });
  });

  test('EV-13 no address is set until a removal has ended kept events, which another command can continue', async () => {
    await createPartner('acme', '--webhook-url', url);
    stage.keeper.isDown = true;
    const first = await run('partner remove-webhook acme --yes');

    const early = await run(`partner set-webhook acme --url ${other}`);
    const between = await acme();
    stage.keeper.isDown = false;
    const second = await json('partner remove-webhook acme --yes');
    const later = await json(`partner set-webhook acme --url ${other}`);

    expect(first).toMatchObject({
      exitCode: 1,
      printed:
        'EventBridge still has resources of the webhook of "acme": the service continues, and "partner show acme" shows its state.\n',
    });
    expect(early.noted).toContain(
      'The removal of the webhook of "acme" has not ended yet: try again in half a minute.',
    );
    expect(between).not.toHaveProperty('webhookUrl');
    expect(second).toMatchObject({ webhookUrl: null, webhook: 'off' });
    expect(later).toMatchObject({ webhookUrl: other, webhook: 'on' });
  });

  test('EV-28 a partner whose endpoint is being created is not deleted because of an earlier status', async () => {
    await createPartner('acme');
    const { clientId } = await acme();
    stage.keeper.isDown = true;
    stage.keeper.statuses.set(clientId, {
      ...{ state: 'verifying', sinceMs: 0, reached: { wanted: 'none' } },
    });

    const said = await run('partner delete acme --yes');

    expect(said.exitCode).toBe(1);
    expect(said.noted).toContain('but EventBridge still has resources of it');
    expect(await acme()).toMatchObject({ enabled: false });
  });

  test('EV-28 a deletion wakes keep-endpoints before and after the record is deleted, even without a webhook', async () => {
    await createPartner('acme');
    const { clientId } = await acme();

    await json('partner delete acme --yes');

    expect(stage.keeper.sent).toEqual([{ clientId }, { clientId }]);
  });

  test('a partner is deleted when the bus has nothing of it; until then it is disabled, and the command not done', async () => {
    const { clientId } = await createPartner('acme', '--webhook-url', url);
    stage.keeper.isDown = true;
    const first = await json('partner delete acme --yes');
    const between = await acme();
    stage.keeper.isDown = false;

    const second = await json('partner delete acme --yes');

    expect(first).toEqual({
      error:
        '"acme" is disabled and has no webhook any more, but EventBridge still has resources of it: the service continues; run "partner delete acme" again.',
    });
    expect(between).toMatchObject({ enabled: false });
    expect(between).not.toHaveProperty('webhookUrl');
    expect(second).toEqual({ name: 'acme', clientId, deleted: true });
    expect(await stage.deps.partners.all()).toEqual([]);
    expect(stage.done.filter((command) => command === 'partner delete')).toHaveLength(1);
  });

  test.each(['check-webhook', 'pause', 'resume', 'remove-webhook'])(
    '%s of a partner without a webhook says so',
    async (command) => {
      await createPartner();

      expect(await json(`partner ${command} acme --yes`)).toEqual({
        error: 'The partner "acme" has no webhook: "partner set-webhook" sets one.',
      });
    },
  );
});

test('partner show says since when a webhook is on, paused or failing, by whom or why, and which address serves', async () => {
  await createPartner('acme', '--webhook-url', url);
  const shown = async () => (await run('partner show acme')).printed.replaceAll(/ +/g, ' ');

  expect(await shown()).toContain(`webhook ${url}\n on since ${since}\n signature of ${since}\n`);
  await json('partner pause acme');
  expect(await shown()).toContain(`webhook ${url}\n paused since ${since}, paused by the operator\n`);
  await json('partner resume acme');
  answering({ status: 500, wrongStatus: 401 });
  await run(`partner set-webhook acme --url ${other}`);
  expect(await shown()).toContain(
    `webhook ${other}\n failing since ${since}\n ! ${other} answers 500.\n served: ${url}\n`,
  );
});
