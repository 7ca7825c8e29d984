import { isDeepStrictEqual } from 'node:util';
import type {
  JsonObject,
  JsonValue,
  StoredTransaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { owners, partners } from '../../support/apis/write-apis.ts';

/** What a caller asks for; each operation is asked for once, however often its request is sent. */
export type Operation = {
  id: number;
  via: 'session' | 'WIDE' | 'NARROW' | 'operator';
  /** The session of a V1 caller. */
  session: string;
  uuid?: string;
  kind: 'create' | 'merge' | 'replace' | 'payment' | 'restore';
  body: JsonObject;
  key?: string;
  /** The version that `If-Match` names. */
  ifMatch?: number;
};

/** What a transaction is, as far as callers can tell: the model of the interface, apart from the code that it judges. */
export type ModelState = {
  own: JsonObject;
  elements: { [name: string]: JsonValue };
  payments: JsonObject[];
  versions: { [part: string]: number };
  version: number;
  session: string | undefined;
  /** The first version that partners are notified of (EV-10). */
  notifyFromVersion: number;
};

export type Expected =
  | { is: 'refused'; status: number }
  | { is: 'unchanged' }
  | { is: 'changed'; to: ModelState };

/** A stored transaction as the model sees it; of a payment what the caller said and what V2-4 makes of it. */
export const modelOf = ({
  transaction,
  version,
  elementVersions,
  session,
  notifyFromVersion,
}: StoredTransaction): ModelState => {
  const {
    payments = [],
    uuid: _,
    ...rest
  } = transaction as unknown as { [name: string]: JsonValue } & {
    payments?: JsonObject[];
  };
  const membersThat = (areElements: boolean) =>
    Object.fromEntries(Object.entries(rest).filter(([name]) => elementNames.includes(name) === areElements));
  return {
    own: membersThat(false),
    elements: membersThat(true),
    payments: payments.map(({ reference, value, status, is_selected, transaction_completed_at }) => ({
      reference: reference ?? null,
      value: value ?? null,
      status: status ?? null,
      selected: is_selected === 1,
      dated: transaction_completed_at !== null,
    })),
    versions: elementVersions,
    version,
    session,
    notifyFromVersion,
  };
};

const elementNames =
  'vehicle ndMeta extras deliveryCollection selectedPaymentMethod financeProposal valuation customer financeDefaults'.split(
    ' ',
  );

/** What the interface says that an operation makes of a state. */
export const expect = (operation: Operation, state: ModelState | undefined): Expected => {
  if (!state) return { is: 'refused', status: 404 };
  if (operation.kind === 'restore') return restore(operation, state);
  const refused = refusalOf(operation, state);
  if (refused !== undefined) return { is: 'refused', status: refused };
  return operation.kind === 'payment' ? pay(operation, state) : change(operation, state);
};

const restore = (operation: Operation, state: ModelState): Expected =>
  state.own.isDeleted === 0
    ? { is: 'refused', status: 409 }
    : notifiedWhole(next(state, { own: { ...state.own, isDeleted: 0 } }, operation));

/** Partners were told of the deletion alone: everything that there ever was counts as changed (EV-11). */
const notifiedWhole = (expected: Expected): Expected => {
  if (expected.is !== 'changed') return expected;
  const { version } = expected.to;
  const versions = Object.entries(expected.to.versions).map(([part, at]) => [part, at > 0 ? version : 0]);
  return { is: 'changed', to: { ...expected.to, versions: Object.fromEntries(versions) } };
};

/** If its caller could not read the transaction now, a replay is 404, too (GRANT-2, DEL-1). */
export const isHiddenFrom = ({ via, session }: Operation, state: ModelState) =>
  state.own.isDeleted === 1 ||
  (via === 'session' ? state.session !== session : !sees(via, state.elements.ndMeta));

const refusalOf = (operation: Operation, state: ModelState) => {
  const { via, kind, body, ifMatch } = operation;
  if (isHiddenFrom(operation, state)) return 404;
  if (kind === 'payment') return undefined;
  if (ifMatch !== undefined && ifMatch !== state.version) return 412;
  if (via === 'session' && state.own.status === 1) return 409;
  const owner = body.location === undefined ? undefined : ownerAt(body.location);
  return owner && via !== 'session' && !sees(via, owner) ? 403 : undefined;
};

const sees = (via: string, owner: JsonValue | undefined) =>
  partners.some(
    ({ clientId, grants }) =>
      clientId === via && grants.some(({ group }) => group === (owner as JsonObject | undefined)?.group),
  );

const ownerAt = (location: JsonValue) => owners.find((owner) => owner.location === location);

const pay = (operation: Operation, state: ModelState): Expected => {
  const { body } = operation;
  const completes = state.own.status === 0 && body.status === 1;
  const { reference = null, value = null, status = null } = body;
  const payment = { reference, value, status, selected: completes, dated: completes };
  const own = completes ? { ...state.own, status: 1, editable: false } : state.own;
  return next(state, { payments: [...state.payments, payment], own }, operation);
};

const change = (operation: Operation, state: ModelState): Expected => {
  const { kind, body } = operation;
  const { location, ...members } = body;
  const own = { ...state.own };
  const elements = { ...state.elements };
  if (location !== undefined) elements.ndMeta = (ownerAt(location) ?? null) as JsonValue;
  for (const [name, value] of Object.entries(members)) {
    if (!elementNames.includes(name)) own[name] = value;
    else if (value === null) delete elements[name];
    else elements[name] = kind === 'merge' ? merged(elements[name], value) : value;
  }
  return next(state, { own, elements }, operation);
};

/** RFC 7396, section 2, line by line. */
const merged = (target: JsonValue | undefined, patch: JsonValue): JsonValue => {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target);
  const result: JsonObject = isObject ? { ...target } : {};
  for (const [name, value] of Object.entries(patch))
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  return result;
};

/** The next version is that of exactly the parts that differ. Without a difference there is none (WR-3). */
const next = (state: ModelState, changes: Partial<ModelState>, operation: Operation): Expected => {
  const to = { ...state, ...changes, version: state.version + 1, versions: { ...state.versions } };
  const isDifferent = (a: unknown, b: unknown) => !isDeepStrictEqual(a, b);
  const parts = elementNames.filter((name) => isDifferent(state.elements[name], to.elements[name]));
  if (isDifferent(state.own, to.own)) parts.push('own');
  if (isDifferent(state.payments, to.payments)) parts.push('payments');
  for (const part of parts) to.versions[part] = to.version;
  to.notifyFromVersion = notifyFromVersionAfter(state, to, operation);
  return parts.length === 0 ? { is: 'unchanged' } : { is: 'changed', to };
};

/** No partner is notified of a checkout for which its session has sent nothing but a location (EV-10). */
const notifyFromVersionAfter = (state: ModelState, to: ModelState, { via, body }: Operation): number => {
  const isEmptyCheckout = state.session !== undefined && state.version < state.notifyFromVersion;
  const isMove = via === 'session' && Object.keys(body).every((name) => name === 'location');
  return isEmptyCheckout && isMove ? to.version + 1 : state.notifyFromVersion;
};
