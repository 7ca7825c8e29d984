import type { View } from '../view.ts';
import { showClock } from './clock.ts';
import { showDeliveries } from './deliveries.ts';
import { byId, setText } from './dom.ts';
import { addToLog } from './log.ts';
import { showPicture } from './picture.ts';
import { showReceivers } from './receivers.ts';
import { act, hearStage } from './stage.ts';
import { showTransactions } from './transactions.ts';

let view: View | undefined;
/** How far the stage's clock is ahead of the browser's. */
let aheadMs = 0;

/** Long enough to be read. */
const saidMs = 6_000;
let forget = 0;
const press = async (action: object) => {
  setText(byId('said'), await act(action));
  clearTimeout(forget);
  forget = window.setTimeout(() => setText(byId('said'), ''), saidMs);
};

const tellTime = showClock((action) => void press(action));
byId('checkout').addEventListener('click', () => void press({ do: 'checkout' }));
for (const as of ['ada', 'ben'])
  byId(`checkout-${as}`).addEventListener('click', () => void press({ do: 'checkout', as }));
const picture = showPicture();
const transactions = showTransactions((action) => void press(action));
const keepReceivers = showReceivers((action) => void press(action));
const keepDeliveries = showDeliveries();

const times = () => ({ nowMs: Date.now() + aheadMs, dormancyMs: view?.dormancyMs ?? 1 });

hearStage({
  past: addToLog,
  happening: (entry) => {
    addToLog(entry);
    picture.happening(entry.happening);
  },
  view: (read) => {
    view = read;
    picture.view(read);
    aheadMs = read.nowMs - Date.now();
    transactions.show(read.transactions, times());
    keepDeliveries(read.deliveries);
    keepReceivers(read.partners);
  },
  connection: (isUp) => {
    setText(byId('connection'), isUp ? 'Live' : 'The stage does not answer; the page waits for it.');
    document.body.classList.toggle('down', !isUp);
  },
});
/** What scrolls can be scrolled by keys. */
for (const [id, label] of [
  ['picture', 'Picture of both ways'],
  ['received', 'What the receivers say'],
  ['log', 'What happens in the stage'],
] as const) {
  const node = id === 'picture' ? byId(id) : byId(id).parentElement;
  node?.setAttribute('role', 'region');
  node?.setAttribute('aria-label', label);
  node?.setAttribute('tabindex', '0');
}
setInterval(() => {
  if (!view) return;
  transactions.tick(times());
  tellTime({ ...times(), aheadMs: view.aheadMs });
}, 250);
