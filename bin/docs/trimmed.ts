import {
  type Answer,
  type Description,
  kebab,
  type Media,
  type Operation,
  operationPages,
  resolved,
} from './description.ts';
import { samplesOf } from './samples.ts';
import { readable } from './schema.ts';

/**
 * The description for the reference. Pages have samples, and a table of refusals that links to their sections: with
 * headers and schemas of each answer, a page would be three times as long.
 */
export const trimmed = (whole: Description, problems: string): object => {
  const { components, ...description } = structuredClone(whole);
  for (const page of operationPages({ ...description, components })) {
    const { operation } = page;
    const parameters = (operation.parameters ?? []).map((one) => resolved(one, components.parameters));
    const request = { ...page, parameters, origin: page.server ?? whole.servers[0]?.url ?? '' };
    Object.assign(operation, {
      parameters: parameters.map((one) => ({ ...one, schema: readable(one.schema, components.schemas) })),
      'x-codeSamples': samplesOf(request),
      operationId: kebab(operation.operationId),
      requestBody: operation.requestBody && bodyOf(operation.requestBody, components),
      responses: answersOf(operation.responses, components, problems),
    });
  }
  // Each sample has the whole address.
  for (const item of Object.values(description.paths)) delete item.servers;
  // A tag with a description would get a page of its own.
  const tags = description.tags.map(({ name }) => ({ name }));
  return {
    ...description,
    tags,
    servers: undefined,
    components: { securitySchemes: components.securitySchemes },
  };
};

type Components = Description['components'];

/** A body in its first media type, because the others have the same content. */
const bodyOf = (body: NonNullable<Operation['requestBody']>, components: Components) => {
  const [first = '', ...others] = Object.keys(body.content);
  const also = others.map((type) => `Also taken as \`${type}\`.`);
  return {
    ...body,
    description: [body.description ?? '', ...also].join(' ').trim(),
    content: { [first]: mediaOf(body.content[first] ?? {}, components) },
  };
};

const mediaOf = (media: Media, { schemas }: Components): Media => ({
  ...media,
  ...(media.schema && { schema: readable(media.schema, schemas) }),
});

const answersOf = (
  answers: Operation['responses'],
  components: Components,
  problems: string,
): Record<string, Answer> => {
  const all = Object.entries(answers).map(([status, one]): [string, Answer] => [
    status,
    resolved(one, components.responses),
  ]);
  const given = all.filter(([status]) => Number(status) < 400);
  const refusals = all.filter(([status]) => Number(status) >= 400);
  return {
    ...Object.fromEntries(given.map(([status, answer]) => [status, withoutHeaders(answer, components)])),
    ...(refusals.length > 0 && { Errors: { description: refusalsTable(refusals, problems) } }),
  };
};

const withoutHeaders = ({ description, content = {} }: Answer, components: Components): Answer => ({
  description,
  content: Object.fromEntries(
    Object.entries(content).map(([type, media]) => [type, mediaOf(media, components)]),
  ),
});

const refusalsTable = (refusals: readonly [string, Answer][], problems: string): string =>
  [
    `What to do about each of them: [Errors](${problems}).`,
    '',
    '| status | meaning | types |',
    '| ------ | ------- | ----- |',
    ...refusals.map(([status, answer]) => {
      const types = typesOf(answer).map((type) =>
        type.startsWith('#') ? `[\`${type.slice(1)}\`](${problems}${type})` : `\`${type}\``,
      );
      return `| ${status} | ${answer.description.replaceAll('|', '\\|')} | ${types.join(', ')} |`;
    }),
  ].join('\n');

/** The part that distinguishes refusals: the section of a problem (`#not-found`), or the error code of OAuth. */
const typesOf = ({ content = {} }: Answer): string[] => {
  const values = Object.values(content).flatMap(({ example, examples = {} }) => [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples).map(({ value }) => value),
  ]) as { type?: string; error?: string }[];
  return [
    ...new Set(values.flatMap(({ type, error }) => (type ? [new URL(type).hash] : error ? [error] : []))),
  ];
};
