import { describe, expect, test } from '@jest/globals';
import type { oas31 } from 'zod-openapi';
import { problems } from '../../../../functions/shared/http/problem.ts';
import { gatewayAnswers } from '../../../../lib/constructs/api/gateway-answers.ts';
import { description, faultsAt, pointer } from '../../../support/openapi/description.ts';
import { meantBy, operations, valueAt } from '../../../support/openapi/operations.ts';

test('ERR-1 the example of a refusal is one of an operation with that response', () => {
  const answers = operations.flatMap(({ path, place }) =>
    Object.keys(valueAt(`${place}/responses`) ?? {}).map((status) => ({
      path,
      place: meantBy(`${place}/responses/${status}`),
    })),
  );
  const instancesAt = (place: string) =>
    Object.values(valueAt(`${place}/content/application~1problem+json/examples`) ?? {})
      .map((example) => (example as { value: { instance: string } }).value.instance)
      .filter((instance) => instance.startsWith('/'));
  const isAt = (path: string, instance: string) =>
    instance.split('/').every((part, index) => [part, '{page}'].includes(path.split('/')[index] ?? ''));
  const isOfOne = (place: string, instance: string) =>
    answers.some((one) => one.place === place && isAt(one.path, instance));

  const foreign = answers.flatMap(({ place }) =>
    instancesAt(place).flatMap((instance) => (isOfOne(place, instance) ? [] : [`${place}: ${instance}`])),
  );

  expect([...new Set(foreign)]).toEqual([]);
});

type Shown = { schema: object; example?: unknown; examples?: { [name: string]: { value: unknown } } };
type Place = { at: string[]; shown: Shown };

/** Every place of the document with a schema for a value on the wire: parameters, headers and media types. */
const places = (value: unknown, at: string[] = []): Place[] => {
  if (typeof value !== 'object' || value === null) return [];
  const isExample = ['example', 'examples'].includes(at.at(-1) ?? '');
  if (isExample || (at[0] === 'components' && at[1] === 'schemas')) return [];
  if ('schema' in value) return [{ at, shown: value as Shown }];
  return Object.entries(value).flatMap(([name, member]) => places(member, [...at, name]));
};

const known = places(description);

const examplesOf = ({ at, shown: { example, examples = {} } }: Place): [string, string, unknown][] =>
  [
    ...(example === undefined ? [] : [['', example] as const]),
    ...Object.entries(examples).map(([name, { value }]) => [`: ${name}`, value] as const),
  ].map(([name, value]) => [`${at.join(' ')}${name}`, pointer(...at, 'schema'), value]);

describe('OA-2 every parameter, header and body of the document', () => {
  test('has an informative example', () => {
    const mute = known.filter((place) => examplesOf(place).every(([, , value]) => value === ''));

    expect(mute.map(({ at }) => at.join(' '))).toEqual([]);
  });

  test('matches its schema', () => {
    const faults = known
      .flatMap(examplesOf)
      .flatMap(([name, place, value]) => faultsAt(place, value).map((fault) => `${name} ${fault}`));

    expect(known.length).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  });
});

test('OA-2 every type of problem is an example of Problem, the service’s and the gateway’s, and no other', () => {
  const { examples = [] } = (description.components?.schemas?.Problem ?? {}) as oas31.SchemaObject;
  const types = examples.map(({ type }: { type: string }) => type.split('#')[1]);
  const paragraphs = Object.values(gatewayAnswers).map(({ paragraph }) => paragraph);

  expect(types.toSorted()).toEqual(
    [...new Set([...Object.keys(problems), ...paragraphs, 'headers-too-large'])].sort(),
  );
});
