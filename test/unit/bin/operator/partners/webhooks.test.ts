import { describe, expect, test } from '@jest/globals';
import type { EndpointProbe, ProbeFault } from '../../../../../functions/shared/outbound/probe/probe.ts';
import {
  begin,
  createPartner,
  json,
  run,
  stage,
  useOperatorTool,
} from '../../../../support/operator/operator-tool.ts';

useOperatorTool();

const url = 'https://acme.example/hook';
const nowhere = 'https://acme.example/2';

/** An endpoint with its statuses for a wrong and the right signature, or with the reason why it does not respond. */
const answering = (wrongStatus: number, status = 204): EndpointProbe => ({
  reach: async () => ({ ok: true, value: { wrongStatus } }),
  check: async () => ({ ok: true, value: { wrongStatus, status } }),
});
const failing = (reason: ProbeFault): EndpointProbe => ({
  reach: async () => ({ ok: false, reason }),
  check: async () => ({ ok: false, reason }),
});

const acme = async () => {
  const partner = await stage.deps.partners.byName('acme');
  if (!partner) throw new Error('There is no partner acme');
  return partner;
};
const differences = async () => (await stage.deps.endpoints.inspect(await acme())).map(({ code }) => code);

describe('RUN-5 partner create --webhook-url', () => {
  test('creates the endpoint at the bus with the signature that is printed', async () => {
    const { clientId, webhookSignature } = await createPartner('acme', '--webhook-url', url);

    const connection = stage.bus.connections.get(`transactions-local-${clientId}`);
    expect(connection?.AuthParameters?.ApiKeyAuthParameters?.ApiKeyValue).toBe(webhookSignature);
    expect((await acme()).webhookUrl).toBe(url);
    expect(await differences()).toEqual([]);
  });

  test('prints how the endpoint responded to a wrong signature, and what comes next', async () => {
    const refusing = await run(['partner', 'create', '--name', 'one', '--webhook-url', url]);
    begin({ probe: answering(200) });
    const taking = await run(['partner', 'create', '--name', 'two', '--webhook-url', url]);

    expect(refusing.noted).toBe(
      'The webhook answers. It refuses a wrong signature (401), as it should.\nOnce the partner knows its signature: "partner check-webhook one".\n',
    );
    expect(taking.noted).toBe(
      'The webhook answers. It takes messages with a wrong signature, too (200): anybody could send it events.\nOnce the partner knows its signature: "partner check-webhook two".\n',
    );
    expect([refusing.exitCode, taking.exitCode]).toEqual([0, 0]);
  });

  test.each<[ProbeFault, string]>([
    ['timed out', `${url} did not answer within 5 s.`],
    ['name not found', `The host of ${url} is not known.`],
    ['address not allowed', `The host of ${url} leads to an address that is not of the public internet.`],
    ['answer too large', `${url} answers with more than 64 kB.`],
    ['too many interim answers', `${url} answers with one interim answer after the other.`],
    ['redirect', `${url} redirects, and the bus follows no redirect: name the address that it leads to.`],
    ['no connection: ECONNREFUSED', `${url} could not be reached (ECONNREFUSED).`],
    ['no connection: CERT_HAS_EXPIRED', `The certificate of ${url} has expired.`],
    ['no connection: ERR_TLS_CERT_ALTNAME_INVALID', `The certificate of ${url} is of another host.`],
    [
      'no connection: DEPTH_ZERO_SELF_SIGNED_CERT',
      `The certificate of ${url} is not to be trusted (DEPTH_ZERO_SELF_SIGNED_CERT).`,
    ],
    [
      'no connection: UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      `The certificate of ${url} is not to be trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE).`,
    ],
  ])('creates no partner when the endpoint fails with "%s"', async (reason, error) => {
    begin({ probe: failing(reason) });

    expect(await createPartner('acme', '--webhook-url', url)).toEqual({ error });
    expect(await stage.deps.partners.all()).toEqual([]);
    expect(stage.records).toEqual([]);
  });

  test('prints the secrets although the bus fails afterwards, and set-webhook completes it', async () => {
    const { endpoints } = stage.deps;
    const broken = { ...endpoints, ensure: () => Promise.reject(new Error('no rights')) };
    begin({ endpoints: broken });

    const said = await run(['partner', 'create', '--name', 'acme', '--webhook-url', url, '--json']);

    expect(said.exitCode).toBe(1);
    expect(Object.keys(JSON.parse(said.printed))).toContain('clientSecret');
    expect(said.noted).toBe(
      'The partner is made, but not its webhook (no rights): "partner set-webhook" makes it.\n',
    );
    expect((await acme()).webhookUrl).toBeUndefined();
  });
});

