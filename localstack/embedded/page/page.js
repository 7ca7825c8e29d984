// Shows what /stage.json says, as text only. A list whose rows are under the pointer, or hold the focus, waits.
const byId = (id) => document.getElementById(id);
const element = (name, content, more = {}) => {
  const made = Object.assign(document.createElement(name), more);
  made.append(...[content].flat());
  return made;
};
const timeOf = (ms) => new Date(ms).toLocaleTimeString('en-GB');
const short = (uuid) => element('code', uuid.slice(0, 13), { title: uuid });
const spanText = (seconds) =>
  seconds < 120
    ? `${seconds} s`
    : seconds < 7200
      ? `${Math.round(seconds / 60)} min`
      : seconds < 172800
        ? `${Math.round(seconds / 3600)} h`
        : `${Math.round(seconds / 86400)} d`;

const act = async (wanted, question) => {
  if (question && !confirm(question)) return;
  const answer = await fetch('/stage.json', {
    method: 'POST',
    body: JSON.stringify(wanted),
    headers: { 'Content-Type': 'application/json' },
  });
  byId('said').textContent = (await answer.json()).said;
  void show();
};
const button = (label, wanted, question) =>
  element('button', label, { type: 'button', onclick: () => act(wanted, question) });

/** Replaces the content of a list only if it differs, and not under a person's hand. */
const fill = (id, children) => {
  const list = byId(id);
  const text = JSON.stringify(children.map((child) => child.outerHTML));
  if (list.dataset.text === text || list.matches(':hover, :focus-within')) return;
  list.dataset.text = text;
  list.replaceChildren(...children);
};
const orNone = (rows, none) => (rows.length > 0 ? rows : [element('li', none, { className: 'quiet' })]);

const transactionRow = ({ uuid, partners: [partner], partners, status, who, what }) =>
  element('li', [
    short(uuid),
    ` ${who || 'nobody yet'}, ${what || 'no vehicle'} `,
    element('span', `${status === 1 ? 'complete' : 'open'}, for ${partners.join(', ')}`, {
      className: 'quiet',
    }),
    element('br', []),
    button('Change', { do: 'change', uuid, partner }),
    ...(status === 1
      ? []
      : [button('Pay', { do: 'pay', uuid, partner }, `Pay ${uuid}? A payment cannot be undone.`)]),
    button(
      'Delete',
      { do: 'delete', uuid, partner },
      `Delete ${uuid}? Only the operator's tool restores it.`,
    ),
  ]);

const partnerRow =
  (conditions) =>
  ({ name, condition, isFailing }) =>
    element('li', [
      `${name}: `,
      element('span', isFailing ? 'failing' : condition === 'healthy' ? 'no failure' : condition, {
        className: isFailing ? 'failed' : '',
      }),
      element('br', []),
      ...conditions
        .filter((one) => one !== condition)
        .map((one) => button(one, { do: 'receiver', partner: name, condition: one })),
    ]);

const deliveryRow = ({ atMs, partner, type, uuid, event, said, failed }) =>
  element('li', [
    `${timeOf(atMs)} ${partner} ${type} `,
    short(uuid),
    ' ',
    element('span', said, { className: failed ? 'failed' : 'quiet' }),
    ' ',
    button('Replay', { do: 'replay', event, partner }),
  ]);

const show = async () => {
  const answer = await fetch(`/stage.json?search=${encodeURIComponent(byId('search').value.trim())}`).catch(
    () => undefined,
  );
  if (!answer?.ok) {
    byId('clock').textContent = 'The stage does not answer.';
    return;
  }
  const state = await answer.json();
  if (state.nowMs === undefined) {
    byId('clock').textContent = 'The stage is starting.';
    return;
  }
  byId('clock').textContent =
    timeOf(state.nowMs) + (state.aheadMs > 0 ? `, ${spanText(Math.round(state.aheadMs / 1000))} ahead` : '');
  byId('rest').textContent = `An event leaves ${spanText(state.dormancySeconds)} after the last change.`;
  fill(
    'checkout',
    ['nobody', ...state.users].map((as) =>
      button(as === 'nobody' ? 'Anonymous checkout' : `Checkout as ${as}`, { do: 'checkout', as }),
    ),
  );
  fill('transactions', orNone(state.transactions.map(transactionRow), 'None.'));
  fill(
    'due',
    orNone(
      state.due.map(({ uuid, dueAtMs }) => element('li', [short(uuid), ` at ${timeOf(dueAtMs)}`])),
      'Nothing is due.',
    ),
  );
  fill('partners', state.partners.map(partnerRow(state.conditions)));
  fill('deliveries', orNone(state.deliveries.map(deliveryRow), 'None since this start.'));
  fill(
    'moves',
    state.moves.map((seconds) =>
      button(
        `+ ${spanText(seconds)}`,
        { do: 'clock', seconds },
        `Move the clock on by ${spanText(seconds)}? It never goes back.`,
      ),
    ),
  );
};

byId('search').addEventListener('input', show);
const poll = () => show().finally(() => setTimeout(poll, document.hidden ? 5000 : 1000));
void poll();
