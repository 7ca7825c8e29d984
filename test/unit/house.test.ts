import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isSourceOfTemplates } from '../../localstack/cloudformation/assembly.ts';
import { root } from '../support/repository.ts';

const tops = ['bin', 'functions', 'lib', 'localstack', 'partner-kit/bin', 'partner-kit/src', 'test'];
const sources = tops.flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(top, path)),
);

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
  const text = readFileSync(join(root, file), 'utf8');
  const named = [...text.matchAll(written())].map(([, name = '']) => name);
  return named.map((name) => (name.startsWith('.') ? normalize(join(dirname(file), name)) : name));
}

const arrows = (inside: string) =>
  [...imports]
    .filter(([from]) => from.startsWith(inside))
    .flatMap(([from, targets]) => targets.map((to) => ({ from, to })));

/** The floor of a file in an order of rooms, counted from the ground. -1 if it is in none of them. */
const floorOf = (file: string, floors: readonly (readonly string[])[]) =>
  floors.findIndex((rooms) => rooms.some((room) => file.startsWith(room)));

/** Imports that run from a lower room to a higher one, or between rooms beside each other. */
const wrongIn = (floors: readonly (readonly string[])[]) =>
  arrows('').filter(({ from, to }) => {
    const [above, below] = [floorOf(from, floors), floorOf(to, floors)];
    if (above === -1 || below === -1) return false;
    const isSameRoom = floors[above]?.some((room) => from.startsWith(room) && to.startsWith(room));
    return !isSameRoom && above <= below;
  });

const under = (folder: string, names: string) => names.split(' ').map((name) => `${folder}/${name}`);

