import type { JsonObject } from '../../../functions/shared/domain/transaction/transaction.ts';
import { type Dice, words } from './random.ts';

const firstNames = words('Amelia Noah Isla Mohammed Zoë Callum Priya Oisín Grace Tomasz');
const lastNames = words("Sample Example Tester O'Fiction Mustermann Doe Placeholder Łódzki-Demo");
const streets = ['Example Street', 'Sample Road', 'Demo Lane', 'Fiction Avenue'] as const;
const towns = ['Ambridge', 'Borchester', 'Weatherfield', 'Holby'] as const;

/** Nobody: reserved mail domains, telephone numbers set aside for drama (Ofcom), and a postcode area that does not exist. */
export const customerOf = (number: number, dice: Dice): JsonObject => {
  const firstName = dice.pick(firstNames);
  const lastName = dice.pick(lastNames);
  const domain = dice.pick(['example.com', 'example.org', 'shopper.test']);
  return {
    title: dice.pick(['Ms', 'Mr', 'Mx', 'Dr']),
    firstName,
    lastName,
    email: `shopper.${number}@${domain}`,
    mobile: `07700 900${String(dice.whole(0, 999)).padStart(3, '0')}`,
    landline: dice.chance(0.3) ? `01632 960${String(dice.whole(0, 999)).padStart(3, '0')}` : null,
    address: {
      line1: `${dice.whole(1, 180)} ${dice.pick(streets)}`,
      town: dice.pick(towns),
      postcode: `XX${dice.whole(1, 9)} ${dice.whole(1, 9)}ZZ`,
      country: 'GB',
    },
    marketing: { email: dice.chance(0.4), sms: dice.chance(0.2), post: false },
  };
};
