import { faultsAt, pointer } from './description.ts';
import { meantBy, type Operation, operationsAt, valueAt, within } from './operations.ts';

/** A request and its answer, both read to the end. */
export type Exchange = {
  method: string;
  /** As it was sent, with its query. */
  target: string;
  sent: { contentType: string; text: string };
  answer: { status: number; headers: Headers; text: string };
};

/** What an exchange was, and what of it is not as the document says. */
export type Judgement = { operation: Operation | undefined; findings: string[] };

/** Judges an exchange by the document; what the document cannot describe, by the rules of `outside`. */
export const judge = (exchange: Exchange): Judgement => {
  const { method, target, answer } = exchange;
  const [path = ''] = target.split('?');
  const there = operationsAt(path);
  const operation = there.find((one) => one.method === (method === 'HEAD' ? 'GET' : method));
  const findings = operation
    ? [...answerFindings(operation, exchange), ...requestFindings(operation, exchange)]
    : outside(exchange, there);
  const name = operation ? `${operation.id} (${method} ${operation.path})` : `${method} ${path}`;
  return { operation, findings: findings.map((finding) => `${name}, ${answer.status}: ${finding}`) };
};

/**
 * ERR-5: the gateway knows no such route, or cannot read the request. VERB-1: the function knows no such method; OPTIONS asks
 * which there are.
 */
const outside = ({ method, answer }: Exchange, there: readonly Operation[]): string[] => {
  const { status, headers, text } = answer;
  if (there.length === 0)
    return [...unless([400, 404].includes(status), 'there is no such path'), ...refusalFindings(text)];
  if (method === 'OPTIONS') return unless(status === 204 && text === '', 'a list of methods is 204');
  return [
    ...unless(status === 405, 'there is no such method'),
    ...unless(headers.has('allow'), 'the header Allow is missing'),
    ...refusalFindings(text),
  ];
};

/** Each of the two APIs refuses in a shape of its own. */
const refusalFindings = (text: string): string[] => {
  const [problem = [], oauth = []] = ['Problem', 'OAuthError'].map((name) =>
    bodyFindings(pointer('components', 'schemas', name), text),
  );
  return oauth.length === 0 ? [] : problem;
};

const answerFindings = ({ place }: Operation, { method, answer }: Exchange): string[] => {
  const response = within(place, 'responses', String(answer.status));
  if (response === undefined) return ['the status is not described'];
  return [
    ...headerFindings(response, answer.headers, method),
    ...(method === 'HEAD'
      ? unless(answer.text === '', 'has a body')
      : contentFindings(response, answer.headers.get('content-type') ?? '', answer.text)),
  ];
};

/** What is taken is as described, too. */
const requestFindings = ({ place }: Operation, { sent, answer }: Exchange): string[] => {
  const body = within(place, 'requestBody');
  if (answer.status >= 300 || body === undefined) return [];
  if (sent.text === '' && !valueAt(body)?.required) return [];
  return contentFindings(body, sent.contentType, sent.text).map((finding) => `the request: ${finding}`);
};

/** Headers that say nothing of an operation, each with the values that it may have. */
const ofAnyAnswer: Record<string, RegExp> = {
  // HTTP itself, and how a body is written.
  ...{ connection: /./, 'content-length': /./, 'content-type': /./, date: /./, 'keep-alive': /./ },
  'transfer-encoding': /./,
  // S-45: headers for browsers and caches. `pragma` beside `no-store`, as RFC 6749, 5.1 asks.
  'cache-control': /^(private, no-cache|no-store)$/,
  vary: /^(Authorization|Origin|Authorization, Origin|Origin, Authorization|Accept-Encoding|Accept, Accept-Encoding)$/,
  // DOC-7, what a browser may do with a page.
  'content-security-policy': /^default-src 'none'; /,
  ...{ 'cross-origin-resource-policy': /^cross-origin$/, 'referrer-policy': /^no-referrer$/ },
  'x-content-type-options': /^nosniff$/,
  'strict-transport-security': /^max-age=31536000; includeSubDomains$/,
  pragma: /^no-cache$/,
  // V1-7, scripts of a shop.
  ...{ 'access-control-allow-origin': /^(\*|https?:)/, 'access-control-expose-headers': /./ },
};

const headerFindings = (response: string, headers: Headers, method: string): string[] => {
  const described = new Map(
    Object.keys(valueAt(`${response}/headers`) ?? {}).map((name) => [
      name.toLowerCase(),
      meantBy(response + pointer('headers', name).slice(1)),
    ]),
  );
  const strange = [...headers]
    .filter(([name, value]) => !described.has(name) && !ofAnyAnswer[name]?.test(value))
    .map(([name, value]) => `the header ${name} is not described: ${value}`);
  // What needs the body to be made may be left out of an answer without one (RFC 9110, 9.3.2).
  const missing = [...described].filter(
    ([name, place]) => method !== 'HEAD' && valueAt(place)?.required && !headers.has(name),
  );
  const wrong = [...described].flatMap(([name, place]) => {
    const value = headers.get(name);
    return value === null
      ? []
      : faultsAt(`${place}/schema`, value).map((fault) => `the header ${name}: ${fault}`);
  });
  return [...strange, ...missing.map(([name]) => `the header ${name} is missing`), ...wrong];
};

/** What is wrong with a body by the content of a response or of a request. */
const contentFindings = (place: string, contentType: string, text: string): string[] => {
  const described = Object.keys(valueAt(`${place}/content`) ?? {});
  if (described.length === 0) return unless(text === '', 'a body is not described');
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const schema = within(place, 'content', type, 'schema');
  if (schema === undefined) return [`the content type "${type}" is not one of ${described.join(', ')}`];
  if (type.endsWith('json')) return bodyFindings(schema, text);
  const isForm = type === 'application/x-www-form-urlencoded';
  return faultsAt(schema, isForm ? Object.fromEntries(new URLSearchParams(text)) : text);
};

const bodyFindings = (schema: string, text: string): string[] => {
  try {
    return faultsAt(schema, JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return [`the body is no JSON: ${text.slice(0, 80)}`];
    throw error;
  }
};

const unless = (holds: boolean, finding: string): string[] => (holds ? [] : [finding]);
