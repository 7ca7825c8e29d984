import { aReceiver, drips, saysForEver } from './hostile-receiver.ts';

/**
 * Receivers in a process of their own, so that the noise they make is not the noise of the bus: started, they print their
 * ports by name.
 */
const kilobyte = 'x'.repeat(1024);
const behaviours: Record<string, Parameters<typeof aReceiver>[0]> = {
  silent: () => {},
  dripping: drips('HTTP/1.1 200 OK\r\n\r\n', 50),
  endless: saysForEver('HTTP/1.1 200 OK\r\n\r\n', kilobyte),
  headers: saysForEver('HTTP/1.1 200 OK\r\n', `X-A: ${kilobyte}\r\n`),
  interim: saysForEver('', 'HTTP/1.1 102 Processing\r\n\r\n'),
  rude: (socket) => socket.destroy(),
};

const ports = await Promise.all(
  Object.entries(behaviours).map(async ([name, behave]) => [name, (await aReceiver(behave)).port]),
);
console.log(JSON.stringify(Object.fromEntries(ports)));
