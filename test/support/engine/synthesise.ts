import { configOf, stageNames } from '../../../lib/config.ts';
import { synthesise } from './stacks.ts';

/** Prints the templates of all stages, by the stage's name; `templates.ts` reads them. */
process.stdout.write(
  JSON.stringify(Object.fromEntries(stageNames.map((name) => [name, synthesise(configOf(name))]))),
);
