import assert from 'node:assert/strict';
import type { SecureVersion } from 'node:tls';
import { programOf } from './clients.ts';
import { takesTls } from './tls.ts';
import type { Journey, World } from './world.ts';

const originsOf = ({ baseUrl, authUrl }: World) =>
  new Set([baseUrl, authUrl].map((url) => new URL(url).origin));

/** What AWS does before and after the functions, which no emulator does. */
type Aws = {
  /** What API Gateway itself calls the two APIs. */
  gatewayUrls: readonly string[];
  /** What callers call the API that they use. */
  baseUrl?: string;
  /** The certificate authority, if Node does not know it. */
  ca?: string;
};

const assertTls = async (world: World, { ca }: Aws, versions: Partial<Record<SecureVersion, boolean>>) => {
  for (const origin of originsOf(world))
    for (const [version, isTaken] of Object.entries(versions))
      assert.equal(
        await takesTls(origin, version as SecureVersion, ca),
        isTaken,
        `${origin} ${isTaken ? 'refuses' : 'takes'} ${version}`,
      );
};

/** What functions do not see: connections and unknown addresses. Only on AWS (D-42). */
export const transportJourney = (aws: Aws): Journey => ({
  name: 'a caller connects to AWS',
  steps: [
    {
      title: 'O-56 TLS 1.2 and TLS 1.3 are taken',
      check: (world) => assertTls(world, aws, { 'TLSv1.2': true, 'TLSv1.3': true }),
      mend: 'look at the certificate (npm run preflight) and at the security policy of the domain names in API Gateway',
    },
    {
      title: 'O-56 TLS 1.0 and TLS 1.1 are refused',
      check: (world) => assertTls(world, aws, { TLSv1: false, 'TLSv1.1': false }),
      mend: 'the security policy of both APIs counts, not that of the domain names (lib/constructs/api/rest-api.ts): deploy the service stack again, and wait a quarter of an hour',
    },
    {
      title: 'O-56 nothing is served without TLS',
      check: async (world) => {
        for (const origin of originsOf(world)) {
          const answer = await world.send(origin.replace(/^https:/, 'http:')).catch(() => undefined);
          assert.ok(answer === undefined || answer.status === 403, `${answer?.status} from ${origin}`);
        }
      },
      mend: 'see what listens on port 80 of the host: DNS may lead elsewhere than to API Gateway',
    },
    ...(aws.gatewayUrls.includes(aws.baseUrl ?? '') ? [] : [ownDomainAlone(aws)]),
  ],
});

const ownDomainAlone = ({ gatewayUrls }: Aws): Journey['steps'][number] => ({
  title: "S-74 with a domain of its own, API Gateway's addresses answer no more",
  // "Custom domain name for public REST APIs": clients of a disabled default endpoint get 403.
  check: async ({ send }) => {
    for (const url of gatewayUrls) assert.equal((await send(`${url}/api/v2/transaction`)).status, 403, url);
  },
  mend: 'disableExecuteApiEndpoint of both APIs takes effect with a deployment of the stage: deploy the service stack again',
});

/** A long answer, as AWS alone compresses it. */
export const compressionJourney: Journey = {
  name: 'a partner asks for a long answer',
  steps: [
    {
      title: 'D-41 a long answer is compressed for who accepts it, and plain for who does not',
      check: async (world) => {
        // Links repeat every parameter (LINK-3), so that an empty list is long, too.
        const target = `/api/v2/transaction?per-page=1&x=${'x'.repeat(600)}`;
        const answerIn = (coding: string) =>
          programOf(world).ask(target, { headers: { 'Accept-Encoding': coding } });
        const compressed = await answerIn('gzip');
        const plain = await answerIn('identity');

        assert.equal(compressed.status, 200, compressed.text);
        assert.equal(compressed.headers.get('Content-Encoding'), 'gzip');
        assert.equal(plain.headers.get('Content-Encoding'), null);
        assert.equal(plain.text, compressed.text);
      },
      mend: 'minCompressionSize in lib/constructs/api/rest-api.ts takes effect with a deployment of the API',
    },
  ],
};
