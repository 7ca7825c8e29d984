import { escaped, inlineHtmlOf } from './markdown.ts';
import { boundsOf, nameIn, type Schema } from './open-api.ts';

/** A table of the members of an object; those of objects within it follow with their paths. */
export const membersTable = (schema: Schema): string => {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return `<p>${typeOf(schema)}</p>\n`;
  return `<div class="table" tabindex="0"><table>
<thead><tr><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></div>
`;
};

const rowsOf = ({ properties = {}, required = [], items, anyOf = [] }: Schema, before: string): string[] => [
  ...Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${before}${name}`;
    return [rowOf(path, schema, required.includes(name)), ...rowsOf(schema, `${path}.`)];
  }),
  ...[...(items ? [items] : []), ...anyOf].flatMap((one) => rowsOf(one, before)),
];

const rowOf = (path: string, schema: Schema, isRequired: boolean) => {
  const always = isRequired ? '' : ' <span class="note">may be absent</span>';
  return `<tr><td><code>${escaped(path)}</code>${always}</td><td>${typeOf(schema)}</td><td>${meaningOf(schema)}</td></tr>`;
};

/** The type of a value, with links to schemas that have a name. */
export const typeOf = (schema: Schema): string => {
  const { $ref, items, enum: values, anyOf, oneOf, allOf, type } = schema;
  if ($ref !== undefined) return `<a href="#schema-${nameIn($ref)}">${nameIn($ref)}</a>`;
  if (schema.const !== undefined) return `<code>${escaped(JSON.stringify(schema.const))}</code>`;
  if (values) return values.map((value) => `<code>${escaped(JSON.stringify(value))}</code>`).join(', ');
  const choices = anyOf ?? oneOf ?? allOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(allOf ? ' and ' : ' or ');
  if (items) return `list of ${typeOf(items)}`;
  return [type ?? 'anything'].flat().join(' or ');
};

/** What is said of a value: its description, its format and its bounds. */
export const meaningOf = (schema: Schema): string => {
  const { description = '', format, pattern, default: usual } = schema;
  const facts = [
    ...(format === undefined ? [] : [escaped(format)]),
    ...(boundsOf(schema) === '' ? [] : [boundsOf(schema)]),
    ...(pattern === undefined ? [] : [`<code>${escaped(pattern)}</code>`]),
    ...(usual === undefined ? [] : [`usually <code>${escaped(JSON.stringify(usual))}</code>`]),
  ];
  const note = facts.length === 0 ? '' : ` <span class="note">${facts.join(', ')}</span>`;
  return `${inlineHtmlOf(description)}${note}`;
};
