import type { EndpointUrlFault } from '../../../functions/shared/outbound/endpoint/url-policy.ts';
import {
  type Checked,
  isTaken,
  type ProbeFault,
  type Reached,
  refusesWrong,
} from '../../../functions/shared/outbound/probe/probe.ts';

/** Why a text is not a valid endpoint address, in one sentence (S-47). */
export const urlSentence = (fault: EndpointUrlFault, text: string): string => {
  const said = `"${text}"`;
  switch (fault) {
    case 'not-a-url':
      return `${said} is not a web address: write https://host/path.`;
    case 'not-https':
      return `${said} is not an https address.`;
    case 'user-info':
      return `${said} has a user name in it.`;
    case 'fragment':
      return `${said} has a part behind a #, which is never sent.`;
    case 'port':
      return `${said} names port 0, at which nothing can be reached.`;
    case 'ip-literal':
      return `${said} names its host by a number: endpoints have names.`;
    case 'host-name':
      return `${said} does not name its host in full, such as hooks.partner.example.`;
    case 'reserved-name':
      return `${said} names a host of a private network.`;
    case 'characters':
      return `${said} has characters that the bus does not take in an address, or more than 2,048 of them.`;
    case 'spelling':
      return `${said} is to be written as ${new URL(text).href}.`;
    default:
      return fault satisfies never;
  }
};

/** Why an endpoint could not be reached or used, in one sentence. */
export const faultSentence = (fault: ProbeFault, url: string): string => {
  switch (fault) {
    case 'timed out':
      return `${url} did not answer within 5 s.`;
    case 'name not found':
      return `The host of ${url} is not known.`;
    case 'address not allowed':
      return `The host of ${url} leads to an address that is not of the public internet.`;
    case 'answer too large':
      return `${url} answers with more than 64 kB.`;
    case 'too many interim answers':
      return `${url} answers with one interim answer after the other.`;
    case 'redirect':
      return `${url} redirects, and the bus follows no redirect: name the address that it leads to.`;
    default:
      return connectionSentence(fault.replace('no connection: ', ''), url);
  }
};

const connectionSentence = (code: string, url: string) => {
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of ${url} has expired.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `The certificate of ${url} is of another host.`;
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return `The certificate of ${url} is not to be trusted (${code}).`;
  return `${url} could not be reached (${code}).`;
};

/** How an endpoint responded to a wrong signature (TH-03). */
export const wrongSignatureSentence = (reached: Reached): string => {
  const { wrongStatus } = reached;
  switch (refusesWrong(reached)) {
    case true:
      return `It refuses a wrong signature (${wrongStatus}), as it should.`;
    case false:
      return `It takes messages with a wrong signature, too (${wrongStatus}): anybody could send it events.`;
    default:
      return `It answers a wrong signature with ${wrongStatus}, which does not say whether it checks signatures: 401 or 403 would.`;
  }
};

/** How an endpoint responded to the right signature. */
export const rightSignatureSentence = ({ status }: Checked): string =>
  isTaken(status)
    ? `It takes messages with its signature (${status}).`
    : `It does not take messages with its signature (${status}).`;

/** The bus retries for a day. */
export const mayStillArrive = 'What the bus has accepted already may still arrive for up to 24 h.';
