import type { TransactionRow } from '../view.ts';
import { button, byId, element, keepRows, type Row, setText } from './dom.ts';
import { spanText, whenText } from './time.ts';

type Press = (action: object) => void;
type Times = { nowMs: number; dormancyMs: number };

/** The rows of transactions, with their countdowns; `tick` moves these on between two views. */
export const showTransactions = (press: Press) => {
  const shown = new Map<string, TransactionRow>();
  const bars = new Map<string, (times: Times) => void>();
  const keep = keepRows<TransactionRow>(byId('transactions'), {
    keyOf: ({ uuid }) => uuid,
    create: (row) => rowOf(row, press, (tick) => bars.set(row.uuid, () => tick(shown.get(row.uuid) ?? row))),
  });
  const tick = (times: Times) => {
    now = times;
    for (const bar of bars.values()) bar(times);
  };
  return {
    show: (rows: readonly TransactionRow[], times: Times) => {
      for (const row of rows) shown.set(row.uuid, row);
      for (const uuid of bars.keys()) if (!rows.some((row) => row.uuid === uuid)) bars.delete(uuid);
      now = times;
      keep(rows);
      tick(times);
    },
    tick,
  };
};

let now: Times = { nowMs: 0, dormancyMs: 1 };

const rowOf = (
  { uuid }: TransactionRow,
  press: Press,
  onTick: (tick: (row: TransactionRow) => void) => void,
): Row<TransactionRow> => {
  const title = element('strong');
  const facts = element('span', { class: 'quiet' });
  const rest = element('span', { class: 'rest' });
  const bar = element('progress', { max: '1', value: '0', 'aria-label': `Rest of ${uuid.slice(0, 8)}` });
  const pay = button('Pay', () => press({ do: 'pay', uuid }), { 'aria-label': `Pay ${uuid.slice(0, 8)}` });
  const edit = button('Edit', () => press({ do: 'edit', uuid }), {
    'aria-label': `Edit ${uuid.slice(0, 8)}`,
  });
  const node = element(
    'li',
    {},
    element('div', { class: 'grow' }, title, facts, element('div', { class: 'countdown' }, bar, rest)),
    element('div', { class: 'buttons' }, edit, pay),
  );
  onTick((row) => {
    const left = row.dueAtMs === undefined ? undefined : Math.max(0, row.dueAtMs - now.nowMs);
    bar.hidden = left === undefined;
    bar.value = left === undefined ? 0 : 1 - Math.min(1, left / now.dormancyMs);
    setText(rest, restText(row, left));
  });
  return {
    node,
    update: (row) => {
      setText(title, `${row.vehicle || 'no vehicle'}, ${row.customer || 'nobody yet'}`);
      const state = row.isDeleted ? 'deleted' : row.isComplete ? 'complete' : 'incomplete';
      const seen = row.partners.join(', ') || 'no partner';
      setText(
        facts,
        `${uuid.slice(0, 8)}…  ${row.mobile}  ${state}, version ${row.version} of ${whenText(row.changedAtMs, now.nowMs)}, seen by ${seen}`,
      );
      pay.disabled = row.isDeleted || row.partners.length === 0;
      edit.disabled = pay.disabled;
    },
  };
};

const restText = ({ isBeingSent, pending }: TransactionRow, left: number | undefined): string => {
  if (isBeingSent) return 'is being sent to partners';
  if (left === undefined) return 'nothing to send';
  const what = pending.length > 0 ? pending.join(', ') : 'its change';
  return left === 0 ? `${what}: due, at the next tick` : `${what}: sent after ${spanText(left)} of rest`;
};
