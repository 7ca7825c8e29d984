import { z } from 'zod';
import { named } from './named.ts';

const link = z.strictObject({ href: z.url(), type: z.string().optional() });
const links = z.array(link).min(1).optional();

export const apiCatalog = named(
  z.strictObject({
    linkset: z
      .array(
        z.strictObject({
          anchor: z.url(),
          item: links,
          'service-desc': links,
          'service-doc': links,
          'service-meta': links,
        }),
      )
      .min(1),
  }),
  'ApiCatalog',
  { description: 'A set of links (RFC 9264) to the API and to what describes it.' },
);
