import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Transaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { root } from '../repository.ts';
import { aPartnerProgram } from './partner-client.ts';
import { sharedStage } from './shared-stage.ts';

const demoFile = join(root, 'localstack/demo/transactions.ndjson');
const demo: Transaction[] = readFileSync(demoFile, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const ownedBy = (isOwner: (owner: { group: string; franchise: string; location: string }) => boolean) =>
  demo.filter(({ ndMeta }) => ndMeta !== undefined && isOwner(ndMeta));

/** The transactions of the demo partner northgate-crm, independent of its grants. */
export const northgates = ownedBy(({ group }) => group.startsWith('06fec110'));
export const firstOf = (
  transactions: readonly Transaction[],
  isWanted: (one: Transaction) => boolean,
): Transaction => {
  const found = transactions.find(isWanted);
  if (!found) throw new Error('The demo data has no such transaction');
  return found;
};

/** Programs of the two demo partners at the shared stage. No test writes in their groups. */
export const demoPrograms = async () => {
  const stage = await sharedStage();
  const programOf = (wanted: string) => {
    const credentials = stage.stack.partners.find(({ name }) => name === wanted);
    if (!credentials) throw new Error(`The stage has no partner ${wanted}`);
    return aPartnerProgram(stage, credentials);
  };
  return { northgate: await programOf('northgate-crm'), fleet: await programOf('fleet-finance') };
};

/** The line of the same checkout for another owner; its payments get ids of their own (ID-2). */
export const copyOf = (one: Transaction, { uuid, group }: { uuid: string; group: string }) => ({
  ...one,
  uuid,
  ...(one.ndMeta && { ndMeta: { ...one.ndMeta, group } }),
  ...(one.payments && {
    payments: one.payments.map(({ id: _id, transaction_id: _of, ...payment }) => payment),
  }),
});
