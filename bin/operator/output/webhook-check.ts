import type { EndpointCheck } from '../../../functions/shared/domain/endpoint.ts';
import { isTaken, type ProbeFault, refusesWrong } from '../partners/endpoint-answers.ts';

/** The result of a check as JSON; null where the endpoint did not answer, or its answer is inconclusive. */
export const checkView = ({ status, wrongStatus, nextStatus, fault, url }: EndpointCheck) => ({
  takesSignature: status !== undefined && isTaken(status),
  refusesWrongSignature: wrongStatus === undefined ? null : (refusesWrong({ wrongStatus }) ?? null),
  takesNextSignature: nextStatus === undefined ? null : isTaken(nextStatus),
  status: status ?? null,
  wrongStatus: wrongStatus ?? null,
  fault: fault === undefined ? null : faultSentence(fault, url),
});

/** Whether the endpoint accepts the right signature and refuses a wrong one. */
export const isGood = (check: EndpointCheck): boolean =>
  takesRight(check) &&
  check.wrongStatus !== undefined &&
  refusesWrong({ wrongStatus: check.wrongStatus }) === true;

/** Whether the endpoint accepts its present signature. */
export const takesRight = ({ status }: EndpointCheck): boolean => status !== undefined && isTaken(status);

/** The result of a check as text, a sentence for each answer. */
export const checkText = ({ status, wrongStatus, nextStatus, fault, url }: EndpointCheck): string =>
  [
    ...(fault === undefined ? [] : [faultSentence(fault, url)]),
    ...(status === undefined ? [] : [rightSignatureSentence(status)]),
    ...(wrongStatus === undefined ? [] : [wrongSignatureSentence(wrongStatus)]),
    ...(nextStatus === undefined ? [] : [nextSignatureSentence(nextStatus)]),
  ]
    .map((sentence) => `${sentence}\n`)
    .join('');

/** A sentence that says why an endpoint could not be reached or used. */
export const faultSentence = (fault: string, url: string): string => {
  switch (fault as ProbeFault) {
    case 'timed out':
      return `${url} did not answer within 5 s.`;
    case 'name not found':
      return `The host of ${url} is not known.`;
    case 'address not allowed':
      return `The host of ${url} resolves to an address outside the public internet.`;
    case 'answer too large':
      return `${url} answers with more than 64 kB.`;
    case 'too many interim answers':
      return `${url} keeps sending interim (1xx) answers.`;
    case 'redirect':
      return `${url} redirects. EventBridge follows no redirects: use the target address.`;
    default:
      return connectionSentence(fault.replace('no connection: ', ''), url);
  }
};

const connectionSentence = (code: string, url: string) => {
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of ${url} has expired.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `The certificate of ${url} is of another host.`;
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return `The certificate of ${url} is not trusted (${code}).`;
  return `${url} could not be reached (${code}).`;
};

/** How the endpoint answered a wrong signature (TH-03). */
const wrongSignatureSentence = (wrongStatus: number): string => {
  switch (refusesWrong({ wrongStatus })) {
    case true:
      return `It refuses a wrong signature (${wrongStatus}), as it should.`;
    case false:
      return `It also accepts messages with a wrong signature (${wrongStatus}): anybody could send it events.`;
    default:
      return `It answers a wrong signature with ${wrongStatus}, which does not prove that it checks signatures: answer 401 or 403.`;
  }
};

const rightSignatureSentence = (status: number): string =>
  isTaken(status)
    ? `It accepts messages with its signature (${status}).`
    : `It does not accept messages with its signature (${status}).`;

const nextSignatureSentence = (nextStatus: number): string =>
  isTaken(nextStatus)
    ? 'It also accepts the next signature: "partner rotate-signature --finish" can switch.'
    : `It does not accept the next signature yet (${nextStatus}).`;
