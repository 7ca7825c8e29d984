import type { Patch } from '../patch.ts';

const recallTest = 'test/unit/bin/operator/partners/recall.test.ts';
const keptTest = 'test/unit/bin/operator/partners/kept-events.test.ts';
const explainTest = 'test/unit/bin/operator/events/explain.test.ts';

export const patches: readonly Patch[] = [
  {
    id: 'recall-ends-late-letters',
    rule: 'EV-13 a dead letter of what was recalled schedules nothing',
    file: 'functions/collect-dead-letters/handler.ts',
    find: 'isRecalled(delivery) ? endRecalled(read.value, deps) : markDead(delivery, read.value, deps)',
    put: '!isRecalled(delivery) || deps ? markDead(delivery, read.value, deps) : endRecalled(read.value, deps)',
    tests: [recallTest],
  },
  {
    id: 'recall-marks-accepted',
    rule: 'EV-13 what the bus has accepted is marked before its target goes',
    file: 'bin/operator/partners/take-back.ts',
    find: "delivery.state === 'ACCEPTED' && !isRecalled(delivery)",
    put: "delivery.state === 'HELD' && !isRecalled(delivery)",
    tests: [recallTest],
  },
  {
    id: 'recall-ends-scheduled',
    rule: 'EV-13 what was dead before the recall is not tried again',
    file: 'bin/operator/partners/recall.ts',
    find: '  await endScheduled(partner, deps);\n',
    put: '',
    tests: [recallTest],
  },
  {
    id: 'remove-webhook-drops-for-good',
    rule: 'EV-13 a later webhook is not sent what was dropped with the former one',
    file: 'bin/operator/partners/webhooks.ts',
    find: '  await markRecalled(after, deps);\n  await endScheduled(after, deps);\n',
    put: '',
    tests: [recallTest],
  },
  {
    id: 'recall-leaves-to-a-person',
    rule: 'EV-13 what waits for a person is not taken from that person',
    file: 'bin/operator/partners/take-back.ts',
    find: "state === 'DEAD' && dueAtMs !== undefined",
    put: "state === 'DEAD' && dueAtMs !== null",
    tests: [recallTest],
  },
  {
    id: 'explain-blocked',
    rule: 'EV-13 explain promises no try that its own first sentence rules out',
    file: 'bin/operator/events/explain.ts',
    find: 'isBlocked ? blocked(status) : status',
    put: 'isBlocked && !blocked ? blocked(status) : status',
    tests: [explainTest],
  },
  {
    id: 'explain-recalled',
    rule: 'EV-13 explain says of what was accepted that it was recalled',
    file: 'bin/operator/events/delivery-status.ts',
    find: "isRecalled(delivery) ? { recalledAtMs: at('recalled') } : {}",
    put: "isRecalled(delivery) && nowMs < 0 ? { recalledAtMs: at('recalled') } : {}",
    tests: [recallTest],
  },
  {
    id: 'recall-looks-back-a-week',
    rule: 'S-54 a recall finds what was claimed within the last week',
    file: 'bin/operator/partners/take-back.ts',
    find: 'const lookBackMs = 7 * 24 * hour;',
    put: 'const lookBackMs = hour;',
    tests: [recallTest],
  },
  {
    id: 'recall-more-than-a-hundred',
    rule: 'S-54 a recall takes back all, however many there are',
    file: 'bin/operator/partners/take-back.ts',
    find: 'for await (const delivery of ledger.deliveriesOfPartner(clientId, span)) found.push(delivery);',
    put: 'for await (const delivery of ledger.deliveriesOfPartner(clientId, span)) if (found.push(delivery) === 100) break;',
    tests: [recallTest],
  },
  {
    id: 'resume-more-than-a-hundred',
    rule: 'TH-23 resuming leaves nothing kept, however much there is',
    file: 'bin/operator/replay/replay.ts',
    find: "if (delivery.state === 'HELD') held.push(delivery);",
    put: "if (delivery.state === 'HELD' && held.push(delivery) === 100) break;",
    tests: [keptTest],
  },
];
