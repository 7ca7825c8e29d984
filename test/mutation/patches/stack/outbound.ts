import type { Patch } from '../../patch.ts';

const post = 'functions/shared/outbound/probe/pinned-post.ts';
const posts = ['test/integration/outbound/pinned-post.test.ts'];
const bus = ['test/infrastructure/partner-bus.test.ts'];

/** Where requests to partners may go, and what may send them. */
export const patches: readonly Patch[] = [
  {
    id: 'outbound-one-address',
    rule: 'S-48 every address of a name is judged, not one of them',
    file: post,
    find: '!addresses.every((one)',
    put: '!addresses.some((one)',
    tests: posts,
  },
  {
    id: 'outbound-socket',
    rule: 'S-48 the socket goes to an address that was judged',
    file: post,
    find: '      lookup: pinned(addresses),\n',
    put: '',
    tests: posts,
  },
  {
    id: 'outbound-inner-address',
    rule: 'S-47 an address that carries another one inside it is not public',
    file: 'functions/shared/outbound/probe/public-address.ts',
    find: "parsed.kind() === 'ipv4' || parsed.match(globalUnicast)",
    put: "parsed.kind() !== 'none'",
    tests: ['test/unit/functions/shared/outbound/probe/public-address.test.ts'],
  },
  {
    id: 'outbound-role-destinations',
    rule: 'S-50 the role that calls endpoints calls those of its stage alone',
    file: 'lib/constructs/partner-bus.ts',
    find: 'resources: [this.arnOf(destinations)],',
    put: "resources: [this.arnOf('api-destination/*')],",
    tests: bus,
  },
  {
    id: 'outbound-role-bus',
    rule: 'S-50 only the bus of its stage acts by that role',
    file: 'lib/constructs/partner-bus.ts',
    find: "new ServicePrincipal('events.amazonaws.com', { conditions: this.fromThisBus() }),",
    put: "new ServicePrincipal('events.amazonaws.com'),",
    tests: bus,
  },
];
