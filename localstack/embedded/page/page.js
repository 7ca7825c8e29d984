// Shows what /stage.json says, as text only.
const byId = (id) => document.getElementById(id);
const element = (name, content, more = {}) => {
  const made = Object.assign(document.createElement(name), more);
  made.append(...[content].flat());
  return made;
};
const timeOf = (ms) => new Date(ms).toLocaleTimeString('en-GB', { timeZone: 'UTC' });
const spanText = (seconds) => {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
  ];
  const [name, size] = units.find(([, size]) => seconds >= 2 * size) ?? ['s', 1];
  return `${Math.round(seconds / size)} ${name}`;
};
const text = (content, isFailed) => element('span', content, { className: isFailed ? 'failed' : 'quiet' });

const act = async (wanted, question) => {
  if (question && !confirm(question)) return;
  const answer = await fetch('/stage.json', { method: 'POST', body: JSON.stringify(wanted) }).catch(() => {});
  byId('said').textContent = answer ? (await answer.json()).said : 'The stage does not answer.';
  void show();
};
/** `of` tells a screen reader which row the button belongs to. */
const button = (label, wanted, { of = '', question } = {}) =>
  element('button', label, {
    type: 'button',
    ariaLabel: `${label} ${of}`.trim(),
    onclick: () => act(wanted, question),
  });
const row = (key, content, buttons = []) => {
  const made = element('li', [
    element('div', content),
    ...(buttons.length > 0 ? [element('div', buttons)] : []),
  ]);
  made.dataset.key = key;
  return made;
};

const isHeld = (list) =>
  list.matches(':focus-within') || (matchMedia('(hover: hover)').matches && list.matches(':hover'));

/** Puts the rows into a list. Under a person's hand each row stays where it is: only its content changes. */
const fill = (id, rows, none) => {
  const list = byId(id);
  const fresh = rows.length > 0 ? rows : [row('none', text(none))];
  if (!isHeld(list)) {
    if (list.innerHTML !== fresh.map(({ outerHTML }) => outerHTML).join('')) list.replaceChildren(...fresh);
    return;
  }
  for (const old of [...list.children]) {
    const changed = fresh.find(({ dataset }) => dataset.key === old.dataset.key);
    if (!changed) for (const one of old.querySelectorAll('button')) one.disabled = true;
    else if (changed.outerHTML !== old.outerHTML) {
      const focused = old.contains(document.activeElement) && document.activeElement.textContent;
      old.replaceWith(changed);
      const buttons = [...changed.querySelectorAll('button')];
      if (focused) (buttons.find(({ textContent }) => textContent === focused) ?? buttons[0])?.focus();
    }
  }
};
/** Puts buttons into a place once. */
const once = (id, buttons) => byId(id).children.length > 0 || byId(id).append(...buttons);

const transactionRow = ({ uuid, partners: [partner], partners, isComplete, who, what }) => {
  const of = uuid.slice(0, 8);
  const pay = { of, question: `Pay ${of}? A payment stays, and completes the transaction.` };
  const remove = { of, question: `Delete ${of}? Only the operator's tool restores it.` };
  return row(
    uuid,
    [
      `${who || 'Nobody yet'}, ${what || 'no vehicle yet'} `,
      text(`${isComplete ? 'complete' : 'open'}, seen by ${partners.join(', ')}`),
      element('code', uuid),
    ],
    [
      button('Change', { do: 'change', uuid, partner }, { of }),
      ...(isComplete ? [] : [button('Pay', { do: 'pay', uuid, partner }, pay)]),
      button('Delete', { do: 'delete', uuid, partner }, remove),
    ],
  );
};
const partnerRow =
  (conditions) =>
  ({ name, condition, isFailing }) =>
    row(
      name,
      [
        `${name} `,
        text(isFailing ? 'failing' : 'not failing', isFailing),
        condition && condition !== 'healthy' ? text(`, its receiver ${condition}`) : '',
      ],
      conditions
        .filter((one) => one !== condition)
        .map((one) => button(one, { do: 'receiver', partner: name, condition: one }, { of: `for ${name}` })),
    );
const deliveryRow = ({ atMs, partner, type, uuid, event, said, failed }) =>
  row(
    `${event} ${partner}`,
    [`${timeOf(atMs)} ${type} to ${partner} `, text(said, failed), element('code', uuid)],
    [button('Replay', { do: 'replay', event, partner }, { of: `${uuid.slice(0, 8)} to ${partner}` })],
  );
const dueRow =
  (nowMs) =>
  ({ uuid, dueAtMs }) => {
    const seconds = Math.round((dueAtMs - nowMs) / 1000);
    return row(uuid, [
      `${timeOf(dueAtMs)}, ${seconds > 0 ? `in ${seconds} s` : 'now'}`,
      element('code', uuid),
    ]);
  };

let asked = 0;
const show = async () => {
  asked += 1;
  const own = asked;
  const search = encodeURIComponent(byId('search').value.trim());
  const answer = await fetch(`/stage.json?search=${search}`).catch(() => {});
  const state = answer?.ok ? await answer.json() : undefined;
  // A later question was asked meanwhile.
  if (own !== asked) return;
  if (state?.nowMs === undefined) {
    byId('clock').textContent = state ? 'The stage is starting.' : 'The stage does not answer.';
    return;
  }
  const { nowMs, aheadMs, dormancySeconds, users, conditions, moves } = state;
  const ahead = aheadMs > 0 ? `, ${spanText(aheadMs / 1000)} ahead` : '';
  byId('clock').textContent = `${timeOf(nowMs)} UTC${ahead}`;
  byId('rest').textContent =
    `On this start, an event leaves ${spanText(dormancySeconds)} after the last change; a completion leaves at once.`;
  once(
    'checkout',
    ['nobody', ...users].map((as) =>
      button(as === 'nobody' ? 'Anonymous checkout' : `Checkout as ${as}`, { do: 'checkout', as }),
    ),
  );
  once(
    'moves',
    moves.map((seconds) => {
      const question = `Move the clock on by ${spanText(seconds)}? It never goes back.`;
      return button(`+ ${spanText(seconds)}`, { do: 'clock', seconds }, { question });
    }),
  );
  fill('transactions', state.transactions.map(transactionRow), 'None.');
  fill('due', state.due.map(dueRow(nowMs)), 'Nothing is due.');
  fill('partners', state.partners.map(partnerRow(conditions)), 'There are no demo partners.');
  fill('deliveries', state.deliveries.map(deliveryRow), 'None since this start.');
};

byId('search').addEventListener('input', show);
document.addEventListener('visibilitychange', show);
const poll = () => (document.hidden ? Promise.resolve() : show()).finally(() => setTimeout(poll, 1_500));
void poll();
