import type { JsonObject } from '../../../functions/shared/domain/transaction/transaction.ts';
import { type Dice, money } from './random.ts';

type Model = { model: string; derivative: string; body: string; fuel: string; newPrice: number };

const models: Record<string, [Model, ...Model[]]> = {
  Volkswagen: [
    { model: 'Golf', derivative: '1.5 TSI Life 5dr', body: 'Hatchback', fuel: 'Petrol', newPrice: 27_900 },
    { model: 'Polo', derivative: '1.0 TSI Match 5dr', body: 'Hatchback', fuel: 'Petrol', newPrice: 22_400 },
    {
      model: 'ID.3',
      derivative: '150kW Pro 58kWh 5dr Auto',
      body: 'Hatchback',
      fuel: 'Electric',
      newPrice: 35_700,
    },
    { model: 'Tiguan', derivative: '2.0 TDI R-Line 5dr DSG', body: 'SUV', fuel: 'Diesel', newPrice: 41_300 },
  ],
  Audi: [
    {
      model: 'A3',
      derivative: '35 TFSI Sport 5dr S Tronic',
      body: 'Hatchback',
      fuel: 'Petrol',
      newPrice: 31_800,
    },
    {
      model: 'Q4 e-tron',
      derivative: '210kW 45 82kWh Sport 5dr Auto',
      body: 'SUV',
      fuel: 'Electric',
      newPrice: 52_100,
    },
  ],
  Ford: [
    {
      model: 'Puma',
      derivative: '1.0 EcoBoost Hybrid mHEV ST-Line 5dr',
      body: 'SUV',
      fuel: 'Hybrid',
      newPrice: 28_400,
    },
    {
      model: 'Focus',
      derivative: '1.0 EcoBoost Titanium 5dr',
      body: 'Hatchback',
      fuel: 'Petrol',
      newPrice: 28_500,
    },
    { model: 'Kuga', derivative: '2.5 PHEV ST-Line 5dr CVT', body: 'SUV', fuel: 'Hybrid', newPrice: 39_900 },
  ],
  Kia: [
    {
      model: 'Sportage',
      derivative: '1.6T GDi HEV GT-Line 5dr Auto',
      body: 'SUV',
      fuel: 'Hybrid',
      newPrice: 36_200,
    },
    { model: 'Picanto', derivative: '1.0 2 5dr', body: 'Hatchback', fuel: 'Petrol', newPrice: 16_700 },
    {
      model: 'EV6',
      derivative: '168kW Air 77.4kWh 5dr Auto',
      body: 'Crossover',
      fuel: 'Electric',
      newPrice: 45_500,
    },
  ],
  BMW: [
    {
      model: '3 Series',
      derivative: '320i M Sport 4dr Step Auto',
      body: 'Saloon',
      fuel: 'Petrol',
      newPrice: 41_400,
    },
    {
      model: 'X1',
      derivative: 'sDrive 20i MHT xLine 5dr Step Auto',
      body: 'SUV',
      fuel: 'Hybrid',
      newPrice: 38_900,
    },
  ],
  MINI: [
    {
      model: 'Cooper',
      derivative: '1.5 C Classic 3dr Auto',
      body: 'Hatchback',
      fuel: 'Petrol',
      newPrice: 24_300,
    },
    {
      model: 'Countryman',
      derivative: '150kW E Exclusive 66kWh 5dr Auto',
      body: 'SUV',
      fuel: 'Electric',
      newPrice: 45_100,
    },
  ],
};

/** What is for sale: the element, and the price that everything else reckons with. */
export type Vehicle = { element: JsonObject; price: number; stockId: string };

export const vehicleOf = (make: string, number: number, dice: Dice): Vehicle => {
  const model = dice.pick(models[make] ?? fail(make));
  const ageYears = dice.chance(0.25) ? 0 : dice.whole(1, 6);
  const mileage = ageYears === 0 ? dice.whole(5, 40) : ageYears * dice.whole(5_000, 11_000);
  // A car keeps about 85 % of its value each year; advertised prices end in 95.
  const price = Math.round((model.newPrice * 0.85 ** ageYears) / 100) * 100 - 5;
  const { newPrice: _, ...described } = model;
  const stockId = `ND${100_000 + number}`;
  const element = {
    identifiers: {
      ndstockid: stockId,
      salesmasterid: `SM-${700_000 + number * 7}`,
      registration: registration(ageYears, dice),
      vin: `DEMO${String(number).padStart(13, '0')}`,
    },
    make,
    ...described,
    transmission: /Auto|DSG|CVT|Tronic/.test(model.derivative) ? 'Automatic' : 'Manual',
    colour: dice.pick(['Moonstone Grey', 'Pure White', 'Deep Black', 'Atlantic Blue', 'Kings Red', 'Silver']),
    doors: Number(/(\d)dr/.exec(model.derivative)?.[1]),
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
