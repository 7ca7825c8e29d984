import { type Description, type Operation, operationsOf } from './description.ts';
import { type Request, requestOf } from './request.ts';
import { rounds, type Step, variables } from './steps.ts';

type Script = {
  listen: 'prerequest' | 'test';
  script: { type: 'text/javascript'; exec: string[] };
};
type Entry = { name: string; request: Request; event: Script[] };

/** A collection of requests in Postman's format 2.1. */
export type Collection = {
  info: { name: string; schema: string; description: string };
  variable: { key: string; value: string }[];
  item: { name: string; description: string; item: Entry[] }[];
};

/**
 * Every operation of the document as a request. The requests run from top to bottom in Postman, Newman and Bruno, and
 * each uses variables that earlier ones set. Insomnia imports the requests without scripts.
 */
export const collectionOf = (document: Description): Collection => {
  const operations = operationsOf(document);
  const entryOf = (step: Step): Entry => {
    const operation = operations.get(step.operation);
    if (!operation) throw new Error(`The document has no operation ${step.operation}.`);
    return {
      name: step.name ?? operation.summary,
      request: requestOf(step, operation),
      event: scriptsOf(step, operation),
    };
  };
  return {
    info: { name: document.info.title, schema, description },
    variable: Object.entries({ ...addressesOf(document), ...variables }).map(([key, value]) => ({
      key,
      value,
    })),
    item: rounds.map(({ steps, ...round }) => ({ ...round, item: steps.map(entryOf) })),
  };
};

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const description = `Fill in the variables \`clientId\` and \`clientSecret\`, then run the requests from top to bottom. They change a
transaction and record a payment: use a stage that is for trying things. \`webhookUrl\` is needed where you have no webhook
yet. What nothing takes back is sent only where \`irreversible\` is \`yes\`.`;

const addressesOf = ({ servers, paths }: Description) => ({
  baseUrl: servers[0]?.url ?? '',
  authUrl: paths['/oauth2/token']?.servers?.[0]?.url ?? '',
});

const scriptsOf = ({ onlyIf, keeps = {} }: Step, operation: Operation): Script[] => [
  ...(onlyIf === undefined ? [] : [script('prerequest', [`if (!(${onlyIf})) pm.execution.skipRequest();`])]),
  script('test', [testOf(operation), ...Object.entries(keeps).flatMap(keeping)]),
];

const script = (listen: Script['listen'], exec: string[]): Script => ({
  listen,
  script: { type: 'text/javascript', exec },
});

const testOf = ({ responses }: Operation) => {
  const status = statusOf(Object.keys(responses));
  return `pm.test('The answer is ${status}', () => pm.response.to.have.status(${status}));`;
};

/** The status of a first request. 201 is documented beside the 200 of a repetition. */
const statusOf = (statuses: readonly string[]): number => {
  const good = statuses.map(Number).filter((status) => status < 300);
  return Math.max(...good.filter((status) => good.length === 1 || status !== 204));
};

const keeping = ([name, expression]: [string, string]) => [
  `const ${name} = ${expression};`,
  `if (${name}) pm.collectionVariables.set('${name}', ${name});`,
];
