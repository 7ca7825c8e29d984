import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { apiCatalogExample } from '../examples/documents.ts';
import { cached, onEvery, tagged } from '../parts/headers.ts';
import { always, notModified } from '../parts/operation.ts';
import { correlation, pageInPath, unlessTagged } from '../parts/parameters.ts';
import { notFound } from '../parts/refusals.ts';
import { asNobody } from '../parts/security.ts';
import { apiCatalog } from '../schemas/documents.ts';

const tags = ['Documents'];

type Document = Pick<ZodOpenApiOperationObject, 'operationId' | 'summary' | 'description'> & {
  content: { [type: string]: { schema: z.ZodType; example: unknown } };
  path?: { [name: string]: z.ZodType };
};

const document = ({ content, path, ...about }: Document): ZodOpenApiOperationObject => ({
  ...about,
  tags,
  security: asNobody,
  requestParams: {
    ...(path && { path: z.object(path) }),
    header: z.object({ ...unlessTagged, ...correlation }),
  },
  responses: {
    '200': {
      description: 'The document, with the addresses of this stage.',
      headers: z.object({ ...onEvery, ...tagged, ...cached }),
      content: Object.fromEntries(
        Object.entries(content).map(([type, { schema, example }]) => [
          type,
          { schema, examples: { document: { summary: 'How it begins', value: example } } },
        ]),
      ),
    },
    '304': notModified({ ...tagged, ...cached }),
    ...(path && { '404': pageNotFound }),
    ...always,
  },
});

const page = { schema: z.string(), example: '<!doctype html>' };

const pageNotFound = {
  ...notFound,
  id: 'PageNotFound',
  description: 'No page has this address. Browsers, which accept `text/html`, get a page that says so.',
  content: { ...notFound.content, 'text/html': page },
};
const markdown = { schema: z.string(), example: '# Problems' };

/** Documents about the service itself, for people and programs. */
export const documents: ZodOpenApiPathsObject = {
  '/openapi.json': {
    get: document({
      operationId: 'getDescription',
      summary: 'Get this OpenAPI description',
      description:
        'This document, for tools: every operation, parameter, answer, problem and webhook, with the addresses of this stage.',
      content: {
        'application/json': {
          schema: z.looseObject({
            openapi: z.string().describe('The version of OpenAPI that the file is written in.'),
            paths: z.looseObject({}).describe('Every operation, by its path and its method.'),
          }),
          example: { openapi: '3.1.1', paths: {} },
        },
      },
    }),
  },
  '/docs': {
    get: document({
      operationId: 'getDocs',
      summary: 'Open the documentation',
      description: 'The first page of the documentation, with links to the guides and the reference.',
      content: { 'text/html': page },
    }),
  },
  '/docs/{page}': {
    get: document({
      operationId: 'getDocsPage',
      summary: 'Open a page of the documentation',
      description:
        'A guide as a page, or below `reference/` an operation. With `.md` after the name, the guide as Markdown. Also `collection.json` and `api-changelog.json`.',
      path: pageInPath,
      content: {
        'text/html': page,
        'text/markdown': markdown,
        'application/json': {
          schema: z.union([z.looseObject({}), z.array(z.looseObject({}))]),
          example: { info: { name: 'Transactions' }, item: [] },
        },
        'text/javascript': { schema: z.string(), example: "import { createServer } from 'node:http';" },
        'image/svg+xml': { schema: z.string(), example: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
      },
    }),
  },
  '/llms.txt': {
    get: document({
      operationId: 'getOverviewForTools',
      summary: 'Get an overview for language models',
      description:
        '`llms.txt`: what the service is, and the addresses of its guides and descriptions, in Markdown.',
      content: { 'text/plain': markdown },
    }),
  },
  '/.well-known/api-catalog': {
    get: document({
      operationId: 'getApiCatalog',
      summary: 'Get the API catalogue',
      description: 'Lists the addresses of the API and of its descriptions (RFC 9727).',
      content: { 'application/linkset+json': { schema: apiCatalog, example: apiCatalogExample } },
    }),
  },
};
