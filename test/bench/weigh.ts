import { shownWeights, weights } from '../support/stage/weights.ts';
import { print } from './measuring.ts';

export const run = () =>
  print(
    ['page', 'bytes', 'zipped', 'script'],
    shownWeights(weights()).map(({ page, ...numbers }) => [
      `\`${page}\``,
      ...Object.values(numbers).map((one) => one.toLocaleString('en-GB')),
    ]),
  );
