import { elementNames, isJsonObject, type StoredTransaction, type Transaction } from './transaction.ts';

/** The elements that are about a person or a vehicle; a payment is about both (EV-10, docs/rules.md). */
const tellingElements = ['vehicle', 'valuation', 'customer', 'financeProposal', 'payments'] as const;

/** Whether something about a person or a vehicle has been entered. An empty element says nothing. */
export const saysSomething = (transaction: Transaction): boolean =>
  Boolean(transaction.guestEmail) || tellingElements.some((name) => !isEmpty(transaction[name]));

const isEmpty = (element: Transaction[(typeof tellingElements)[number]]) =>
  element === undefined || (isJsonObject(element) ? Object.keys(element) : element).length === 0;

/** A checkout of which no partner has been told, because nothing was entered yet (EV-10): swept after 30 days (V1-8). */
export const isSilent = ({ session, version, silentUpToVersion }: Silence): boolean =>
  session !== undefined && version === silentUpToVersion;

type Silence = Pick<StoredTransaction, 'session' | 'version' | 'silentUpToVersion'>;

/**
 * Up to which version nobody is told, after a change. A checkout stays silent while its own session says nothing; a partner's
 * change ends that. What was entered in silence is told together with what ended it, from the first version with an element on.
 */
export const silenceAfter = (
  before: Silence,
  after: Pick<StoredTransaction, 'transaction' | 'version' | 'elementVersions'>,
  { isOfSession }: { isOfSession: boolean },
): number => {
  if (!isSilent(before)) return before.silentUpToVersion;
  if (isOfSession && !saysSomething(after.transaction)) return after.version;
  const hasElementFromCreation = elementNames.some(
    (name) => name !== 'ndMeta' && after.elementVersions[name] === 1,
  );
  return hasElementFromCreation ? 0 : 1;
};
