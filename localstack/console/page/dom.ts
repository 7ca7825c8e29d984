type Child = Node | string;

/** An element with attributes and children. Data of the stage is set as text, never as markup (TH-21). */
export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

export const button = (label: string, press: () => void, attributes: Record<string, string> = {}) => {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', press);
  return made;
};

export const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no ${id}.`);
  return found;
};

/** A value that the server has written into the page's head. */
export const metaOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';

/** Sets a changed text only, so that a selection stays. */
export const setText = (node: Element, text: string) => {
  if (node.textContent !== text) node.textContent = text;
};

/** A value as indented JSON. */
export const wholeText = (value: unknown): string => JSON.stringify(value, null, 2);

export type Row<Item> = { node: HTMLElement; update: (item: Item) => void };

/** Keeps one row for each item, in their order. A row that stays keeps its focus and its opened details. */
export const keepRows = <Item>(
  list: HTMLElement,
  { keyOf, create }: { keyOf: (item: Item) => string; create: (item: Item) => Row<Item> },
) => {
  const rows = new Map<string, Row<Item>>();
  return (items: readonly Item[]) => {
    const wanted = new Set(items.map(keyOf));
    for (const [key, row] of rows) {
      if (wanted.has(key)) continue;
      row.node.remove();
      rows.delete(key);
    }
    items.forEach((item, index) => {
      const key = keyOf(item);
      const row = rows.get(key) ?? create(item);
      rows.set(key, row);
      row.update(item);
      if (list.children[index] !== row.node) list.insertBefore(row.node, list.children[index] ?? null);
    });
  };
};

/** Adds a line at the top of a list of at most `most` lines. It replaces a first line with the same `data-fold`. */
export const addLine = (list: HTMLElement, line: HTMLElement, most = 80) => {
  const before = list.firstElementChild;
  if (line.dataset.fold && before instanceof HTMLElement && before.dataset.fold === line.dataset.fold)
    before.remove();
  list.prepend(line);
  while (list.children.length > most) list.lastElementChild?.remove();
};
