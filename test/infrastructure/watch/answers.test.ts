import { describe, expect, test } from '@jest/globals';
import { checkout } from '../../bench/cost/workload.ts';
import { routesOf } from '../../support/engine/routes.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../../support/engine/templates.ts';

type Filter = {
  LogGroupName: { Ref: string };
  FilterPattern: string;
  MetricTransformations: [{ MetricName: string; MetricNamespace: string; MetricValue: string }];
};
type Line = Record<string, string>;

/** Whether a filter meets a line; of CloudWatch's syntax it knows strings, `*` at their ends, `&&`, `||` and parentheses. */
const meets = ({ FilterPattern }: Filter, line: Line): boolean => {
  let left = FilterPattern.slice(1, -1).replace(
    /\$\.(\w+) (!?=) "([^"]*)"/g,
    (_, field: string, sign: string, value: string) => String(isLike(line[field], value) === (sign === '=')),
  );
  while (left.includes('('))
    left = left.replace(/\(([^()]*)\)/g, (_, inner: string) => String(isTrue(inner)));
  return isTrue(left);
};
const isLike = (text = '', value: string) =>
  value.endsWith('*') ? text.startsWith(value.slice(0, -1)) : text === value;
const isTrue = (text: string) =>
  text.split('||').some((either) => either.split('&&').every((both) => both.trim() === 'true'));

describe.each(['staging', 'production'])('the responses of each function of stage %s', (stage) => {
  const { service } = templatesOf(stage);
  const filters = propertiesOf(service, 'AWS::Logs::MetricFilter') as Filter[];
  const [format = ''] = propertiesOf(service, 'AWS::ApiGateway::Stage').map(
    ({ AccessLogSetting }) => (AccessLogSetting as { Format: string }).Format,
  );

  /** What the access log of an API has of a request. */
  const lineOf = (method: string, path: string, status: string): Line => {
    const facts = { httpMethod: method, resourcePath: path, status };
    const written = Object.entries(facts).reduce(
      (text, [name, value]) => text.replace(`$context.${name}`, value),
      format,
    );
    return JSON.parse(written);
  };

  /** The figures that an answer adds to, with what it adds. */
  const figuresOf = (route: string, status: string) => {
    const [, api = '', method = '', path = ''] = /^(\w+) (\w+) (\S+)/.exec(route) ?? [];
    const line = lineOf(method === 'ANY' ? 'POST' : method, path, status);
    return filters
      .filter((one) => logOf(one) === api && meets(one, line))
      .map(({ MetricTransformations: [{ MetricNamespace, MetricName, MetricValue }] }) =>
        [MetricNamespace, MetricName, MetricValue].join(' '),
      );
  };
  const logOf = ({ LogGroupName: { Ref } }: Filter) =>
    /^(Token|Transactions)ApiAccessLog/.exec(Ref)?.[1]?.toLowerCase();

  test.each([
    ...['500', '502', '503', '504'].map((status) => [status, '1'] as const),
    ...['200', '201', '304', '404', '429'].map((status) => [status, '0'] as const),
  ])(
    'S-70 D-11 a response %s on any route counts as %s for the function of the route and for no other',
    (status, value) => {
      const routes = routesOf(service);

      expect(routes.length).toBeGreaterThan(30);
      expect(routes.map((route) => figuresOf(route, status))).toEqual(
        routes.map((route) => [`transactions-${stage} FaultyAnswers-${route.split(' ').at(-1)} ${value}`]),
      );
    },
  );
});

describe('a new version that gets one call in ten for ten minutes', () => {
  const { service } = templatesOf('production');
  const [alarm] = Object.values(resourcesOf(service, 'AWS::CloudWatch::Alarm'))
    .map(({ Properties }) => Properties)
    .filter(({ AlarmName }) => AlarmName === 'transactions-production-answers-faulty-v2-write') as {
    Threshold: number;
    DatapointsToAlarm: number;
  }[];
  const { Threshold = 0, DatapointsToAlarm = 0 } = alarm ?? {};

  const shiftMinutes = 10;
  const ofNewVersion = 0.1;
  const paymentsOfAll = checkout.paidOfTen / 10 / (checkout.v2Writes + checkout.paidOfTen / 10);

  /** Whether the alarm rings within the shift; the faults of each minute are whole ones, as they come. */
  const rings = (callsAMinute: number, faultyShare: number): boolean => {
    let faults = 0;
    const shares = Array.from({ length: shiftMinutes }, (_, minute) => {
      const sofar = Math.floor(callsAMinute * faultyShare * (minute + 1));
      const share = (sofar - faults) / callsAMinute;
      faults = sofar;
      return share;
    });
    return shares.filter((share) => share > Threshold).length >= DatapointsToAlarm;
  };

  test('D-11 is detected if it fails one payment in ten, from 20 payments a minute', () => {
    const failing = ofNewVersion * 0.1 * paymentsOfAll;
    const withPayments = (payments: number) => rings(payments / paymentsOfAll, failing);

    expect(failing).toBeCloseTo(0.00167, 5);
    expect([10, 20, 21, 200, 10_000].map(withPayments)).toEqual([false, true, true, true, true]);
  });

  test('D-11 is detected if it fails one payment in ten and gets all calls, from 2 payments a minute', () => {
    const failing = 0.1 * paymentsOfAll;

    expect([1, 2, 20].map((payments) => rings(payments / paymentsOfAll, failing))).toEqual([
      ...[false, true, true],
    ]);
  });

  test('D-11 is not rolled back for one fault in its ten minutes, nor for 1 in 1,000 of very many', () => {
    expect(rings(120, 1 / 1_200)).toBe(false);
    expect(rings(60_000, 0.001)).toBe(false);
  });
});
