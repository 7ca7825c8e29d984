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

/** `demo/plan.json`: the owners of the demo data and its readers. */
type DemoPlan = { storefronts: DemoStorefront[]; partners: PlannedPartner[] };

/**
 * The part of the demo data that is loaded. It is stored after each partner, since secrets are shown once; the start after an
 * interrupted one continues there.
 */
export type DemoProgress = DemoData & {
  complete: boolean;
  /** The receiver's address at the partners. */
  receiverUrl: string;
};

type LoadOptions = { root: string; folder: DataFolder; issuer: string; say: (line: string) => void };

export const openDemo = ({ demo }: DataFolder, receiverUrl: string): DemoProgress =>
  readJsonFile<DemoProgress>(demo) ?? { partners: [], storefronts: [], complete: false, receiverUrl };

/**
 * Loads the demo data at the first start, by the operator's tool as for real data. After a change of PORT it gives the partners
 * the receiver's new address.
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
  // Without its notes, which are for operators of real partners.
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
  if (!plan) throw new UserError(`The demo data is missing: ${demo}`);
  for (const storefront of plan.storefronts.filter(isMissingIn(progress.storefronts))) {
    progress.storefronts.push(await createStorefront(operator, storefront, issuer));
    save();
  }
  demand(await operator('transactions', 'import', join(demo, 'transactions.ndjson')));
  for (const partner of plan.partners.filter(isMissingIn(progress.partners))) {
    progress.partners.push(await createPartner(partnerTool, partner));
    save();
  }
  // An address passes its check only when the receiver knows the partner's signature.
  await moveWebhooks(partnerTool, progress, receiverUrl);
};

const isMissingIn =
  (known: { name?: unknown }[]) =>
  ({ name }: { name: string }) =>
    !known.some((item) => item.name === name);

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
    // An identity provider belongs to one group: that of the default storefront.
    ...(isDefault ? ['--default', '--issuer', issuer, '--audience', demoAudience] : []),
  );
  // An interrupted start may have created the storefront without storing its progress.
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

/** Sets the partners' webhooks, and waits until each is on. */
const moveWebhooks = async (operator: OperatorTool, { partners }: DemoProgress, receiverUrl: string) => {
  for (const { name } of partners)
    demand(await operator('partner', 'set-webhook', name, '--url', `${receiverUrl}/${name}`));
};

/** Creates the default storefront again, since the issuer of a storefront cannot be changed. */
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

/** The uuids of the demo transactions that a partner sees and that are unpaid when they are loaded. */
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
