import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../bin/operator/user-error.ts';
import type { Outcome } from '../../functions/shared/domain/outcome.ts';
import { covers, type Grant } from '../../functions/shared/domain/ownership/grant.ts';
import type { NdMeta } from '../../functions/shared/domain/ownership/owner.ts';
import type { Transaction } from '../../functions/shared/domain/transaction/transaction.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { readJsonFile, writePrivateJson } from '../data/private-json.ts';
import type { DemoData, DemoPartner, StackFile } from '../stack-file.ts';
import { demoAudience } from './identity-provider.ts';
import { createOperatorTool, type OperatorTool } from './operator-tool.ts';

export type DemoStorefront = { name: string; owner: NdMeta; origins: string[]; default: boolean };

export type PlannedPartner = { name: string; grants: Grant[] };

/** `demo/plan.json`: who the demo data belongs to and who may read it. */
type DemoPlan = { storefronts: DemoStorefront[]; partners: PlannedPartner[] };

/**
 * What of the demo data is loaded. Secrets are shown once, so each is kept as soon as it is known; a broken start goes on
 * where it ended.
 */
export type DemoProgress = DemoData & {
  complete: boolean;
  /** Where the partners' events go. */
  receiverUrl: string;
};

type LoadOptions = { root: string; folder: DataFolder; issuer: string; say: (line: string) => void };

export const openDemo = ({ demo }: DataFolder, receiverUrl: string): DemoProgress =>
  readJsonFile<DemoProgress>(demo) ?? { partners: [], storefronts: [], complete: false, receiverUrl };

/**
 * Loads the demo data at the first start, through the operator's tool and so the way real data comes in. At another PORT
 * the partners get the receiver's address of today.
 */
export const loadDemo = async (
  stack: StackFile & { receiverUrl: string },
  progress: DemoProgress,
  { root, folder, issuer, say }: LoadOptions,
): Promise<void> => {
  const { receiverUrl } = stack;
  const hasMoved = progress.receiverUrl !== receiverUrl;
  if (progress.complete && !hasMoved) return;
  const pending = join(folder.path, 'stack.pending.json');
  writePrivateJson(pending, stack);
  const operator = createOperatorTool(root, pending);
  // Its notes are for the operator of real partners: here the receiver is ours.
  const partnerTool = createOperatorTool(root, pending, 'ignore');
  const save = () => writePrivateJson(folder.demo, progress);
  save();
  if (!progress.complete) {
    say('Loading the demo data (only at the first start) …');
    await load(join(root, 'localstack/demo'), { operator, partnerTool, progress, save, receiverUrl, issuer });
    progress.complete = true;
    save();
  }
  if (hasMoved) {
    say('Setting the demo’s webhooks and identity provider to their new addresses …');
    await moveWebhooks(partnerTool, progress, receiverUrl);
    await moveStorefronts(operator, progress, issuer);
    progress.receiverUrl = receiverUrl;
    save();
  }
  rmSync(pending);
};

type LoadContext = {
  operator: OperatorTool;
  partnerTool: OperatorTool;
  progress: DemoProgress;
  save: () => void;
  receiverUrl: string;
  issuer: string;
};

const load = async (
  demo: string,
  { operator, partnerTool, progress, save, receiverUrl, issuer }: LoadContext,
) => {
  const plan = readJsonFile<DemoPlan>(join(demo, 'plan.json'));
  if (!plan) throw new UserError(`The demo data is not there: ${demo}`);
  for (const storefront of plan.storefronts.filter(isMissingIn(progress.storefronts))) {
    progress.storefronts.push(await createStorefront(operator, storefront, issuer));
    save();
  }
  demand(await operator('transactions', 'import', join(demo, 'transactions.ndjson')));
  for (const partner of plan.partners.filter(isMissingIn(progress.partners))) {
    progress.partners.push(await createPartner(partnerTool, partner));
    save();
  }
  // The receiver takes the signature of a partner that it knows: only then an address passes its check.
  await moveWebhooks(partnerTool, progress, receiverUrl);
};

const isMissingIn =
  (known: { name?: unknown }[]) =>
  ({ name }: { name: string }) =>
    !known.some((one) => one.name === name);

const createStorefront = async (
  operator: OperatorTool,
  { name, owner, origins, default: isDefault }: DemoStorefront,
  issuer: string,
) => {
  const created = await operator(
    ...['storefront', 'create', '--name', name, '--group', owner.group, '--franchise', owner.franchise],
    ...['--location', owner.location, '--branch', owner.branch],
    ...(owner.groupSoftware ? ['--group-software', owner.groupSoftware] : []),
    ...origins.flatMap((origin) => ['--origin', origin]),
    // An identity provider is of one group: that of the default storefront.
    ...(isDefault ? ['--default', '--issuer', issuer, '--audience', demoAudience] : []),
  );
  // A start that broke off may have made it without noting so.
  const existing = created.ok ? created : await operator('storefront', 'show', name);
  return demand(existing.ok ? existing : created) as Record<string, unknown>;
};

const createPartner = async (
  operator: OperatorTool,
  { name, grants }: PlannedPartner,
): Promise<DemoPartner> => {
  const created = demand(
    await operator(
      ...['partner', 'create', '--name', name],
      ...['--oauth-scopes', 'nop2/read nop2/write nop2/webhook'],
      ...grants.flatMap((grant) => ['--grant', grantText(grant)]),
    ),
  ) as DemoPartner;
  const { clientId, clientSecret, webhookSignature } = created;
  return { name, clientId, clientSecret, webhookSignature, grants: created.grants };
};

/** Each waits until its webhook is on. */
const moveWebhooks = async (operator: OperatorTool, { partners }: DemoProgress, receiverUrl: string) => {
  for (const { name } of partners)
    demand(await operator('partner', 'set-webhook', name, '--url', `${receiverUrl}/${name}`));
};

/** An address is a storefront's for good, so that it is made anew for the one of today. */
const moveStorefronts = async (operator: OperatorTool, progress: DemoProgress, issuer: string) => {
  const storefronts = progress.storefronts as unknown as (DemoStorefront & NdMeta)[];
  for (const [index, { name, origins, default: isDefault, ...owner }] of storefronts.entries()) {
    if (!isDefault) continue;
    demand(await operator('storefront', 'delete', name, '--yes'));
    progress.storefronts[index] = await createStorefront(
      operator,
      { name, owner, origins, default: true },
      issuer,
    );
  }
};

const grantText = (grant: Grant): string =>
  Object.entries(grant)
    .map(([dimension, value]) => `${dimension}=${value}`)
    .join(',');

/** The uuids of the demo transactions that a partner can see and that are unpaid when the data is loaded. */
export const openTransactionsOf = ({ grants }: DemoPartner): string[] =>
  readFileSync(join(import.meta.dirname, 'transactions.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line): Transaction => JSON.parse(line))
    .filter(({ status, isDeleted, ndMeta }) => status === 0 && isDeleted === 0 && covers(grants, ndMeta))
    .map(({ uuid }) => uuid);

const demand = (outcome: Outcome<unknown, string>): unknown => {
  if (outcome.ok) return outcome.value;
  throw new UserError(
    `The demo data could not be loaded: ${outcome.reason} Start without it (npm start -- --no-demo), or anew (npm start -- --fresh).`,
  );
};
