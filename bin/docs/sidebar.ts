import type { OperationPage } from './description.ts';
import { type Guide, shortTitle } from './guides.ts';
import { type Group, groups } from './pages.ts';

/** The operations of a group, in the order of its tags. */
export const operationsOf = ({ tags }: Group, pages: readonly OperationPage[]): OperationPage[] =>
  tags.flatMap((tag) => pages.filter(({ operation }) => operation.tags.includes(tag)));

/** An operation as a link of the menu. */
export const linkOf = ({ method, place, operation }: OperationPage) => ({
  ...{ label: operation.summary, link: `/${place}` },
  badge: { text: method === 'delete' ? 'DEL' : method.toUpperCase(), class: `sl-openapi-method-${method}` },
});

/** The menu in Starlight's form: the guides of each group, then its operations. */
export const sidebar = (guides: readonly Guide[], pages: readonly OperationPage[]) =>
  groups.map((group) => ({
    label: group.label,
    items: [
      ...guides
        .filter(({ name }) => group.guides.includes(name))
        .map(({ name, title }) => ({ label: shortTitle(title), link: `/${name}` })),
      ...(group.links ?? []),
      ...operationsOf(group, pages).map(linkOf),
    ],
  }));