describe('S-47 addresses', () => {
  test.each([
    ['not an address', '"not an address" is not a web address: write https://host/path.'],
    ['http://acme.example/', '"http://acme.example/" is not an https address.'],
    ['https://me@acme.example/', '"https://me@acme.example/" has a user name in it.'],
    ['https://acme.example/#x', '"https://acme.example/#x" has a part behind a #, which is never sent.'],
    ['https://acme.example:0/', '"https://acme.example:0/" names port 0, at which nothing can be reached.'],
    ['https://0x7f.1/', '"https://0x7f.1/" names its host by a number: endpoints have names.'],
    [
      'https://localhost/',
      '"https://localhost/" does not name its host in full, such as hooks.partner.example.',
    ],
    [
      'https://metadata.google.internal/',
      '"https://metadata.google.internal/" names a host of a private network.',
    ],
    [
      'https://acme.example/*',
      '"https://acme.example/*" has characters that the bus does not take in an address, or more than 2,048 of them.',
    ],
    ['https://аcme.example/', '"https://аcme.example/" is to be written as https://xn--cme-5cd.example/.'],
  ])('%s is refused in a sentence by both commands', async (text, error) => {
    await createPartner();

    expect(await json(['partner', 'set-webhook', 'acme', '--url', text])).toEqual({ error });
    expect(await createPartner('other', '--webhook-url', text)).toEqual({ error });
    expect(stage.records).toHaveLength(1);
  });

  test('the local stage accepts its own machine', async () => {
    begin({ endpointRules: { allowsLoopback: true } });

    await createPartner('acme', '--webhook-url', 'http://127.0.0.1:8790/acme');

    expect((await acme()).webhookUrl).toBe('http://127.0.0.1:8790/acme');
  });
});

