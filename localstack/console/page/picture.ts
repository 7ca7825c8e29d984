import type { Happening } from '../../feed/happening.ts';
import type { View } from '../view.ts';
import { byId } from './dom.ts';
import { type Light, lightsOf } from './lights.ts';
import { type Place, places, size, type Way, ways } from './picture-plan.ts';

const svgElement = (
  tag: string,
  attributes: Record<string, string | number>,
  ...children: (Node | string)[]
) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, `${value}`);
  made.append(...children);
  return made;
};

/** The picture of both ways; what the stage tells of lights up in it. */
export const showPicture = () => {
  const lit = new Map<string, Element>();
  const draw = (key: string, node: Element) => {
    lit.set(key, node);
    return node;
  };
  const title = svgElement('title', {}, 'The ways of a request and of a change through the service');
  const tip = svgElement(
    'marker',
    {
      id: 'tip',
      viewBox: '0 0 8 8',
      refX: 7,
      refY: 4,
      markerWidth: 10,
      markerHeight: 10,
      orient: 'auto',
      markerUnits: 'userSpaceOnUse',
    },
    svgElement('path', { d: 'M0 0L8 4L0 8z' }),
  );
  byId('picture').append(
    svgElement(
      'svg',
      { viewBox: `0 0 ${size.width} ${size.height}`, role: 'img' },
      title,
      svgElement('defs', {}, tip),
      ...ways.map((way) => draw(`${way.from} ${way.to}`, arrowOf(way))),
      ...places.map((place) => draw(place.id, boxOf(place))),
    ),
  );
  const light = (one: Light) => {
    const node = lit.get('place' in one ? one.place : `${one.from} ${one.to}`);
    if (node) flash(node, one.mood);
  };
  const working: string[] = [];
  let due = '';
  return {
    happening: (happening: Happening) => {
      if (happening.kind === 'called') working.push(happening.function);
      for (const one of lightsOf(happening, working)) light(one);
      if (happening.kind === 'returned') working.splice(working.indexOf(happening.function), 1);
    },
    /** The rows of the Debounce table are what the stage itself reads: they light up when they are others. */
    view: ({ transactions }: View) => {
      const now = JSON.stringify(
        transactions.map(({ uuid, dueAtMs, isBeingSent }) => [uuid, dueAtMs, isBeingSent]),
      );
      if (due !== '' && due !== now) light({ place: 'debounce' });
      due = now;
    },
  };
};

const litMs = 1_200;
const flashes = new WeakMap<Element, number>();

const flash = (node: Element, mood: string | undefined) => {
  clearTimeout(flashes.get(node));
  node.classList.toggle('trouble', mood === 'bad');
  node.classList.add('lit');
  flashes.set(
    node,
    window.setTimeout(() => node.classList.remove('lit', 'trouble'), litMs),
  );
};

const boxOf = ({ id, x, y, label, note }: Place) => {
  const [middle, width, height] = [x + size.boxWidth / 2, size.boxWidth, size.boxHeight];
  return svgElement(
    'g',
    { class: 'box', 'data-place': id },
    svgElement('rect', { x, y, width, height, rx: 8 }),
    svgElement('text', { x: middle, y: y + (note ? 17 : 25) }, label),
    ...(note ? [svgElement('text', { x: middle, y: y + 32, class: 'note' }, note)] : []),
  );
};

/** From the nearer side of one box to the nearer side of the other. */
const arrowOf = ({ from, to }: Way) => {
  const [start, end] = [placeOf(from), placeOf(to)];
  const { boxWidth, boxHeight } = size;
  if (start.x === end.x) {
    const isDown = end.y > start.y;
    const x = start.x + boxWidth / 2;
    return lineOf(`M${x} ${start.y + (isDown ? boxHeight : 0)}L${x} ${end.y + (isDown ? 0 : boxHeight)}`);
  }
  const isRight = end.x > start.x;
  const [x1, x2] = [start.x + (isRight ? boxWidth : 0), end.x + (isRight ? 0 : boxWidth)];
  const [y1, y2] = [start.y + boxHeight / 2, end.y + boxHeight / 2];
  const bend = (x2 - x1) / 2;
  return lineOf(`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`);
};

const lineOf = (d: string) => svgElement('path', { class: 'way', d, 'marker-end': 'url(#tip)' });

const placeOf = (id: string): Place => {
  const found = places.find((place) => place.id === id);
  if (!found) throw new Error(`The picture has no ${id}.`);
  return found;
};
