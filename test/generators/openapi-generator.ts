import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { GeneratedClient } from './generator.ts';
import { inPlace, runTool } from './packages.ts';

const folder = inPlace('maven');
const php = join(folder, 'target/php');

const isMissing = (command: string) => spawnSync(command, ['--version']).error !== undefined;
const absentOf = (...commands: string[]) => {
  const missing = commands.filter(isMissing);
  return missing.length === 0 ? undefined : `there is no ${missing.join(' and no ')}`;
};

const maven = (goals: string[], more?: Record<string, string>) =>
  runTool('mvn', ['-B', '-ntp', '-q', '-f', join(folder, 'pom.xml'), ...goals], more);

const prepare = () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'src/main/java'), { recursive: true });
  cpSync(join(import.meta.dirname, 'maven/pom.xml'), join(folder, 'pom.xml'));
  cpSync(join(import.meta.dirname, 'programs/Client.java'), join(folder, 'src/main/java/Client.java'));
};

const lintPhp = async () => {
  const files = readdirSync(php, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.php'),
  );
  if (files.length === 0) throw new Error('Nothing was generated.');
  for (const file of files) await runTool('php', ['-l', join(php, file)]);
};

const composer = () => runTool('composer', ['install', '--no-dev', '--no-interaction', '--working-dir', php]);
/** As Debian installs it (php-guzzlehttp-guzzle), on PHP's own path. */
const guzzle = 'GuzzleHttp/autoload.php';
const findGuzzle = () =>
  runTool('php', ['-r', `exit(stream_resolve_include_path('${guzzle}') === false ? 1 : 0);`]);

const installed = { autoload: '' };

/** Guzzle by composer, or the one that is installed. */
const guzzleIsMissing = async (): Promise<string | undefined> => {
  const has = (work: Promise<unknown>) =>
    work.then(
      () => true,
      () => false,
    );
  if (await has(composer())) installed.autoload = join(php, 'vendor/autoload.php');
  else if (await has(findGuzzle())) installed.autoload = guzzle;
  else return 'it was generated and passes php -l, but Guzzle cannot be installed';
  return undefined;
};

/** openapi-generator for Java and for PHP, by its Maven plugin. */
export const openapiGeneratorClients: readonly GeneratedClient[] = [
  {
    name: 'openapi-generator, Java',
    absent: absentOf('java', 'mvn'),
    make: async () => {
      prepare();
      await maven(['compile']);
    },
    run: (given) => maven(['exec:java'], given),
  },
  {
    name: 'openapi-generator, PHP',
    absent: absentOf('java', 'mvn', 'php'),
    make: async () => {
      prepare();
      await maven(['generate-sources']);
      cpSync(join(import.meta.dirname, 'programs/client.php'), join(php, 'client.php'));
      await lintPhp();
    },
    unable: guzzleIsMissing,
    run: (given) => runTool('php', [join(php, 'client.php')], { ...given, AUTOLOAD: installed.autoload }),
  },
];
