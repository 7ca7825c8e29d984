import type { TransactionRow } from '../view.ts';
import { button, byId, element, keepRows, type Row, setText, wholeText } from './dom.ts';
import type { Press } from './stage.ts';
import { spanText, whenText } from './time.ts';

type Times = { nowMs: number; dormancyMs: number };

/** Shows transactions with countdowns, which move on when the returned function is called again. */
export const showTransactions = (press: Press) => {
  const times: Times = { nowMs: 0, dormancyMs: 1 };
  const keep = keepRows<TransactionRow>(byId('transactions'), {
    keyOf: ({ uuid }) => uuid,
    create: (row) => rowOf(row, press, times),
  });
  return (rows: readonly TransactionRow[], now: Times) => {
    Object.assign(times, now);
    keep(rows);
  };
};

/** Questions before actions that cannot be undone. */
const questions: { [action: string]: string } = {
  pay: 'A payment stays, and completes the transaction.',
  delete: 'You cannot undo it.',
};

const rowOf = ({ uuid }: TransactionRow, press: Press, now: Times): Row<TransactionRow> => {
  const name = uuid.slice(0, 8);
  const title = element('strong');
  const facts = element('span', { class: 'quiet' });
  const rest = element('span', { class: 'rest' });
  const bar = element('progress', { max: '1', value: '0', 'aria-label': `Time until ${name} is sent` });
  const whole = element('pre');
  const buttons = (['edit', 'pay', 'delete'] as const).map((what) => {
    const label = `${what[0]?.toUpperCase()}${what.slice(1)}`;
    const question = questions[what] && `${label} ${name}? ${questions[what]}`;
    return button(label, () => press({ do: what, uuid }, question), { 'aria-label': `${label} ${name}` });
  });
  const node = element(
    'li',
    {},
    element(
      'div',
      { class: 'grow' },
      element('details', {}, element('summary', {}, title, facts), whole),
      element('div', { class: 'countdown' }, bar, rest),
    ),
    element('div', { class: 'buttons' }, ...buttons),
  );
  return {
    node,
    update: (row) => {
      const { vehicle, customer, status, isDeleted } = row.transaction;
      const buyer = textOf(customer, 'firstName', 'lastName', 'mobile') || 'nobody yet';
      setText(title, `${textOf(vehicle, 'make', 'model') || 'no vehicle'}, ${buyer}`);
      const state = isDeleted === 1 ? 'deleted' : status === 1 ? 'complete' : 'incomplete';
      const seen = row.partners.join(', ') || 'no partner';
      const changed = whenText(row.changedAtMs, now.nowMs);
      setText(facts, `${name}… ${state}, version ${row.version}, ${changed}, ${seen}`);
      const left = row.dueAtMs === undefined ? undefined : Math.max(0, row.dueAtMs - now.nowMs);
      bar.hidden = left === undefined;
      bar.value = left === undefined ? 0 : 1 - Math.min(1, left / now.dormancyMs);
      setText(rest, restText(row, left));
      setText(whole, wholeText(row.transaction));
      for (const action of buttons) action.disabled = isDeleted === 1 || row.partners.length === 0;
    },
  };
};

const textOf = (element: unknown, ...names: string[]): string =>
  names.flatMap((name) => (element as Record<string, unknown> | null)?.[name] ?? []).join(' ');

const restText = ({ isBeingSent, pending }: TransactionRow, left: number | undefined): string => {
  if (isBeingSent) return 'is being sent to partners';
  if (left === undefined) return 'nothing to send';
  const what = pending.length > 0 ? pending.join(', ') : 'its change';
  return `${what}: ${left === 0 ? 'sent within seconds' : `sent in ${spanText(left)}, unless it changes again`}`;
};
