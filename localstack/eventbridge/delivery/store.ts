import type { MessagesFile } from '../../data/messages-file.ts';
import type { RuleTarget } from '../records.ts';

/** An accepted event for one target, with the target at that time: every attempt sends the same bytes. */
export type BusDelivery = {
  id: number;
  ruleArn: string;
  target: RuleTarget;
  /** The whole event as JSON. */
  event: string;
  acceptedMs: number;
  /** The number of attempts so far. */
  attempts: number;
};

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

type DeliveryRow = Omit<BusDelivery, 'target'> & { target: string };

/** Accepted events that are neither delivered nor given up. */
export const createDeliveryStore = ({ db }: MessagesFile) => {
  const insert = db.prepare(
    'INSERT INTO deliveries (destination, ruleArn, targetId, target, event, acceptedMs, dueMs) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const destinations = db.prepare('SELECT DISTINCT destination FROM deliveries WHERE dueMs <= ?');
  const due = db.prepare(
    'SELECT id FROM deliveries WHERE destination = ? AND dueMs <= ? ORDER BY dueMs, id LIMIT ?',
  );
  const get = db.prepare('SELECT * FROM deliveries WHERE id = ?');
  const undeliverable = db.prepare('SELECT * FROM deliveries WHERE targetRemoved = 1');
  const removeTarget = db.prepare(
    'UPDATE deliveries SET targetRemoved = 1 WHERE ruleArn = ? AND targetId = ?',
  );
  const postpone = db.prepare('UPDATE deliveries SET attempts = ?, dueMs = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM deliveries WHERE id = ?');
  const read = (row: unknown): BusDelivery => {
    const { id, ruleArn, target, event, acceptedMs, attempts } = row as DeliveryRow;
    return { id, ruleArn, target: JSON.parse(target), event, acceptedMs, attempts };
  };
  return {
    accept: ({ ruleArn, target, event, acceptedMs }: Omit<BusDelivery, 'id' | 'attempts'>) => {
      const targetText = JSON.stringify(target);
      insert.run(target.Arn, ruleArn, target.Id, targetText, event, acceptedMs, acceptedMs);
    },
    /** The ARNs of destinations with due events. */
    dueDestinations: (nowMs: number): string[] =>
      destinations.all(nowMs).map((row) => String(row.destination)),
    /** The ids of due events, those with running attempts included. */
    due: (destination: string, nowMs: number, most: number): number[] =>
      due.all(destination, nowMs, most).map(({ id }) => Number(id)),
    get: (id: number): BusDelivery => read(get.get(id)),
    /** Events whose target was removed. */
    undeliverable: (): BusDelivery[] => undeliverable.all().map(read),
    removeTarget: (ruleArn: string, targetId: string) => {
      removeTarget.run(ruleArn, targetId);
    },
    postpone: (id: number, { attempts, dueMs }: { attempts: number; dueMs: number }) => {
      postpone.run(attempts, dueMs, id);
    },
    remove: (id: number) => {
      remove.run(id);
    },
  };
};
