import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/repository.ts';
import { programs, receivers } from './kit-programs.ts';

/** The compilers that consumers have: the kit's own and the service's. */
export const compilers = {
  5: join(root, 'partner-kit/node_modules/typescript/bin/tsc'),
  7: join(root, 'node_modules/typescript/bin/tsc'),
};

const common = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  // The kit's declarations are judged, too.
  skipLibCheck: false,
  target: 'es2022',
};
const withDom = { ...common, lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] };

/** The code of the kit's README: a file a block, named by its heading, with a number from the second on. */
const readmeBlocks = (() => {
  const blocks = new Map<string, string>();
  const parts = readFileSync(join(root, 'partner-kit/README.md'), 'utf8').split(/^## /m);
  for (const part of parts) {
    const [heading = ''] = part.split('\n', 1);
    const codes = [...part.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
    for (const [index, code] of codes.entries())
      blocks.set(
        `${[...heading.toLowerCase().split(' '), ...(index > 0 ? [index + 1] : [])].join('-')}.mts`,
        code,
      );
  }
  return Object.fromEntries(blocks);
})();

/** A consumer needs either the types of Node or those of the web. */
export const languageSettings = {
  'node16 from ESM and CommonJS': {
    compilerOptions: { ...withDom, module: 'node16', moduleResolution: 'node16' },
    files: ['types.mts', 'types.cts'],
  },
  bundler: {
    compilerOptions: { ...withDom, module: 'esnext', moduleResolution: 'bundler' },
    files: ['types.mts'],
  },
  'with the types of Node': {
    compilerOptions: {
      ...{
        ...common,
        skipLibCheck: true,
        lib: ['es2022'],
        types: ['node'],
      },
      ...{ module: 'node16', moduleResolution: 'node16' },
    },
    files: ['types.mts', ...Object.keys(readmeBlocks)],
  },
};

const uses = `
const client = createClient({
  baseUrl: 'https://api.example.com',
  authUrl: 'https://auth.example.com',
  clientId: 'c',
  clientSecret: 's',
  fetch: async (input) =>
    String(input).endsWith('/oauth2/token')
      ? Response.json({ access_token: 't', token_type: 'Bearer', expires_in: 3600 })
      : Response.json({ title: 'Not Found', status: 404 }, { status: 404 }),
});
client.transactions.retrieve('u').then(
  () => console.log('it was found'),
  (error) => console.log(error instanceof NotFoundError && typeof createReceiver === 'function' ? 'ok' : error),
);
`;

const types = `
import { createClient, createReceiver, fetchHandler, nodeHandler, type Payment } from '@transactions/partner-kit';

const client = createClient({ baseUrl: '', authUrl: '', clientId: '', clientSecret: '' });
export const read = async () => {
  const { data } = await client.transactions.list({ fields: ['uuid', 'payments.value'] });
  const values: readonly (readonly string[])[] = data.map(({ payments }) => payments.map(({ value }) => value));
  // @ts-expect-error It was not asked for.
  data[0]?.status;
  // @ts-expect-error There is no such property.
  await client.transactions.list({ fields: ['payments.nope'] });
  const whole: Payment | undefined = (await client.transactions.retrieve('u', { expand: ['payments'] })).data.payments[0];
  return { values, whole };
};
const receiver = createReceiver({
  signatures: 's',
  source: 'svc.staging.online-payments',
  apply: (change) => {
    if (change.kind === 'state') change.transaction.payments.length;
    // @ts-expect-error Only a state brings a transaction.
    change.transaction;
  },
});
export const handlers = { fetch: fetchHandler(receiver), node: nodeHandler(receiver) };
`;

/** The files in the consumer's folder. */
export const consumer = {
  'consumer.mjs': `import { createClient, createReceiver, NotFoundError } from '@transactions/partner-kit';\n${uses}`,
  'consumer.cjs': `const { createClient, createReceiver, NotFoundError } = require('@transactions/partner-kit');\n${uses}`,
  'types.mts': types,
  'types.cts': types,
  ...readmeBlocks,
  ...programs,
  ...receivers,
};
