import { weights, weightsTable } from '../support/stage/weights.ts';

console.log(weightsTable(weights()));
