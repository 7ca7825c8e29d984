// Shows what /stage.json says, as text only.
const byId = (id) => document.getElementById(id);
const element = (name, content, more = {}) => {
  const made = Object.assign(document.createElement(name), more);
  made.append(...[content].flat());
  return made;
};
const text = (content, isFailed) => element('span', content, { className: isFailed ? 'failed' : '' });

const act = async (wanted, question) => {
  if (question && !confirm(question)) return;
  const answer = await fetch('/stage.json', { method: 'POST', body: JSON.stringify(wanted) }).catch(() => {});
  byId('said').textContent = answer ? (await answer.json()).said : 'The stage does not answer.';
  void show();
};
/** `of` tells a screen reader which row the button belongs to. */
const button = (label, wanted, { of = '', question } = {}) =>
  element('button', label, { ariaLabel: `${label} ${of}`.trim(), onclick: () => act(wanted, question) });
const row = (key, content, buttons = []) => {
  const made = element('li', [element('div', content), element('div', buttons)]);
  made.dataset.key = key;
  return made;
};

const isHeld = (list) =>
  list.matches(':focus-within') || (matchMedia('(hover: hover)').matches && list.matches(':hover'));

/** Under a person's hand rows and buttons stay where they are: only the text of a row changes. */
const fill = (id, fresh) => {
  const list = byId(id);
  if (!isHeld(list)) {
    if (list.innerHTML !== fresh.map(({ outerHTML }) => outerHTML).join('')) list.replaceChildren(...fresh);
    return;
  }
  for (const { dataset, firstChild } of fresh) {
    const old = [...list.children].find((one) => one.dataset.key === dataset.key)?.firstChild;
    if (!old?.isEqualNode(firstChild)) old?.replaceWith(firstChild);
  }
};
const fillRows = (id, rows) => fill(id, rows.length > 0 ? rows : [row('none', 'None.')]);

const transactionRow = ({ uuid, partner, isComplete, about }) => {
  const of = uuid.slice(0, 8);
  const pay = { of, question: `Pay ${of}? A payment stays, and completes the transaction.` };
  const remove = { of, question: `Delete ${of}? Only the operator's tool restores it.` };
  return row(
    uuid,
    [about, element('code', uuid), `${isComplete ? 'complete' : 'open'}, seen by ${partner}`],
    [
      button('Change', { do: 'change', uuid, partner }, { of }),
      ...(isComplete ? [] : [button('Pay', { do: 'pay', uuid, partner }, pay)]),
      button('Delete', { do: 'delete', uuid, partner }, remove),
    ],
  );
};
const partnerRow = ({ name, condition, conditions, isFailing }) =>
  row(
    name,
    [`${name} `, text(isFailing ? 'failing' : 'not failing', isFailing), `, its receiver ${condition}`],
    conditions
      .filter((one) => one !== condition)
      .map((one) => button(one, { do: 'receiver', partner: name, condition: one }, { of: `for ${name}` })),
  );
const deliveryRow = ({ key, at, partner, type, uuid, said, failed }) =>
  row(
    key,
    [`${at} ${type} to ${partner} `, text(said, failed), element('code', uuid)],
    [button('Replay', { do: 'replay', uuid, partner }, { of: `${uuid.slice(0, 8)} to ${partner}` })],
  );
const dueRow = ({ uuid, when }) => row(uuid, [when, element('code', uuid)]);

const show = async () => {
  const search = encodeURIComponent(byId('search').value.trim());
  const answer = await fetch(`/stage.json?search=${search}`).catch(() => {});
  const state = answer?.ok ? await answer.json() : undefined;
  byId('clock').textContent = state?.clock ?? 'The stage does not answer.';
  if (!state?.transactions) return;
  byId('rest').textContent = state.rest;
  const checkouts = [['nobody', 'Anonymous checkout'], ...state.users.map((as) => [as, `Checkout as ${as}`])];
  fill(
    'checkout',
    checkouts.map(([as, label]) => button(label, { do: 'checkout', as })),
  );
  fill(
    'moves',
    state.moves.map(([seconds, span]) => {
      const question = `Move the clock on by ${span}? It never goes back.`;
      return button(`+ ${span}`, { do: 'clock', seconds }, { question });
    }),
  );
  fillRows('transactions', state.transactions.map(transactionRow));
  fillRows('due', state.due.map(dueRow));
  fillRows('partners', state.partners.map(partnerRow));
  fillRows('deliveries', state.deliveries.map(deliveryRow));
};

byId('search').addEventListener('input', show);
const poll = () => (document.hidden ? Promise.resolve() : show()).finally(() => setTimeout(poll, 1_500));
void poll();