describe('partner set-webhook', () => {
  const set = (...more: string[]) => ['partner', 'set-webhook', 'acme', '--url', url, ...more];

  test('asks the endpoint, adds it to the bus and prints the result', async () => {
    const { clientId } = await createPartner();

    expect(await json(set())).toEqual({
      ...{ name: 'acme', clientId, webhookUrl: url, before: { webhookUrl: null } },
      ...{ takesSignature: true, refusesWrongSignature: true, status: 204, wrongStatus: 401, fault: null },
      dryRun: false,
    });
    expect(await differences()).toEqual([]);
    expect(stage.records.at(-1)).toMatchObject({
      command: 'partner set-webhook',
      arguments: { name: 'acme', clientId, url },
    });
  });

  test('changes the address of an existing endpoint, and shows the difference', async () => {
    await createPartner('acme', '--webhook-url', nowhere);

    const said = await run(set());

    expect(said.printed).toBe(
      `It takes messages with its signature (204).\nIt refuses a wrong signature (401), as it should.\nPartner "acme":\n  - ${nowhere}\n  + ${url}\nDone.\n`,
    );
    expect((await acme()).webhookUrl).toBe(url);
    expect(await differences()).toEqual([]);
  });

  test('asks with the current signature, and with the next one during a rotation', async () => {
    const { webhookSignature } = await createPartner();
    const { nextWebhookSignature } = await json(['partner', 'rotate-signature', 'acme']);
    const asked: unknown[] = [];
    const { probe } = stage.deps;
    stage.deps.probe = {
      ...probe,
      check: (to, signature) => {
        asked.push([to.href, signature]);
        return probe.check(to, signature);
      },
    };

    await json(set());

    expect(asked).toEqual([[url, { signature: webhookSignature, next: nextWebhookSignature }]]);
  });

  test('refuses an endpoint that refuses its signature, unless --unchecked', async () => {
    begin({ probe: answering(401, 403) });
    await createPartner();

    const refused = await json(set());
    const before = (await acme()).webhookUrl;
    const unchecked = await json(set('--unchecked'));

    expect(refused).toEqual({
      error:
        'It does not take messages with its signature (403). It refuses a wrong signature (401), as it should. Nothing was changed. --unchecked sets it all the same.',
    });
    expect(before).toBeUndefined();
    expect(unchecked).toMatchObject({ webhookUrl: url, takesSignature: false, status: 403 });
    expect((await acme()).webhookUrl).toBe(url);
  });

  test('accepts an unreachable endpoint with --unchecked, but never one of a private network', async () => {
    begin({ probe: failing('timed out') });
    await createPartner();
    const unreached = await json(set('--unchecked'));
    stage.deps.probe = failing('address not allowed');
    const internal = await json(['partner', 'set-webhook', 'acme', '--url', nowhere, '--unchecked']);

    expect(unreached).toMatchObject({ fault: `${url} did not answer within 5 s.`, status: null });
    expect(internal).toEqual({
      error: `The host of ${nowhere} leads to an address that is not of the public internet.`,
    });
    expect((await acme()).webhookUrl).toBe(url);
  });

  test('a dry run asks the endpoint and changes nothing', async () => {
    await createPartner();
    const recorded = stage.records.length;

    const said = await run(set('--dry-run'));

    expect(said.printed).toContain(`  + ${url}\nNothing was changed (--dry-run).\n`);
    expect((await acme()).webhookUrl).toBeUndefined();
    expect(stage.bus.connections.size).toBe(0);
    expect(stage.records).toHaveLength(recorded);
  });

  test('with the same address, mends what the bus has', async () => {
    const { clientId } = await createPartner('acme', '--webhook-url', url);
    stage.bus.destinations.delete(`transactions-local-${clientId}`);

    await json(set());

    expect(await differences()).toEqual([]);
  });
});

describe('a bus that takes a while to know a new rule or target', () => {
  const waits: [number, string | undefined][] = [];
  const slow = () => {
    waits.length = 0;
    stage.deps.endpointEffectMs = 60_000;
    stage.deps.wait = async (ms) => void waits.push([ms, (await acme()).webhookUrl]);
  };

  test('is waited for before a new endpoint gets events, but not after a change of the address', async () => {
    await createPartner();
    slow();

    const said = await run(['partner', 'set-webhook', 'acme', '--url', url]);
    await run(['partner', 'set-webhook', 'acme', '--url', nowhere]);

    expect(waits).toEqual([[60_000, undefined]]);
    expect(said.noted).toBe('Waiting 60 s until the bus sends to it …\n');
  });

  test('is waited for before a mended endpoint gets events when it is resumed', async () => {
    const { clientId } = await createPartner('acme', '--webhook-url', url);
    await json(['partner', 'pause', 'acme']);
    slow();
    await json(['partner', 'resume', 'acme']);
    const whole = waits.splice(0).map(([ms]) => ms);
    await stage.deps.endpoints.detach(clientId);

    await json(['partner', 'resume', 'acme']);

    expect(whole).toEqual([20_000]);
    expect(waits.map(([ms]) => ms)).toEqual([60_000, 20_000]);
  });
});

