import type { JsonObject } from '../../../functions/shared/domain/transaction/transaction.ts';
import { type Dice, money } from './random.ts';

type Model = [model: string, derivative: string, body: string, fuel: string, newPrice: number];

const models: Record<string, [Model, ...Model[]]> = {
  Volkswagen: [
    ['Golf', '1.5 TSI Life 5dr', 'Hatchback', 'Petrol', 27_900],
    ['Polo', '1.0 TSI Match 5dr', 'Hatchback', 'Petrol', 22_400],
    ['ID.3', '150kW Pro 58kWh 5dr Auto', 'Hatchback', 'Electric', 35_700],
    ['Tiguan', '2.0 TDI R-Line 5dr DSG', 'SUV', 'Diesel', 41_300],
  ],
  Audi: [
    ['A3', '35 TFSI Sport 5dr S Tronic', 'Hatchback', 'Petrol', 31_800],
    ['Q4 e-tron', '210kW 45 82kWh Sport 5dr Auto', 'SUV', 'Electric', 52_100],
  ],
  Ford: [
    ['Puma', '1.0 EcoBoost Hybrid mHEV ST-Line 5dr', 'SUV', 'Hybrid', 28_400],
    ['Focus', '1.0 EcoBoost Titanium 5dr', 'Hatchback', 'Petrol', 28_500],
    ['Kuga', '2.5 PHEV ST-Line 5dr CVT', 'SUV', 'Hybrid', 39_900],
  ],
  Kia: [
    ['Sportage', '1.6T GDi HEV GT-Line 5dr Auto', 'SUV', 'Hybrid', 36_200],
    ['Picanto', '1.0 2 5dr', 'Hatchback', 'Petrol', 16_700],
    ['EV6', '168kW Air 77.4kWh 5dr Auto', 'Crossover', 'Electric', 45_500],
  ],
  BMW: [
    ['3 Series', '320i M Sport 4dr Step Auto', 'Saloon', 'Petrol', 41_400],
    ['X1', 'sDrive 20i MHT xLine 5dr Step Auto', 'SUV', 'Hybrid', 38_900],
  ],
  MINI: [
    ['Cooper', '1.5 C Classic 3dr Auto', 'Hatchback', 'Petrol', 24_300],
    ['Countryman', '150kW E Exclusive 66kWh 5dr Auto', 'SUV', 'Electric', 45_100],
  ],
};

/** What is for sale: the element, and the price that everything else reckons with. */
export type Vehicle = { element: JsonObject; price: number; stockId: string };

export const vehicleOf = (make: string, number: number, dice: Dice): Vehicle => {
  const [model, derivative, body, fuel, newPrice] = dice.pick(models[make] ?? fail(make));
  const ageYears = dice.chance(0.25) ? 0 : dice.whole(1, 6);
  const mileage = ageYears === 0 ? dice.whole(5, 40) : ageYears * dice.whole(5_000, 11_000);
  // A car keeps about 85 % of its value each year; advertised prices end in 95.
  const price = Math.round((newPrice * 0.85 ** ageYears) / 100) * 100 - 5;
  const stockId = `ND${100_000 + number}`;
  const element = {
    identifiers: {
      ndstockid: stockId,
      salesmasterid: `SM-${700_000 + number * 7}`,
      registration: registration(ageYears, dice),
      vin: `DEMO${String(number).padStart(13, '0')}`,
    },
    make,
    ...{ model, derivative, body, fuel },
    transmission: /Auto|DSG|CVT|Tronic/.test(derivative) ? 'Automatic' : 'Manual',
    colour: dice.pick(['Moonstone Grey', 'Pure White', 'Deep Black', 'Atlantic Blue', 'Kings Red', 'Silver']),
    doors: Number(/(\d)dr/.exec(derivative)?.[1]),
    condition: ageYears === 0 ? 'new' : 'used',
    mileage,
    price: money(price),
    isVatQualifying: ageYears === 0,
  };
  return { element, price, stockId };
};

/** No British plate begins with Q in this form, so none of these is anybody's. */
const registration = (ageYears: number, dice: Dice) => {
  const letters = () => dice.pick(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J', 'K', 'L', 'M', 'N', 'P']);
  return ageYears === 0 ? null : `Q${letters()}${26 - ageYears} ${letters()}${letters()}${letters()}`;
};

const fail = (make: string): never => {
  throw new Error(`The demo sells no ${make}.`);
};