describe('house: imports run in one direction', () => {
  test('a Lambda imports functions/shared, never another Lambda, nor what deploys or operates it', () => {
    const wrong = arrows('functions/').filter(({ from, to }) => {
      const own = from.split('/').slice(0, 2).join('/');
      return isSource(to) && !to.startsWith(`${own}/`) && !to.startsWith('functions/shared/');
    });

    expect(wrong).toEqual([]);
  });

  test('the domain imports only itself, uuid and pure functions of Node', () => {
    const wrong = arrows('functions/shared/domain/').filter(
      ({ to }) =>
        !to.startsWith('functions/shared/domain/') && !['uuid', 'node:crypto', 'node:util'].includes(to),
    );

    expect(wrong).toEqual([]);
  });

  test('shared: publish, then outbound and middleware, write, auth, http, store and schema, domain and runtime', () => {
    const floors = [
      'domain/ runtime/',
      'store/ schema/',
      'http/',
      'auth/',
      'write/',
      'outbound/ middleware/',
      'publish/',
    ].map((names) => under('functions/shared', names));

    expect(wrongIn(floors)).toEqual([]);
  });

  test('store: transactions, then a folder for each table, then dynamodb', () => {
    const floors = [
      'dynamodb/',
      'listing/ requests/ debounce/ partners/ storefronts/ secrets/',
      'transactions/',
    ].map((names) => under('functions/shared/store', names));

    expect(wrongIn(floors)).toEqual([]);
  });

  test('localstack: the stage, then its services, then their base', () => {
    const services =
      'apigateway/ dynamodb/ eventbridge/ lambda/ secretsmanager/ sqs/ webhook-receiver/ demo/';
    const ground = under('localstack', 'aws/ clock/ cloudformation/ data/ feed/ loopback/');
    const wrong = [...ground, ...under('localstack', services)].flatMap((room) =>
      arrows(room).filter(({ to }) => stage.includes(to) || (ground.includes(room) && isService(to))),
    );
    function isService(file: string) {
      return under('localstack', services).some((room) => file.startsWith(room));
    }

    expect(wrong).toEqual([]);
  });

  test('localstack imports one thing from the operator: UserError', () => {
    const taken = arrows('localstack/').filter(({ to }) => to.startsWith('bin/'));

    expect(new Set(taken.map(({ to }) => to))).toEqual(new Set(['bin/operator/user-error.ts']));
  });

  test('product code imports no test, and only tests import localstack', () => {
    const wrong = arrows('').filter(
      ({ from, to }) =>
        !from.startsWith('test/') &&
        (to.startsWith('test/') || (to.startsWith('localstack/') && !from.startsWith('localstack/'))),
    );

    expect(wrong).toEqual([]);
  });

  // The local stage plays the demo partners, so it takes what a partner takes: the entry of the package, and no file behind it.
  test('partner-kit is published by itself: it imports nothing of the service, and only localstack’s entry imports it', () => {
    const outwards = arrows('partner-kit/').filter(
      ({ to }) => !to.startsWith('partner-kit/') && !to.startsWith('node:') && to !== 'commander',
    );
    const inwards = arrows('').filter(
      ({ from, to }) =>
        to.startsWith('partner-kit/') &&
        !/^(partner-kit|test)\//.test(from) &&
        !(from.startsWith('localstack/') && to === 'partner-kit/src/index.ts'),
    );

    expect([...outwards, ...inwards]).toEqual([]);
  });

  test('KIT-10 the library of partner-kit imports nothing, not even of Node', () => {
    const wrong = libraryRooms.flatMap((room) => arrows(room)).filter(({ to }) => !isLibrary(to));

    expect(wrong).toEqual([]);
  });

  test('partner-kit: bin, then command, then attack, then the library; in it the webhook, then the client', () => {
    const floors = [
      'src/wire.ts',
      'src/types.ts',
      'src/event-types.ts src/samples/',
      'src/client/',
      'src/webhook/',
      'src/index.ts',
      'src/attack/',
    ];
    const rooms = [...floors, 'src/command/', 'bin/'].map((names) => under('partner-kit', names));

    expect(wrongIn(rooms)).toEqual([]);
  });

  test('the oracle of the simulation is independent: it imports no product code and no other test code', () => {
    const wrong = arrows('test/simulation/oracle/').filter(
      ({ to }) => !to.startsWith('test/simulation/oracle/') && to !== 'node:util',
    );

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
  test('every product file is reached from an entry point, not only by tests', () => {
    const entries = sources.filter((file) =>
      /^(bin\/([^/]+|openapi\/message-schemas)|functions\/[^/]+\/index|localstack\/(start|after-deploy|lambda\/worker|console\/page\/main)|partner-kit\/(bin\/[^/]+|src\/index))\.ts$/.test(
        file,
      ),
    );
    const reached = new Set([...entries, ...replacements]);
    for (const file of reached) for (const target of imports.get(file) ?? []) reached.add(target);
    const product = sources.filter((file) => !file.startsWith('test/'));

    expect(product.filter((file) => !reached.has(file))).toEqual([]);
  });

  test('functions/shared holds code of Lambdas: code that only the operator’s tool uses is in bin/operator', () => {
    const reached = new Set([
      ...sources.filter((file) => /^functions\/(?!shared\/)/.test(file)),
      ...replacements,
    ]);
    for (const file of reached) for (const target of imports.get(file) ?? []) reached.add(target);
    // The form of stored elements, which the import and the API's description share.
    const alsoShared = ['functions/shared/schema/stored.ts'];
    const shared = sources.filter((file) => file.startsWith('functions/shared/'));

    expect(shared.filter((file) => !reached.has(file))).toEqual(alsoShared);
  });

  test('no folder holds more than 25 files', () => {
    const folders = Map.groupBy(sources, dirname);

    expect([...folders].filter(([, files]) => files.length > 25).map(([folder]) => folder)).toEqual([]);
  });
});

test('house: properties of event types come from one table, and no code compares their names', () => {
  const comparing = sources.filter(
    (file) =>
      /^(bin|functions|lib)\//.test(file) &&
      /[=!]== 'Transaction(?!\w+Exception)[A-Z]\w+'/.test(readFileSync(join(root, file), 'utf8')),
  );

  expect(comparing).toEqual([]);
});

test('house: S-76 one module reads the clock of the machine, and all others get it passed in', () => {
  const asking = sources.filter(
    (file) =>
      /^(bin|functions|lib)\//.test(file) &&
      /\bDate\.now\(|\bnew Date\(\)/.test(readFileSync(join(root, file), 'utf8')),
  );

  expect(asking).toEqual(['functions/shared/runtime/clock.ts']);
});

test('house: RUN-12 the local stage reads the machine’s time only where the stage’s clock does not apply', () => {
  const asking = sources.filter(
    (file) =>
      file.startsWith('localstack/') &&
      /\bDate\.now\b|\bnew Date\(\)|\bsystemClock\b|\bsetInterval\(/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
  );

  expect(new Set(asking)).toEqual(new Set(ofTheMachine));
});

describe('house: a red run can be repeated', () => {
  const testFiles = sources.filter((file) => file.startsWith('test/'));
  const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
  const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0;

  test('every property takes its printed seed from propertyRun', () => {
    const wrong = testFiles.filter((file) => {
      const text = textOf(file);
      return count(text, /\bfc\s*\.(assert|check)\(/g) > count(text, /\bpropertyRun\(/g);
    });

    expect(wrong).toEqual([]);
  });

  test('random values have one seed with one name, SEED', () => {
    const drawn = /(?<!instance = (?:String\()?)Math\.random|Date\.now\(\) %|process\.env\.\w+SEED/;
    const wrong = testFiles.filter((file) => drawn.test(textOf(file)));

    expect(wrong).toEqual(['test/support/builders/random.ts']);
  });
});

/** What `import '@transactions/partner-kit'` loads. */
const libraryRooms = under('partner-kit/src', 'client/ webhook/ index.ts event-types.ts types.ts wire.ts');
const isLibrary = (file: string) => libraryRooms.some((room) => file.startsWith(room));

/** Beside the clock itself: defaults of parts that tests start alone, time limits, the age of what the engine dates, a browser. */
const ofTheMachine = [
  'localstack/apigateway/server.ts',
  'localstack/clock/stage-clock.ts',
  'localstack/console/event-stream.ts',
  'localstack/console/page/main.ts',
  'localstack/eventbridge/bus.ts',
  'localstack/lambda/event-sources.ts',
  'localstack/lambda/function-pool.ts',
  'localstack/lambda/worker.ts',
  'localstack/secretsmanager/server.ts',
];

/** Calls without documentation, by file and line. */
const bareFetches = new Map([
  // Before any operation, so that none is described with it.
  ['test/e2e/problem-types.test.ts', "'a'.repeat(10_240)"],
  // What the demo receiver tells is no part of the service.
  ['test/e2e/console.test.ts', 'stage.stack.receiverUrl'],
]);

test('house: OA-3 a test of the whole service calls it through describedFetch', () => {
  const bare = sources
    .filter((file) => file.startsWith('test/e2e/'))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter((line) => /(?<![\w.])fetch\(/.test(line) && !line.includes(bareFetches.get(file) ?? '\n'))
        .map((line) => `${file}: ${line.trim()}`),
    );

  expect(bare).toEqual([]);
});

test('house: the local stage rebuilds its templates after a change of any file that they depend on', () => {
  const reached = new Set(['bin/app.ts']);
  for (const file of reached) for (const target of imports.get(file) ?? []) reached.add(target);
  const files = [...reached].filter(isSource);

  expect(files).toContain('bin/operator/commands/partner.ts');
  expect(files.filter((file) => !isSourceOfTemplates(file))).toEqual([]);
});

test('house: S-83 servers of the stage are opened in one place, behind its guard', () => {
  const opening = sources.filter(
    (file) =>
      file.startsWith('localstack/') && /\bcreateServer\b/.test(readFileSync(join(root, file), 'utf8')),
  );

  // The other only sees whether a port is free.
  expect(opening).toEqual(['localstack/free-port.ts', 'localstack/loopback/server.ts']);
});

const isSource = (file: string) => imports.has(file);

/** Files and packages that are loaded with a file, without types and later imports. */
function loadedBy(file: string): Set<string> {
  const reached = new Set([file]);
  for (const one of reached)
    if (isSource(one)) for (const target of importsOf(one, atOnce)) reached.add(target);
  return new Set([...reached].map((one) => (isSource(one) ? one : (one.split('/')[0] ?? ''))));
}

/** What stands above the services. */
const stage = sources.filter((file) =>
  /^localstack\/((stage|start|announcement|options|messaging)\.ts$|console\/)/.test(file),
);

/** The bundler puts it in the place of the SDK's credential chain (lib/constructs/bundle.ts). */
const replacements = ['functions/shared/runtime/sdk/environment-credentials.ts'];

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
