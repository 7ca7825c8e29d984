import { join } from 'node:path';
import { UserError } from '../../../bin/operator/user-error.ts';
import type { Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import { type DataFolder, readJson, writePrivateJson } from '../folder.ts';
import type { Invoke } from '../instances.ts';
import type { DemoData, DemoPartner } from '../stack-file.ts';
import { demoAudience, issuerOf } from './identity-provider.ts';

type PlannedStorefront = { name: string; owner: NdMeta; origins: string[]; default: boolean };
type PlannedPartner = { name: string; grants: Grant[] };

/** `plan.json`: the owners of the demo data and its readers. */
type DemoPlan = { storefronts: PlannedStorefront[]; partners: PlannedPartner[] };

/**
 * The part of the demo data that is loaded. It is stored after each partner, since secrets are shown once; the start after an
 * interrupted one continues there.
 */
export type DemoProgress = DemoData & {
  complete: boolean;
  /** The port of receiver and identity provider. */
  port: number;
};

export const openDemo = ({ demo }: DataFolder, port: number): DemoProgress =>
  readJson<DemoProgress>(demo) ?? { partners: [], storefronts: [], complete: false, port };

export type LoadOptions = {
  folder: DataFolder;
  /** Describes the stage, which is not ready yet. */
  stackFile: string;
  /** The port of receiver and identity provider. */
  port: number;
  say: (line: string) => void;
  /** Aborted by Ctrl-C; the next start continues. */
  stopping: AbortSignal;
  /** The stage: its functions, and when it has done all that is due. */
  stage: { invoke: Invoke; settled: () => Promise<void> };
};

/** Runs one command of the operator's tool in this process and returns the JSON that it prints. */
type Operator = (...args: string[]) => Promise<unknown>;

/**
 * Loads the demo data at the first start, by the commands that an operator uses. After a change of PORT it gives partners and
 * storefronts the new addresses.
 */
export const loadDemo = async (
  progress: DemoProgress,
  { folder, stackFile, port, say, stopping, stage: { invoke, settled } }: LoadOptions,
): Promise<void> => {
  const operator = operatorAt(stackFile, stopping);
  const save = () => writePrivateJson(folder.demo, progress);
  const hasMoved = progress.port !== port;
  if (!progress.complete) {
    say('Loading the demo data (only at the first start) …');
    // Notes that nothing is stored yet. A first run that found the data would look through each day since its oldest
    // transaction, for half a minute (V1-8).
    await invoke('sweep-expired', {});
    const plan = readJson<DemoPlan>(join(import.meta.dirname, 'plan.json'));
    for (const storefront of (plan?.storefronts ?? []).filter(isMissingIn(progress.storefronts))) {
      progress.storefronts.push(await createStorefront(operator, storefront, port));
      save();
    }
    await operator('transactions', 'import', join(import.meta.dirname, 'transactions.ndjson'));
    for (const partner of (plan?.partners ?? []).filter(isMissingIn(progress.partners))) {
      progress.partners.push(await createPartner(operator, partner));
      save();
    }
  } else if (hasMoved) {
    say('Giving the demo’s webhooks and identity provider their new addresses …');
    await moveStorefronts(operator, progress, port);
  }
  if (!progress.complete || hasMoved) {
    // An address passes its check only when the receiver knows the partner's signature, which it does by now.
    await setWebhooks(operator, { names: progress.partners.map(({ name }) => name), port, settled });
  }
  Object.assign(progress, { complete: true, port });
  save();
};

const isMissingIn =
  (known: { name?: unknown }[]) =>
  ({ name }: { name: string }) =>
    !known.some((item) => item.name === name);

const operatorAt =
  (stackFile: string, stopping: AbortSignal): Operator =>
  async (...args) => {
    stopping.throwIfAborted();
    const printed: string[] = [];
    const terminal = {
      print: (text: string) => void printed.push(text),
      printEach: async () => {},
      // Its notes are for operators of real partners.
      note: () => {},
      isInteractive: false,
      canRedraw: false,
      ask: async () => '',
    };
    // Loaded only for this: most starts have no demo data to load.
    const [{ runOperator }, { connect }] = await Promise.all([
      import('../../../bin/operator/program.ts'),
      import('../../../bin/operator/connect.ts'),
    ]);
    const code = await runOperator([...args, '--json'], { terminal, user: 'npm start', stackFile, connect });
    const answer = JSON.parse(printed.join('') || 'null') as { error?: string; refused?: unknown[] } | null;
    if (code === 0) return answer;
    const reason = answer?.error ?? `lines were refused: ${JSON.stringify(answer?.refused)}`;
    throw new UserError(
      `The demo data could not be loaded: ${reason} Start without it (npm start -- --no-demo), or anew (npm start -- --fresh).`,
    );
  };

const createStorefront = async (operator: Operator, planned: PlannedStorefront, port: number) => {
  const { name, owner, origins } = planned;
  const create = () =>
    operator(
      ...['storefront', 'create', '--name', name, '--group', owner.group, '--franchise', owner.franchise],
      ...['--location', owner.location, '--branch', owner.branch],
      ...(owner.groupSoftware ? ['--group-software', owner.groupSoftware] : []),
      ...origins.flatMap((origin) => ['--origin', origin]),
      // An identity provider belongs to one group: that of the default storefront.
      ...(planned.default ? ['--default', '--issuer', issuerOf(port), '--audience', demoAudience] : []),
    );
  // An interrupted start may have created the storefront without storing its progress.
  const created = await create().catch((error: unknown) =>
    operator('storefront', 'show', name).catch(() => {
      throw error;
    }),
  );
  return created as Record<string, unknown>;
};

/** The schedule's first run may check a partner at the same time and leave it `verifying`: then it is asked for once more. */
const mostTries = 5;

const setWebhooks = async (
  operator: Operator,
  { names, port, settled }: { names: readonly string[]; port: number; settled: () => Promise<void> },
) => {
  for (let tries = 1; ; tries += 1) {
    const listed = (await operator('partner', 'list')) as { name: string; webhook: string }[];
    // A person's own partners keep their addresses.
    const partners = listed.filter(({ name }) => names.includes(name));
    const waiting = tries === 1 ? partners : partners.filter(({ webhook }) => webhook !== 'on');
    const [refused] = waiting;
    if (!refused) return;
    if (tries > mostTries)
      throw new UserError(
        `The webhook of the demo's partner "${refused.name}" is ${refused.webhook}: start without demo data (npm start -- --no-demo), or anew (npm start -- --fresh).`,
      );
    await Promise.all(
      waiting.map(({ name }) => {
        const url = `http://127.0.0.1:${port}/webhooks/${name}`;
        // The stage knows itself when the addresses are checked; the tool would ask once a second.
        return operator('partner', 'set-webhook', name, '--url', url, '--no-wait');
      }),
    );
    await settled();
  }
};

const createPartner = async (operator: Operator, { name, grants }: PlannedPartner): Promise<DemoPartner> => {
  const created = (await operator(
    ...['partner', 'create', '--name', name, '--oauth-scopes', 'nop2/read nop2/write nop2/webhook'],
    ...grants.flatMap((grant) => [
      '--grant',
      Object.entries(grant)
        .map((dimension) => dimension.join('='))
        .join(','),
    ]),
  )) as DemoPartner;
  const { clientId, clientSecret, webhookSignature } = created;
  return { name, clientId, clientSecret, webhookSignature, grants: created.grants };
};

/** Creates the default storefront again, since the issuer of a storefront cannot be changed. */
const moveStorefronts = async (operator: Operator, progress: DemoProgress, port: number) => {
  const storefronts = progress.storefronts as unknown as (PlannedStorefront & NdMeta)[];
  for (const [index, { name, origins, default: isDefault, ...owner }] of storefronts.entries()) {
    if (!isDefault) continue;
    await operator('storefront', 'delete', name, '--yes');
    const planned = { name, owner, origins, default: true };
    progress.storefronts[index] = await createStorefront(operator, planned, port);
  }
};