describe('partner check-webhook', () => {
  test.each([
    [401, 204, 0, true, true],
    [200, 200, 1, true, false],
    [401, 500, 1, false, true],
    [403, 204, 0, true, true],
    ...[500, 503, 404, 400, 405, 429, 302].map((status) => [status, 204, 1, true, null] as const),
    [500, 500, 1, false, null],
  ] as const)(
    'status %i for the wrong and %i for the right signature is exit code %i',
    async (wrongStatus, status, exitCode, takesSignature, refusesWrongSignature) => {
      await createPartner('acme', '--webhook-url', url);
      stage.deps.probe = answering(wrongStatus, status);

      const said = await run(['partner', 'check-webhook', 'acme', '--json']);

      expect(said.exitCode).toBe(exitCode);
      expect(JSON.parse(said.printed)).toMatchObject({
        ...{ webhookUrl: url, takesSignature, refusesWrongSignature, takesNextSignature: null, fault: null },
      });
    },
  );

  test('TH-03 a fault is not praised as a refusal of the wrong signature', async () => {
    await createPartner('acme', '--webhook-url', url);
    stage.deps.probe = answering(500, 500);

    const { printed } = await run(['partner', 'check-webhook', 'acme']);

    expect(printed).toBe(
      `${url}\nIt does not take messages with its signature (500).\n` +
        'It answers a wrong signature with 500, which does not say whether it checks signatures: 401 or 403 would.\n',
    );
  });

  test('an endpoint that does not respond is exit code 1', async () => {
    await createPartner('acme', '--webhook-url', url);
    stage.deps.probe = failing('redirect');

    const said = await run(['partner', 'check-webhook', 'acme', '--json']);

    expect(said.exitCode).toBe(1);
    expect(JSON.parse(said.printed)).toMatchObject({
      takesSignature: false,
      refusesWrongSignature: null,
      fault: `${url} redirects, and the bus follows no redirect: name the address that it leads to.`,
    });
  });

  test('during a rotation it says whether --finish can switch', async () => {
    await createPartner('acme', '--webhook-url', url);
    const { nextWebhookSignature } = await json(['partner', 'rotate-signature', 'acme']);
    stage.deps.probe = {
      ...stage.deps.probe,
      check: async (_url, { signature }) => ({
        ok: true,
        value: { wrongStatus: 401, status: signature === nextWebhookSignature ? 401 : 204 },
      }),
    };

    const said = await run(['partner', 'check-webhook', 'acme']);

    expect(said).toMatchObject({
      exitCode: 0,
      printed: `${url}\nIt takes messages with its signature (204).\nIt refuses a wrong signature (401), as it should.\nIt does not take the announced signature yet.\n`,
    });
  });
});

describe('partner pause and resume', () => {
  test('pausing keeps events from the next one on; list and show say so', async () => {
    const { clientId } = await createPartner('acme', '--webhook-url', url);

    const paused = await json(['partner', 'pause', 'acme']);
    const again = await json(['partner', 'pause', 'acme']);

    expect([paused, again]).toEqual(Array(2).fill({ name: 'acme', clientId, webhookState: 'paused' }));
    expect(await acme()).toMatchObject({ webhookPaused: 'operator', webhookUrl: url });
    expect((await json(['partner', 'list']))[0]).toMatchObject({ webhookState: 'paused' });
    expect((await run(['partner', 'list'])).printed).toContain('paused');
  });

  test('resuming waits for runs that may still keep an event, and can be repeated', async () => {
    const waits: number[] = [];
    await createPartner('acme', '--webhook-url', url);
    await json(['partner', 'pause', 'acme']);
    stage.deps.wait = async (ms) => void waits.push(ms);

    const resumed = await json(['partner', 'resume', 'acme']);
    await json(['partner', 'resume', 'acme']);

    expect(resumed).toMatchObject({ name: 'acme', webhookState: 'active', events: 0 });
    expect(await acme()).not.toHaveProperty('webhookPaused');
    expect(waits).toEqual([20_000, 20_000]);
  });

  test('pausing a disabled partner says that nothing is kept for it yet', async () => {
    await createPartner('acme', '--webhook-url', url);
    await json(['partner', 'disable', 'acme']);

    expect((await run(['partner', 'pause', 'acme'])).printed).toContain(
      '"acme" is disabled: its events are neither sent nor kept before "partner enable", and then kept until "partner resume".\n',
    );
    expect((await acme()).webhookPaused).toBe('operator');
  });

  test('a disabled partner cannot be resumed, because its kept events would be dropped', async () => {
    await createPartner('acme', '--webhook-url', url);
    await json(['partner', 'pause', 'acme']);
    await json(['partner', 'disable', 'acme']);

    expect(await json(['partner', 'resume', 'acme'])).toEqual({
      error:
        'The partner "acme" is disabled: what is kept for it would be dropped. "partner enable" comes first.',
    });
    expect((await acme()).webhookPaused).toBe('operator');
  });
});

