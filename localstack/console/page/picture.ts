import type { Happening } from '../../feed/happening.ts';
import type { View } from '../view.ts';
import { byId } from './dom.ts';
import { type Light, lightsOf } from './lights.ts';
import { box, cornerOf, type Place, type Plan, places, sizes, type Way, ways } from './picture-plan.ts';

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

/** Shows the picture of requests and changes, and lights up its parts. */
export const showPicture = () => {
  const lit = new Map<string, Element>();
  const keep = (key: string, node: Element) => {
    lit.set(key, node);
    return node;
  };
  const phone = matchMedia('(max-width: 60rem)');
  const draw = () => {
    const plan = phone.matches ? 'tall' : 'wide';
    byId('picture').replaceChildren(
      svgElement(
        'svg',
        { viewBox: `0 0 ${sizes[plan].width} ${sizes[plan].height}`, role: 'img' },
        svgElement('title', {}, 'The path of a request and of a change through the service'),
        svgElement('defs', {}, tip()),
        ...ways.map((way) => keep(`${way.from} ${way.to}`, arrowOf(way, plan))),
        ...places.map((place) => keep(place.id, boxOf(place, plan))),
      ),
    );
  };
  phone.addEventListener('change', draw);
  draw();
  const show = (light: Light) => {
    const node = lit.get('place' in light ? light.place : `${light.from} ${light.to}`);
    if (node) flash(node, light.mood);
  };
  let due = '';
  return {
    happening: (happening: Happening) => {
      for (const light of lightsOf(happening)) show(light);
    },
    /** No happening reports a write to the Debounce table, so it lights up when its rows in the view change. */
    view: ({ transactions }: View) => {
      const now = JSON.stringify(
        transactions.map(({ uuid, dueAtMs, isBeingSent }) => [uuid, dueAtMs, isBeingSent]),
      );
      if (due !== '' && due !== now) show({ place: 'debounce' });
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

const tip = () =>
  svgElement(
    'marker',
    {
      ...{ id: 'tip', viewBox: '0 0 8 8', refX: 7, refY: 4, orient: 'auto' },
      ...{ markerWidth: 10, markerHeight: 10, markerUnits: 'userSpaceOnUse' },
    },
    svgElement('path', { d: 'M0 0L8 4L0 8z' }),
  );

const boxOf = (place: Place, plan: Plan) => {
  const { x, y } = cornerOf(place, plan);
  const { id, label = id, note } = place;
  const middle = x + box.width / 2;
  return svgElement(
    'g',
    { class: 'box', 'data-place': id },
    svgElement('rect', { x, y, ...box, rx: 8 }),
    svgElement('text', { x: middle, y: y + (note ? 17 : 25) }, label),
    ...(note ? [svgElement('text', { x: middle, y: y + 32, class: 'note' }, note)] : []),
  );
};

/** An arrow between the nearest sides of two boxes. */
const arrowOf = ({ from, to }: Way, plan: Plan) => {
  const [start, end] = [middleOf(from, plan), middleOf(to, plan)];
  const isUpright = start.x === end.x || (plan === 'tall' && start.y !== end.y);
  const across = isUpright ? 0 : (Math.sign(end.x - start.x) * box.width) / 2;
  const along = isUpright ? (Math.sign(end.y - start.y) * box.height) / 2 : 0;
  const [x1, y1, x2, y2] = [start.x + across, start.y + along, end.x - across, end.y - along];
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const bend = isUpright ? `${x1} ${y} ${x2} ${y}` : `${x} ${y1} ${x} ${y2}`;
  const d = `M${x1} ${y1}C${bend} ${x2} ${y2}`;
  return svgElement('path', { class: 'way', d, 'marker-end': 'url(#tip)' });
};

const middleOf = (id: string, plan: Plan) => {
  const place = places.find((candidate) => candidate.id === id);
  if (!place) throw new Error(`The picture has no ${id}.`);
  const { x, y } = cornerOf(place, plan);
  return { x: x + box.width / 2, y: y + box.height / 2 };
};
