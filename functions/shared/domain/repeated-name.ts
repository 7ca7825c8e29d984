/** Every string, with the colon that makes it a name, and every bracket; what lies between needs no look. */
const stringsAndBrackets = /"((?:[^"\\]|\\.)*)"[ \t\n\r]*(:?)|[{}]/g;

type OpenObject = { names: Set<string>; current: string };

/**
 * The path to the first name that stands twice in its object. Expects text that `JSON.parse` takes: parsers that keep the
 * first and those that keep the last of them disagree, and two readers of one body must not.
 */
export const repeatedName = (json: string): string | undefined => {
  const open: OpenObject[] = [];
  for (const [token, content, colon] of json.matchAll(stringsAndBrackets)) {
    const inner = open.at(-1);
    if (token === '{') open.push({ names: new Set(), current: '' });
    else if (token === '}') open.pop();
    else if (colon && inner) {
      inner.current = JSON.parse(`"${content}"`);
      if (inner.names.has(inner.current)) return open.map(({ current }) => current).join('.');
      inner.names.add(inner.current);
    }
  }
  return undefined;
};
