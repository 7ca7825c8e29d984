import { type Command, Option } from 'commander';
import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import {
  type IdentityProvider,
  type IdTokenAlgorithm,
  idTokenAlgorithms,
  type Storefront,
} from '../../../functions/shared/domain/ownership/storefront.ts';
import { readName } from '../arguments.ts';
import type { CommandContext, CommandGroup, RunCommand } from '../context.ts';
import { factsOf, tableOf } from '../output/table.ts';
import { isIssuer, toOrigin, toStorefrontView } from '../partners/storefronts.ts';
import { valueOrUserError } from '../refusals.ts';
import { UserError } from '../user-error.ts';

type CreateStorefrontOptions = {
  name: string;
  group: string;
  franchise: string;
  location: string;
  branch: string;
  groupSoftware?: string;
  origin?: string[];
  default?: boolean;
  issuer?: string;
  audience?: string;
  idTokenAlg: IdTokenAlgorithm;
};

/** An atomic write holds 100 items, and a storefront needs one per origin and a few more. */
const maxOrigins = 50;

const addStorefrontCommands = (program: Command, run: RunCommand) => {
  const storefront = program
    .command('storefront')
    .description('Storefronts: owners of checkouts, and their web origins');
  addCreateCommand(storefront, run);
  storefront
    .command('list')
    .description('List storefronts, including retired ones')
    .action(run(async (context) => list(context)));
  storefront
    .command('show <name>')
    .description('Show a storefront')
    .action(run(async (context, _options, name) => toResult(context, await find(context, name))));
  storefront
    .command('delete <name>')
    .description('Retire a storefront: its origins are refused; its location stays in its group')
    .action(run((context, _options, name) => retire(context, name)));
};

/** `storefront …`: the registered owners of checkouts (OWN-1). */
export const storefrontCommands: CommandGroup = {
  add: addStorefrontCommands,
  rights: {
    'Partners/ESTATE#*': ['GetItem', 'PutItem'],
    'Partners/ISSUER#*': ['PutItem'],
    'Partners/ORIGIN#*': ['PutItem', 'Query'],
    'Partners/STAGE': ['DeleteItem', 'GetItem', 'PutItem'],
    'Partners/STOREFRONTS': ['DeleteItem', 'GetItem', 'PutItem', 'Query'],
  },
};

const addCreateCommand = (storefront: Command, run: RunCommand) =>
  storefront
    .command('create')
    .description('Create a storefront: the owner of checkouts from given web origins')
    .requiredOption('--name <name>', 'unique name')
    .requiredOption('--group <group>', 'group of the storefront')
    .requiredOption('--franchise <franchise>', 'franchise of the storefront')
    .requiredOption('--location <location>', 'location of the storefront')
    .requiredOption('--branch <branch>', 'name of the branch, shown in transactions')
    .option('--group-software <software>', 'shown in transactions')
    .option(
      '--origin <url>',
      'web origin of its checkout pages; repeat the option for more',
      (url, urls: string[] = []) => [...urls, url],
    )
    .option('--default', 'it owns checkouts from unregistered origins')
    .option('--issuer <url>', 'identity provider of its users: `iss` of their ID tokens')
    .option('--audience <client-id>', 'client ID at the identity provider: `aud` of the ID tokens')
    .addOption(
      new Option('--id-token-alg <algorithm>', 'signature algorithm of the ID tokens')
        .choices(idTokenAlgorithms)
        .default('RS256'),
    )
    .addHelpText(
      'after',
      `
A location that an import created gets this name and these origins, and keeps its branch and group software. To change
those, delete the storefront and create it again.

With --issuer and --audience, a signed-in user has one session on all devices (POST /api/session). An identity provider
belongs to one group: a user's session shows the transactions of every storefront with that identity provider.

Example:
  storefront create --name leeds --group G1 --franchise F1 --location L1 --branch "Leeds North" --origin https://shop.example`,
    )
    .action(run((context, options: CreateStorefrontOptions) => create(context, options)));

const create = async (context: CommandContext, options: CreateStorefrontOptions) => {
  const storefront = toStorefront(options, context);
  await context.record('storefront create', {
    ...toStorefrontView(storefront),
    default: options.default === true,
  });
  const registered = await context.deps.storefronts.register(storefront, {
    isDefault: options.default === true,
  });
  const stored = valueOrUserError(registered, storefront.name);
  for (const note of keptNotes(storefront.owner, stored.owner)) context.terminal.note(note);
  return toResult(context, stored);
};

/** A location known from an import keeps its branch and group software; a note names each that the command changed. */
const keptNotes = (asked: NdMeta, stored: NdMeta) =>
  (['branch', 'groupSoftware'] as const)
    .filter((name) => asked[name] && asked[name] !== stored[name])
    .map(
      (name) => `Note: the location keeps its ${labels[name]} "${stored[name]}", which is known already.\n`,
    );

const labels = { branch: 'branch', groupSoftware: 'group software' };

const toStorefront = (options: CreateStorefrontOptions, { deps }: CommandContext): Storefront => ({
  name: readName(options.name),
  owner: {
    group: readOpaque('--group', options.group),
    franchise: readOpaque('--franchise', options.franchise),
    branch: readOpaque('--branch', options.branch),
    location: readOpaque('--location', options.location),
    groupSoftware: readGroupSoftware(options.groupSoftware),
  },
  origins: readOrigins(options.origin ?? []),
  retired: false,
  createdAtMs: deps.now().getTime(),
  ...readIdentityProvider(options, deps.endpointRules),
});

