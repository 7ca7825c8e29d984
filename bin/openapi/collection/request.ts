import type { Body, Operation } from './description.ts';
import type { Step } from './steps.ts';

type Pair = { key: string; value: string; type?: 'string'; disabled?: true };
type Auth = { type: 'noauth' | 'basic' | 'bearer'; basic?: Pair[]; bearer?: Pair[] };

/** A request of Postman's format 2.1. */
export type Request = {
  method: string;
  url: { raw: string; host: string[]; path: string[]; query: Pair[] };
  auth: Auth;
  header: Pair[];
  body?:
    | { mode: 'raw'; raw: string; options: { raw: { language: 'json' } } }
    | { mode: 'urlencoded'; urlencoded: Pair[] };
  description?: string;
};

/** The request of a step. Optional headers are left out, because Insomnia's importer would send them. */
export const requestOf = (step: Step, operation: Operation): Request => {
  const { method, description, requestBody } = operation;
  const body = requestBody && bodyOf(step, requestBody);
  const type = body?.mode === 'raw' ? [{ key: 'Content-Type', value: 'application/json' }] : [];
  return {
    method,
    url: urlOf(step, operation),
    auth: authOf(step, operation),
    header: [...type, ...pairsOf(step.headers ?? {})],
    ...(body && { body }),
    ...(description !== undefined && { description }),
  };
};

const urlOf = ({ path: values = {}, query: sent = {} }: Step, operation: Operation): Request['url'] => {
  const exampleOf = (name: string) =>
    operation.parameters.find((one) => one.in === 'path' && one.name === name)?.example;
  const host = operation.server === undefined ? '{{baseUrl}}' : '{{authUrl}}';
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => values[name] ?? String(exampleOf(name)),
  );
  const text = Object.entries(sent).map(([name, value]) => `${name}=${value}`);
  return {
    raw: `${host}${path}${text.length > 0 ? `?${text.join('&')}` : ''}`,
    ...{ host: [host], path: path.slice(1).split('/') },
    query: [...pairsOf(sent), ...notSent(operation, sent)],
  };
};

const notSent = ({ parameters }: Operation, sent: Record<string, string>): Pair[] =>
  parameters
    .filter((one) => one.in === 'query' && !(one.name in sent))
    .map(({ name, example }) => ({ key: name, value: String(example), disabled: true }));

const authOf = ({ auth }: Step, { security }: Operation): Auth => {
  const schemes = auth === 'none' ? [] : security.flatMap((one) => Object.keys(one));
  if (schemes.includes('client')) {
    const credentials = { username: '{{clientId}}', password: '{{clientSecret}}' };
    return { type: 'basic', basic: textsOf(credentials) };
  }
  const [scheme] = schemes;
  if (scheme !== 'accessToken' && scheme !== 'session') return { type: 'noauth' };
  const token = scheme === 'accessToken' ? '{{accessToken}}' : '{{sessionToken}}';
  return { type: 'bearer', bearer: textsOf({ token }) };
};

const bodyOf = ({ example, body: instead = {} }: Step, { content }: Body): Request['body'] => {
  const form = 'application/x-www-form-urlencoded';
  const { examples = {} } = content[form] ?? content['application/json'] ?? {};
  const given = example === undefined ? Object.values(examples)[0] : examples[example];
  const members: Record<string, unknown> = { ...given?.value, ...instead };
  if (!(form in content))
    return { mode: 'raw', raw: JSON.stringify(members, null, 2), options: { raw: { language: 'json' } } };
  const sent = Object.entries(members).filter(([, value]) => value !== undefined);
  return { mode: 'urlencoded', urlencoded: pairsOf(Object.fromEntries(sent) as Record<string, string>) };
};

const pairsOf = (values: Record<string, string>): Pair[] =>
  Object.entries(values).map(([key, value]) => ({ key, value }));

const textsOf = (values: Record<string, string>): Pair[] =>
  pairsOf(values).map((pair) => ({ ...pair, type: 'string' }));
