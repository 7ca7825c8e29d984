import { type Expectation, hasStatus, isTrue } from '../answer.ts';
import { type Check, withoutGateway } from '../check.ts';
import { hasOwnDomain, type TlsVersion, type Visit } from '../visit.ts';

const hostsOf = ({ baseUrl, authUrl }: Visit) => [...new Set([baseUrl, authUrl].map(originOf))];
const originOf = (url: string) => new URL(url).origin;

const withoutTransport = (visit: Visit): string | undefined =>
  visit.isEmulated ? 'an emulator answers in the place of AWS' : withoutGateway(visit);

const withoutDomain = (visit: Visit): string | undefined =>
  hasOwnDomain(visit) ? undefined : 'the stage has no domain of its own';

/** What no function sees: connections, and addresses that nobody is told of. */
export const transportChecks: readonly Check[] = [
  {
    title: 'O-56 TLS 1.2 and TLS 1.3 are taken',
    unless: withoutTransport,
    look: async (visit) =>
      (await tried(visit, ['TLSv1.2', 'TLSv1.3'])).map(({ host, version, isTaken }) =>
        isTrue(`${host} takes ${version}`, isTaken, 'no connection'),
      ),
    mend: 'look at the certificate (npm run preflight) and at the security policy of the domain names in API Gateway',
  },
  {
    title: 'O-56 TLS 1.0 and TLS 1.1 are refused',
    unless: withoutTransport,
    look: async (visit) =>
      (await tried(visit, ['TLSv1', 'TLSv1.1'])).map(({ host, version, isTaken }) =>
        isTrue(`${host} refuses ${version}`, !isTaken, 'it is taken'),
      ),
    mend: 'the security policy of both APIs counts, not that of the domain names (lib/constructs/rest-api.ts): deploy the service stack again, and wait a quarter of an hour',
  },
  {
    title: 'O-56 nothing is served without TLS',
    unless: withoutTransport,
    look: async (visit) => Promise.all(hostsOf(visit).map((host) => withoutTls(visit, host))),
    mend: 'see what listens on port 80 of the host: DNS may lead elsewhere than to API Gateway',
  },
  {
    title: "S-74 with a domain of its own, API Gateway's addresses answer no more",
    unless: withoutDomain,
    // "Custom domain name for public REST APIs": clients of a disabled default endpoint get 403.
    look: async ({ gatewayUrls, send }) =>
      (await Promise.all(gatewayUrls.map((url) => send(`${url}/api/v2/transaction`)))).map((answer) =>
        hasStatus(answer, 403),
      ),
    mend: 'disableExecuteApiEndpoint of both APIs takes effect with a deployment of the stage: deploy the service stack again',
  },
];

const tried = (visit: Visit, versions: readonly TlsVersion[]) =>
  Promise.all(
    hostsOf(visit)
      .flatMap((host) => versions.map((version) => ({ host, version })))
      .map(async ({ host, version }) => ({ host, version, isTaken: await visit.takes(host, version) })),
  );

const withoutTls = (visit: Visit, host: string): Promise<Expectation> =>
  visit.send(host.replace(/^https:/, 'http:')).then(
    (answer) => hasStatus(answer, 403),
    () => isTrue('no connection', true),
  );
