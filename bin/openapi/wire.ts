import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { oas31 } from 'zod-openapi';
import { columnNames, columns } from '../../functions/shared/domain/listing/columns.ts';
import { largestPerPage } from '../../functions/shared/domain/query/parameters.ts';
import { problemExamples } from './examples/problems.ts';

/**
 * The generator is `openapi-typescript`. Its peer, TypeScript 5, also compiles the kit's published types, so a
 * generator of our own would save no dependency.
 */
const ofKit = createRequire(join(import.meta.dirname, '../../partner-kit/package.json'));

type Generator = {
  default: (document: object, options: object) => Promise<object>;
  astToString: (made: object) => string;
};

const note = `// Made by \`npm run openapi\` of docs/openapi.json, which is made of the schemas that the service validates with.
// Do not edit.

`;

const filterNames = columnNames.map((name) => `\n  | '${columns[name].parameter}'`);

const problemNames = (problemExamples as { type: string }[]).map(
  ({ type }) => `\n  | '${type.split('#')[1]}'`,
);

/** Constants for the kit beside the bodies. */
const facts = `/** What explains a problem: the paragraph that its \`type\` leads to. */
export type ProblemName =${problemNames.join('')};

/** The filters of a list of transactions. */
export type FilterName =${filterNames.join('')};

/** The maximum of transactions or events on a page. */
export const largestPerPage = ${largestPerPage};

`;

/**
 * The types of all bodies, for the partner kit, whose methods replace the paths of the document. Leaves out other
 * values of open elements that imports may have stored, because they would hide the usual members
 * (decision 43), and examples, which would be longer than the types as comments.
 */
export const wireTypes = async (document: oas31.OpenAPIObject): Promise<string> => {
  const { default: generate, astToString } = ofKit('openapi-typescript') as Generator;
  const { openapi, info, components } = withoutImports(document);
  const bodies = { openapi, info, paths: {}, components: { schemas: components?.schemas } };
  return note + facts + astToString(await generate(bodies, { immutable: true }));
};

const withoutImports = (document: oas31.OpenAPIObject): oas31.OpenAPIObject =>
  JSON.parse(JSON.stringify(document), (name, value) => {
    if (name.startsWith('Imported') || (name === 'examples' && Array.isArray(value))) return undefined;
    return name === 'anyOf' ? value.filter(({ $ref = '' }) => !$ref.includes('/Imported')) : value;
  });
