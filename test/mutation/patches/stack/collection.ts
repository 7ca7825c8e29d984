import { namedPatch, type Patch } from '../../patch.ts';

const file = 'bin/openapi/collection.ts';
const patch = namedPatch('collection', ['test/unit/bin/openapi/collection.test.ts']);

/** The collection of requests; each is made anew of the document, and compared with what is kept. */
export const patches: readonly Patch[] = [
  patch(
    ['webhooks', 'OA-20 it has the operations of the document, and no webhook'],
    [file, "item.filter(({ name }) => name !== 'Webhooks')", 'item'],
  ),
  patch(
    ['addresses', 'OA-20 addresses are variables'],
    [file, "'{{authUrl}}' : '{{baseUrl}}'", 'variables.authUrl : variables.baseUrl'],
  ),
  patch(
    ['credentials', 'OA-20 credentials are variables'],
    [file, "? '{{accessToken}}' : '{{sessionToken}}'", "? 'access-token' : 'session-token'"],
  ),
];