const readIdentityProvider = (
  { issuer, audience, idTokenAlg: algorithm }: CreateStorefrontOptions,
  rules: { allowsLoopback: boolean },
): Pick<Storefront, 'identityProvider'> => {
  if (issuer === undefined && audience === undefined) return {};
  if (issuer === undefined || audience === undefined)
    throw new UserError('--issuer and --audience belong together: give both, or neither.');
  if (!isIssuer(issuer, rules))
    throw new UserError(
      `"${issuer}" is not an issuer: give the iss of the ID tokens, an https address without user name, query and fragment.`,
    );
  return { identityProvider: { issuer, audience: readOpaque('--audience', audience), algorithm } };
};

/** The same rule as in an import. */
const readOpaque = (option: string, value: string) => {
  if (value.length >= 1 && value.length <= 256) return value;
  throw new UserError(`${option} has 1 to 256 characters.`);
};

const readGroupSoftware = (value = '') => (value === '' ? '' : readOpaque('--group-software', value));

const readOrigins = (texts: string[]) => {
  if (texts.length > maxOrigins) throw new UserError(`A storefront has at most ${maxOrigins} origins.`);
  const origins = texts.map((text) => {
    const origin = toOrigin(text);
    if (origin !== undefined) return origin;
    throw new UserError(
      `"${text}" is not a web origin: name one exactly, in lower case, by scheme, host and port where it has one, such as https://shop.example.`,
    );
  });
  return [...new Set(origins)];
};

const find = async ({ deps }: CommandContext, name: string) => {
  const storefront = await deps.storefronts.byName(name);
  return valueOrUserError(
    storefront ? { ok: true, value: storefront } : { ok: false, reason: 'no-storefront' },
    name,
  );
};

const retire = async (context: CommandContext, name: string) => {
  const storefront = await find(context, name);
  const consequences = await consequencesOf(context, storefront);
  await context.confirm([`This retires the storefront "${name}".`, ...consequences].join(' '), name);
  await context.record('storefront delete', { name });
  const retired = valueOrUserError(await context.deps.storefronts.retire(storefront.name), name);
  const { json, text } = await toResult(context, retired);
  return { json, text: [text, ...consequences.map((sentence) => `${sentence}\n`)].join('') };
};

/** The effect of retiring on checkouts, a sentence for each origin (OWN-1). */
const consequencesOf = async (context: CommandContext, { name, origins }: Storefront): Promise<string[]> => {
  const sentences = await Promise.all(origins.map((origin) => originSentence(context, name, origin)));
  const isDefault = (await context.deps.storefronts.stageDefault())?.name === name;
  return isDefault ? [...sentences, withoutDefault] : sentences;
};

const withoutDefault =
  'Checkouts from unknown origins are refused with 403: the stage has no default storefront.';

/** Another storefront of the same origin takes over its checkouts. */
const originSentence = async ({ deps }: CommandContext, retired: string, origin: string) => {
  const others = (await deps.storefronts.ofOrigin(origin)).filter(
    (storefront) => storefront.name !== retired && !storefront.retired,
  );
  return others.length === 0
    ? `Checkouts from ${origin} are refused with 403.`
    : `Checkouts from ${origin} go on at ${others.map(({ name }) => `"${name}"`).join(', ')}.`;
};

const list = async ({ deps }: CommandContext) => {
  const [storefronts, byDefault] = await Promise.all([
    deps.storefronts.all(),
    deps.storefronts.stageDefault(),
  ]);
  const views = storefronts.map((storefront) => ({
    ...toStorefrontView(storefront),
    default: storefront.name === byDefault?.name,
  }));
  const rows = views.map((view) => [
    view.name,
    view.branch,
    stateText(view),
    view.origins.join('\n') || 'none',
  ]);
  const none = 'There is no storefront yet: "storefront create --help" shows how to create one.\n';
  return {
    json: views,
    text: rows.length > 0 ? tableOf(['name', 'branch', 'state', 'origins'], rows) : none,
  };
};

const toResult = async ({ deps }: CommandContext, storefront: Storefront) => {
  const isDefault = (await deps.storefronts.stageDefault())?.name === storefront.name;
  const view = { ...toStorefrontView(storefront), default: isDefault };
  const text = factsOf([
    ['name', view.name],
    ['state', stateText(view)],
    ['group', view.group],
    ['franchise', view.franchise],
    ['location', view.location],
    ['branch', view.branch],
    ['group software', view.groupSoftware || 'none'],
    ['origins', view.origins.join('\n') || 'none'],
    ['identity provider', providerText(view.identityProvider)],
    ['created', view.createdAt],
  ]);
  return { json: view, text };
};

const providerText = (provider: IdentityProvider | undefined) =>
  provider ? `${provider.issuer}\n${provider.audience}\n${provider.algorithm}` : 'none';

const stateText = (view: { retired: boolean; default: boolean; origins: string[] }) => {
  if (view.retired) return 'retired';
  if (view.default) return 'default';
  return view.origins.length > 0 ? 'open' : 'no checkouts';
};
