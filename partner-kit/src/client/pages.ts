import { UnexpectedAnswerError } from './errors.ts';

type Linked = { readonly _links: { readonly next?: { readonly href: string } } };

/** From one page to the next by its link, until there is none. */
export async function* followPages<Page extends Linked>(
  first: () => Promise<Page>,
  follow: (href: string) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  let page = await first();
  yield page;
  for (let href = page._links.next?.href; href !== undefined; ) {
    page = await follow(href);
    yield page;
    const next = page._links.next?.href;
    if (next === href)
      throw new UnexpectedAnswerError('A page names itself as the next one.', { status: 200 });
    href = next;
  }
}

/** What is on the pages, one by one. */
export async function* itemsOf<Item>(
  pages: AsyncIterable<{ readonly data: readonly Item[] }>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { data } of pages) yield* data;
}
