/** A group of the menu: guides by name (`docs/guide/<name>.md`), then the operations with these tags. */
export type Group = {
  label: string;
  guides: readonly string[];
  tags: readonly string[];
  /** Pages that the generator makes itself, by path. */
  links?: readonly { label: string; link: string }[];
};

/** Every page of the site, in reading order. Add a new guide here. */
export const groups: readonly Group[] = [
  { label: 'Start', guides: ['start'], tags: [] },
  {
    label: 'Transactions',
    guides: ['transactions', 'filters', 'paging', 'expand-and-fields'],
    tags: ['Transactions'],
  },
  { label: 'Payments', guides: ['payments'], tags: ['Payments'] },
  {
    label: 'Webhooks and events',
    guides: ['webhooks', 'events', 'manage-webhook'],
    tags: ['Webhooks', 'Events', 'Partner'],
  },
  { label: 'Tokens', guides: ['tokens'], tags: ['Tokens'] },
  { label: 'Errors', guides: ['problems', 'limits'], tags: [] },
  { label: 'Versions', guides: ['versioning', 'changes'], tags: [] },
  { label: 'Checkout', guides: ['sign-in'], tags: ['Checkout'] },
  {
    label: 'Documents',
    guides: [],
    tags: ['Documents'],
    links: [{ label: 'All operations and tokens', link: '/reference' }],
  },
];