describe('partner remove-webhook, delete', () => {
  test('removing takes everything from the bus and the address from the record', async () => {
    await createPartner('acme', '--webhook-url', url);
    await json(['partner', 'pause', 'acme']);

    const said = await run(['partner', 'remove-webhook', 'acme'], 'acme');

    expect(said.printed).toBe('The webhook of "acme" is removed.\n');
    expect(Object.keys(await acme())).not.toContain('webhookUrl');
    expect(await acme()).not.toHaveProperty('webhookPaused');
    expect([stage.bus.rules.size, stage.bus.destinations.size, stage.bus.connections.size]).toEqual([
      0, 0, 0,
    ]);
  });

  test('removing asks for the name', async () => {
    await createPartner('acme', '--webhook-url', url);

    const said = await run(['partner', 'remove-webhook', 'acme']);

    expect(said).toMatchObject({ exitCode: 1 });
    expect(said.noted).toContain('There is no terminal to confirm this at: add --yes to do it.');
    expect((await acme()).webhookUrl).toBe(url);
  });

  test('deleting a partner removes its endpoint first', async () => {
    await createPartner('acme', '--webhook-url', url);

    await json(['partner', 'delete', 'acme', '--yes']);

    expect(await stage.deps.partners.all()).toEqual([]);
    expect([stage.bus.rules.size, stage.bus.destinations.size, stage.bus.connections.size]).toEqual([
      0, 0, 0,
    ]);
  });

  test.each(['check-webhook', 'pause', 'resume', 'remove-webhook'])(
    '%s of a partner without a webhook says so',
    async (command) => {
      await createPartner();

      expect(await json(['partner', command, 'acme', '--yes'])).toEqual({
        error: 'The partner "acme" has no webhook: "partner set-webhook" sets one.',
      });
    },
  );
});

describe('partner show', () => {
  test('names what differs between the bus and the record', async () => {
    const { clientId } = await createPartner('acme', '--webhook-url', url);
    const good = await json(['partner', 'show', 'acme']);
    stage.bus.rules.delete(`transactions-local-${clientId}`);

    const bad = await run(['partner', 'show', 'acme']);

    expect(good).toMatchObject({
      ...{ webhookUrl: url, webhookState: 'active', webhookDifferences: [] },
      webhookSignature: { createdAt: '2026-11-21T12:00:00.000Z', nextCreatedAt: null },
    });
    expect(bad.printed.replaceAll(/ +/g, ' ')).toContain(
      `webhook ${url}, active\n signature of 2026-11-21T12:00:00.000Z\n ! Its rule is missing: the bus drops its events.\n "partner set-webhook" with the same URL mends it.\n`,
    );
  });

  test('names what is left at the bus of a removed webhook', async () => {
    await createPartner('acme', '--webhook-url', url);
    const before = await acme();
    const { webhookUrl: _, ...after } = before;
    await stage.deps.partners.update({ before, after });

    const said = await run(['partner', 'show', 'acme']);
    await json(['partner', 'remove-webhook', 'acme', '--yes']);

    expect(said.printed).toContain('! The bus has parts of an endpoint, and the partner has no webhook.');
    expect(await json(['partner', 'show', 'acme'])).toMatchObject({ webhookDifferences: [] });
  });
});
