import { exampleAddresses } from '../../functions/serve-docs/document.ts';
import type { Guide } from './guides.ts';

const { baseUrl, authUrl } = exampleAddresses;

/** A summary of the site for language models (llmstxt.org), with the address of each guide as Markdown. */
export const overviewForTools = (guides: readonly Guide[]): string =>
  [
    '# Transactions',
    '',
    '> Checkout transactions for vehicle purchases: partners read and change them by an API (V2, OAuth client',
    '> credentials), and are notified by webhooks of what changed. Checkouts use V1, a session for one end user.',
    '',
    '## Guides',
    '',
    ...guides.map(({ name, title, summary }) => `- [${title}](${baseUrl}/docs/${name}.md): ${summary}`),
    '',
    '## Descriptions for programs',
    '',
    `- [OpenAPI 3.1](${baseUrl}/openapi.json): every operation, parameter, answer, problem and webhook`,
    `- [Collection of requests](${baseUrl}/docs/collection.json): every request, for Postman, Bruno and Insomnia`,
    `- [Changes](${baseUrl}/docs/api-changelog.json): what changed in the interface, by date`,
    `- [API catalogue](${baseUrl}/.well-known/api-catalog): the addresses of the API and of its descriptions (RFC 9727)`,
    `- [Protected resource](${baseUrl}/.well-known/oauth-protected-resource/api/v2): who issues its tokens (RFC 9728)`,
    `- [Token service](${authUrl}/.well-known/oauth-authorization-server): its addresses (RFC 8414)`,
    '',
  ].join('\n');

/** RFC 9727: the API and its descriptions as a linkset (RFC 9264). */
export const apiCatalog = (): string => {
  const openApi = { href: `${baseUrl}/openapi.json`, type: 'application/vnd.oai.openapi+json;version=3.1' };
  const collection = { href: `${baseUrl}/docs/collection.json`, type: 'application/json' };
  const docs = { href: `${baseUrl}/docs`, type: 'text/html' };
  const changes = { href: `${baseUrl}/docs/changes`, type: 'text/html' };
  const linkset = [
    {
      anchor: `${baseUrl}/.well-known/api-catalog`,
      item: [{ href: `${baseUrl}/api/v2` }, { href: `${authUrl}/oauth2/token` }],
    },
    {
      anchor: `${baseUrl}/api/v2`,
      'service-desc': [openApi, collection],
      'service-doc': [docs, changes],
      'service-meta': [
        { href: `${baseUrl}/.well-known/oauth-protected-resource/api/v2`, type: 'application/json' },
      ],
    },
    {
      anchor: `${authUrl}/oauth2/token`,
      'service-desc': [openApi, collection],
      'service-doc': [docs, changes],
      'service-meta': [
        { href: `${authUrl}/.well-known/oauth-authorization-server`, type: 'application/json' },
      ],
    },
  ];
  return JSON.stringify({ linkset });
};
