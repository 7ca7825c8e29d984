import { z } from 'zod';
import { named } from './named.ts';

const link = z.strictObject({
  href: z.url().describe('The address that the link leads to.'),
  type: z.string().optional().describe('The media type of the document there.'),
});
const links = (what: string) => z.array(link).min(1).optional().describe(what);

export const apiCatalog = named(
  z.strictObject({
    linkset: z
      .array(
        z.strictObject({
          anchor: z.url().describe('The address that the links are about.'),
          item: links('The addresses of the APIs that the catalogue lists.'),
          'service-desc': links('Descriptions of the API for programs, this document among them.'),
          'service-doc': links('Documentation of the API for people.'),
          'service-meta': links('Metadata of OAuth: who issues tokens, and how.'),
        }),
      )
      .min(1)
      .describe('One entry for the catalogue, and one for each API.'),
  }),
  'ApiCatalog',
  { description: 'A set of links (RFC 9264) to the API and to what describes it.' },
);
