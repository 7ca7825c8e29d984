import type { Media, OperationPage, Parameter, Sample } from './description.ts';
import { curl, php, python, type Request, typescript } from './languages.ts';

type Described = OperationPage & { parameters: readonly Parameter[]; origin: string };

/** Optional query parameters that samples show. */
const shown: Record<string, readonly string[]> = {
  listTransactions: ['filter[status]', 'expand'],
  getTransaction: ['expand'],
  listEvents: ['filter[state]'],
  getOrCreateTransaction: ['expand'],
};

/** The same request in four languages. For a webhook, the whole request that the receiver gets. */
export const samplesOf = (described: Described): Sample[] => {
  if (!described.path.startsWith('/')) return [{ lang: 'http', label: 'HTTP', source: received(described) }];
  const request = requestOf(described);
  return [
    { lang: 'sh', label: 'curl', source: curl(request) },
    { lang: 'php', label: 'PHP', source: php(request) },
    { lang: 'python', label: 'Python', source: python(request) },
    { lang: 'typescript', label: 'TypeScript', source: typescript(request) },
  ];
};

const requestOf = ({ method, path, parameters, origin, operation }: Described): Request => {
  const exampleValue = (name: string) => String(parameters.find((one) => one.name === name)?.example ?? '…');
  const sent = parameters.filter((one) => one.required || shown[operation.operationId]?.includes(one.name));
  const query = sent.filter((one) => one.in === 'query').map(({ name }) => [name, exampleValue(name)]);
  const [[type = '', media = {}] = []] = Object.entries(operation.requestBody?.content ?? {});
  const isKeyed = method === 'post' && parameters.some(({ name }) => name === 'Idempotency-Key');
  const isForm = type === 'application/x-www-form-urlencoded';
  return {
    method: method.toUpperCase(),
    url: origin + path.replaceAll(/\{([^}]+)\}/g, (_, name) => exampleValue(name)),
    query: Object.fromEntries(query),
    headers: {
      ...(isKeyed && { 'Idempotency-Key': exampleValue('Idempotency-Key') }),
      ...(type !== '' && !isForm && { 'Content-Type': type }),
    },
    auth: authOf(Object.keys(operation.security?.[0] ?? {})),
    answer: answerOf(operation.responses),
    ...(type !== '' &&
      (isForm ? { form: exampleOf(media) as Record<string, string> } : { json: exampleOf(media) })),
  };
};

const authOf = ([scheme]: readonly string[]): Request['auth'] => {
  if (scheme === undefined) return undefined;
  return scheme === 'client' ? 'basic' : 'bearer';
};

const answerOf = (responses: Described['operation']['responses']): Request['answer'] => {
  const [answer] = Object.entries(responses).flatMap(([status, one]) =>
    status.startsWith('2') ? [one] : [],
  );
  const [type] = Object.keys((answer && 'content' in answer && answer.content) || {});
  if (type === undefined) return 'nothing';
  return type.includes('json') ? 'json' : 'text';
};

const exampleOf = ({ example, examples = {} }: Media): unknown =>
  example ?? Object.values(examples)[0]?.value;

const received = ({ operation }: Described): string => {
  const [[type = '', media = {}] = []] = Object.entries(operation.requestBody?.content ?? {});
  const headers = [
    'POST /your/webhook HTTP/1.1',
    'Host: you.example',
    `Content-Type: ${type}`,
    'X-Webhook-Signature: …',
  ];
  return [...headers, '', JSON.stringify(exampleOf(media), null, 2)].join('\n');
};
