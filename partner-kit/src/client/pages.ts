import type { ApiAnswer } from './api.ts';
import { UnexpectedAnswerError } from './errors.ts';

type Linked = { readonly _links: { readonly next?: { readonly href: string } } };

/** A page of the service. */
type PageOf<Item> = Linked & { readonly data: readonly Item[]; readonly requestId: string | undefined };

/**
 * A list. It sends nothing until you use it, in one of three ways: `await` it for the first page, iterate over it for
 * the records of all pages, or over `pages()` for the pages.
 */
export type List<Item, Page extends PageOf<Item> = PageOf<Item>> = Promise<Page> &
  AsyncIterable<Item> & {
    /** Every page, by the links. Records that existed at the start are neither repeated nor skipped. */
    pages(): AsyncGenerator<Page, void, undefined>;
  };

/** How lists are read. */
export type ReadList = {
  /** The first page. The records of all pages are read in the largest pages, unless the caller sets a size. */
  first: (isForAll: boolean) => Promise<ApiAnswer>;
  follow: (href: string) => Promise<ApiAnswer>;
};

export const listOf = <Item, Page extends PageOf<Item>>({ first, follow }: ReadList): List<Item, Page> => {
  const page = async (answer: Promise<ApiAnswer>) => {
    const { body, requestId } = await answer;
    return { ...body, requestId } as unknown as Page;
  };
  const pages = (isForAll: boolean) =>
    followPages(
      () => page(first(isForAll)),
      (href) => page(follow(href)),
    );
  let asked: Promise<Page> | undefined;
  const ask = () => {
    asked ??= page(first(false));
    return asked;
  };
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list that is awaited is its first page.
    then: (...hear) => ask().then(...hear),
    catch: (hear) => ask().catch(hear),
    finally: (hear) => ask().finally(hear),
    [Symbol.toStringTag]: 'List',
    pages: () => pages(false),
    [Symbol.asyncIterator]: () => itemsOf<Item>(pages(true)),
  };
};

/** From one page to the next by its link, until there is none. */
async function* followPages<Page extends Linked>(
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

/** The records of all pages, one by one. */
async function* itemsOf<Item>(
  pages: AsyncIterable<{ readonly data: readonly Item[] }>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { data } of pages) yield* data;
}
