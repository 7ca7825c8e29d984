import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root } from '../support/repository.ts';

const tops = ['bin', 'functions', 'lib', 'localstack', 'partner-kit/bin', 'partner-kit/src', 'test'];
const sources = tops.flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(top, path)),
);
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
/** The files of some folders whose text has this. */
const filesWith = (inside: RegExp, what: RegExp) =>
  sources.filter((file) => inside.test(file) && what.test(textOf(file)));

function inAnyWay() {
  return /(?:\bfrom|\bimport\(?) ?'([^'\s]+)'/g;
}

/** Not `import type`, and not `import('…')`. */
function atOnce() {
  return /^(?:import|export)\b(?! type\b)[^;'"]*'([^']+)'/gm;
}

/** What each file imports: types too, since types tie rooms as well. */
const imports = new Map(sources.map((file) => [file, importsOf(file)]));

function importsOf(file: string, written = inAnyWay): string[] {
  const named = [...textOf(file).matchAll(written())].map(([, name = '']) => name);
  return named.map((name) => (name.startsWith('.') ? normalize(join(dirname(file), name)) : name));
}

const isSource = (file: string) => imports.has(file);

/** These files and all that they import, directly or through others. */
const reachedFrom = (entries: readonly string[]) => {
  const reached = new Set(entries);
  for (const file of reached) for (const target of imports.get(file) ?? []) reached.add(target);
  return reached;
};

const arrows = (inside: string) =>
  [...imports]
    .filter(([from]) => from.startsWith(inside))
    .flatMap(([from, targets]) => targets.map((to) => ({ from, to })));

/** The floor of a file in an order of rooms, counted from the ground. -1 if it is in none of them. */
const floorOf = (file: string, floors: readonly (readonly string[])[]) =>
  floors.findIndex((rooms) => rooms.some((room) => file.startsWith(room)));

const under = (folder: string, names: string) => names.split(' ').map((name) => `${folder}/${name}`);

/** What `import '@transactions/partner-kit'` loads. */
const libraryRooms = under('partner-kit/src', 'client/ webhook/ index.ts event-types.ts types.ts wire.ts');

describe('house: imports run in one direction', () => {
  const domain = 'functions/shared/domain/';
  const oracle = 'test/simulation/oracle/';
  const isIn = (rooms: readonly string[], file: string) => rooms.some((room) => file.startsWith(room));
  test.each<[string, string, (to: string, from: string) => boolean]>([
    [
      'a Lambda imports functions/shared, never another Lambda, nor what deploys or operates it',
      'functions/',
      (to, from) =>
        !isSource(to) || isIn(['functions/shared/', `${from.split('/').slice(0, 2).join('/')}/`], to),
    ],
    [
      'the domain imports only itself, uuid and pure functions of Node',
      domain,
      (to) => to.startsWith(domain) || ['uuid', 'node:crypto', 'node:util'].includes(to),
    ],
    [
      'localstack imports of bin the UserError, the operator’s commands to load the demo data, and the documents that need no build',
      'localstack/',
      (to, from) =>
        !to.startsWith('bin/') ||
        to === 'bin/operator/user-error.ts' ||
        (from === 'localstack/embedded/documents.ts' && to === 'bin/docs/build.ts') ||
        (from === 'localstack/embedded/demo/load.ts' && /^bin\/operator\/(connect|program)\.ts$/.test(to)),
    ],
    [
      'product code imports no test, and only tests import localstack',
      '',
      (to, from) =>
        from.startsWith('test/') ||
        (!to.startsWith('test/') && (!to.startsWith('localstack/') || from.startsWith('localstack/'))),
    ],
    [
      'partner-kit is published by itself: it imports nothing of the service',
      'partner-kit/',
      (to) => to.startsWith('partner-kit/') || to.startsWith('node:') || to === 'commander',
    ],
    // The local stage plays the demo partners, so it takes what a partner takes: the entry of the package.
    [
      'of partner-kit, only the entry is imported, and only by localstack',
      '',
      (to, from) =>
        !to.startsWith('partner-kit/') ||
        /^(partner-kit|test)\//.test(from) ||
        (from.startsWith('localstack/') && to === 'partner-kit/src/index.ts'),
    ],
    ...libraryRooms.map((room): [string, string, (to: string) => boolean] => [
      `KIT-10 the library of partner-kit imports nothing, not even of Node: ${room}`,
      room,
      (to) => isIn(libraryRooms, to),
    ]),
    [
      'the oracle of the simulation is independent: it imports no product code and no other test code',
      oracle,
      (to) => to.startsWith(oracle) || to === 'node:util',
    ],
  ])('%s', (_, inside, isAllowed) => {
    expect(arrows(inside).filter(({ from, to }) => !isAllowed(to, from))).toEqual([]);
  });

  /** From the ground up. */
  test.each<[string, string, string[]]>([
    [
      'shared: outbound and middleware, then write, auth, http, store and schema, domain and runtime',
      'functions/shared',
      ['domain/ runtime/', 'store/ schema/', 'http/', 'auth/', 'write/', 'outbound/ middleware/'],
    ],
    [
      'store: transactions, then a folder for each table, then dynamodb',
      'functions/shared/store',
      ['dynamodb/', 'listing/ requests/ partners/ storefronts/ secrets/', 'transactions/'],
    ],
    [
      'the embedded stage: its start and page, then the stage, then what calls functions, then AWS, then its wiring',
      'localstack/embedded',
      [
        ...[
          'wiring.ts state.ts clock.ts loopback.ts',
          'instances.ts',
          'aws/',
          'sources.ts gateway.ts',
          'stream.ts',
        ],
        ...['stage.ts', 'demo/ receiver.ts', 'announcement.ts page.ts', 'start.ts'],
      ],
    ],
    [
      'partner-kit: bin, then command, then attack, then the library; in it the webhook, then the client',
      'partner-kit',
      [
        ...['src/wire.ts', 'src/types.ts', 'src/event-types.ts src/samples/', 'src/client/', 'src/webhook/'],
        ...['src/index.ts', 'src/attack/', 'src/command/', 'bin/'],
      ],
    ],
  ])('%s', (_, folder, names) => {
    const floors = names.map((rooms) => under(folder, rooms));
    const wrong = arrows(folder).filter(({ from, to }) => {
      const [above, below] = [floorOf(from, floors), floorOf(to, floors)];
      if (above === -1 || below === -1) return false;
      const isSameRoom = floors[above]?.some((room) => from.startsWith(room) && to.startsWith(room));
      return !isSameRoom && above <= below;
    });

    expect(wrong).toEqual([]);
  });

  test('no file imports itself, directly or through others', () => {
    expect(circles()).toEqual([]);
  });
});

test('house: no test loads the CDK, which takes jest seconds for each file: it uses the synthesis of its run', () => {
  const loading = sources.filter((file) => file.endsWith('.test.ts') && loadedBy(file).has('aws-cdk-lib'));

  expect(loading).toEqual([]);
});

describe('house: every file has a folder and a reader', () => {
  /** The bundler puts it in the place of the SDK's credential chain (lib/constructs/bundle.ts). */
  const replacements = ['functions/shared/runtime/sdk/environment-credentials.ts'];
  const unreached = (inside: RegExp, entries: RegExp) => {
    const reached = reachedFrom([...sources.filter((file) => entries.test(file)), ...replacements]);
    return sources.filter((file) => inside.test(file) && !reached.has(file));
  };

  test('every product file is reached from an entry point, not only by tests', () => {
    const entries =
      /^(bin\/([^/]+|openapi\/message-schemas)|functions\/[^/]+\/index|localstack\/(embedded\/start|after-deploy)|partner-kit\/(bin\/[^/]+|src\/index))\.ts$/;

    expect(unreached(/^(?!test\/)/, entries)).toEqual([]);
  });

  test('functions/shared holds code of Lambdas: code that only the operator’s tool uses is in bin/operator', () => {
    // The form of stored elements, which the import and the API's description share.
    expect(unreached(/^functions\/shared\//, /^functions\/(?!shared\/)/)).toEqual([
      'functions/shared/schema/stored.ts',
    ]);
  });

  test('no folder holds more than 25 files', () => {
    const folders = Map.groupBy(sources, dirname);

    expect([...folders].filter(([, files]) => files.length > 25).map(([folder]) => folder)).toEqual([]);
  });
});

const deployed = /^(bin|functions|lib)\//;
/** Which files alone may have this in their text. */
test.each<[string, RegExp, RegExp, string[]]>([
  [
    'S-76 one module reads the clock of the machine, and all others get it passed in',
    deployed,
    /\bDate\.now\(|\bnew Date\(\)/,
    ['functions/shared/runtime/clock.ts'],
  ],
  [
    'S-83 servers of the stage are opened in one place, behind its guard; another file sees whether a port is free',
    /^localstack\//,
    /\bcreateServer\b/,
    ['localstack/embedded/free-port.ts', 'localstack/embedded/loopback.ts'],
  ],
  [
    'random values have one seed with one name, SEED',
    /^test\//,
    /(?<!instance = (?:String\()?)Math\.random|Date\.now\(\) %|process\.env\.\w+SEED/,
    ['test/support/builders/random.ts'],
  ],
])('house: %s', (_, inside, what, allowed) => {
  expect(filesWith(inside, what).toSorted()).toEqual(allowed);
});

test('house: every property takes its printed seed from propertyRun', () => {
  const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0;
  const wrong = filesWith(/^test\//, /\bfc\s*\.(assert|check)\(/).filter((file) => {
    const text = textOf(file);
    return count(text, /\bfc\s*\.(assert|check)\(/g) > count(text, /\bpropertyRun\(/g);
  });

  expect(wrong).toEqual([]);
});

test('house: OA-3 a test of the whole service calls it through describedFetch', () => {
  const bare = filesWith(/^test\/service\//, /(?<![\w.])fetch\(/);

  expect(bare).toEqual([]);
});

/** Files and packages that are loaded with a file, without types and later imports. */
function loadedBy(file: string): Set<string> {
  const reached = new Set([file]);
  for (const one of reached)
    if (isSource(one)) for (const target of importsOf(one, atOnce)) reached.add(target);
  return new Set([...reached].map((one) => (isSource(one) ? one : (one.split('/')[0] ?? ''))));
}

/** Each circle once, as the way from a file back to itself. */
function circles(): string[][] {
  const done = new Set<string>();
  const found: string[][] = [];
  const visit = (file: string, way: readonly string[]) => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file]);
    if (done.has(file)) return;
    done.add(file);
    for (const target of imports.get(file) ?? []) visit(target, [...way, file]);
  };
  for (const file of sources) visit(file, []);
  return found;
}
