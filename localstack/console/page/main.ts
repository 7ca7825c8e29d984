import type { View } from '../view.ts';
import { showClock } from './clock.ts';
import { showDeliveries } from './deliveries.ts';
import { button, byId, setText } from './dom.ts';
import { addToLog } from './log.ts';
import { showPicture } from './picture.ts';
import { showReceivers } from './receivers.ts';
import { act, followStage, type Press } from './stage.ts';
import { showTransactions } from './transactions.ts';

let view: View | undefined;
/** How far the stage's clock is ahead of the browser's, in milliseconds. */
let aheadMs = 0;

const saidMs = 6_000;
let forget = 0;
const press: Press = async (action, question) => {
  if (question !== undefined && !confirm(question)) return;
  setText(byId('said'), await act(action));
  clearTimeout(forget);
  forget = window.setTimeout(() => setText(byId('said'), ''), saidMs);
};

const updateClock = showClock(press);
byId('checkouts').append(
  button('New checkout', () => press({ do: 'checkout' })),
  button('Check out as Ada', () => press({ do: 'checkout', as: 'ada' })),
  button('Check out as Ben', () => press({ do: 'checkout', as: 'ben' })),
);
const picture = showPicture();
const keepTransactions = showTransactions(press);
const keepReceivers = showReceivers(press);
const keepDeliveries = showDeliveries(press);

const times = () => ({ nowMs: Date.now() + aheadMs, dormancyMs: view?.dormancyMs ?? 1 });

followStage({
  past: addToLog,
  happening: (entry) => {
    addToLog(entry);
    picture.happening(entry.happening);
  },
  view: (read) => {
    view = read;
    picture.view(read);
    aheadMs = read.nowMs - Date.now();
    keepTransactions(read.transactions, times());
    keepDeliveries(read.deliveries);
    keepReceivers(read.partners);
  },
  connection: (isUp) => {
    setText(byId('connection'), isUp ? 'Live' : 'The stage does not answer; this page waits for it.');
    document.body.classList.toggle('down', !isUp);
  },
});
/** Makes the lists scrollable by keys. */
for (const id of ['received', 'log']) byId(id).tabIndex = 0;
setInterval(() => {
  if (!view) return;
  keepTransactions(view.transactions, times());
  updateClock({ ...times(), aheadMs: view.aheadMs });
}, 250);
