import { startDynoxide } from '../../../localstack/embedded/engine.ts';
import { type Asked, askedOf } from './asked.ts';
import { type RightsOf, startRecorder } from './recorder.ts';

/**
 * An engine behind an address that notes what each function asked for, and by which right: `v2-read` →
 * `Partners/PARTNER#* dynamodb:GetItem`.
 */
export const startRecordingEngine = async () => {
  const engine = await startDynoxide();
  const recorder = await startRecorder(engine.endpoint, (target, body) =>
    askedOf(target, body).map((asked) => JSON.stringify(asked)),
  );
  const askedBy = (name: string) => recorder.usedBy(name).map((text) => JSON.parse(text) as Asked);
  return {
    endpoint: recorder.endpoint,
    askedBy,
    usedBy: (name: string) => [...new Set(askedBy(name).flatMap(rightsIn(ofFunctions)))].sort(),
    stop: async () => {
      recorder.stop();
      await engine.stop();
    },
  };
};

/** The tables of which the operator's role and the roles of functions use partitions. */
const ofOperator = ['Partners', 'Requests', 'Audit'];
const ofFunctions = ['Partners', 'Requests', 'Listing', 'Debounce', 'Audit'];

/** The rights that a request of the operator's tool needs at the tables. */
export const operatorTableRights: RightsOf = (target, body) =>
  askedOf(target, body).flatMap(rightsIn(ofOperator));

/** Likewise of a function. */
export const tableRights: RightsOf = (target, body) => askedOf(target, body).flatMap(rightsIn(ofFunctions));

const rightsIn =
  (partitioned: readonly string[]) =>
  ({ action, place, context }: Asked): string[] => {
    if (action === 'Scan' || !partitioned.includes(place)) return [`${place} dynamodb:${action}`];
    const partitions = (context['dynamodb:LeadingKeys'] ?? []).map(partitionName);
    return [...new Set(partitions)].map((partition) => `${place}/${partition} dynamodb:${action}`);
  };

/** It stands among those of partners, and has one item. */
const keyOfSessionCursors = 'SEAL#V1';

/** `PARTNER#*` for the partition of any partner; what has no `#` is a partition of its own. */
const partitionName = (pk: string) =>
  pk === keyOfSessionCursors || !pk.includes('#') ? pk : `${pk.split('#')[0]}#*`;
