import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Linux shows which process listens where. Other systems do not. */
export const canSeeSockets = existsSync('/proc/net/tcp');

/** Where a process and all its descendants listen, as the kernel has it: addresses in its own notation, with ports. */
export const listeningSocketsOf = (pid: number): { address: string; port: number }[] => {
  const inodes = new Set(familyOf(pid).flatMap(socketsOf));
  return ['/proc/net/tcp', '/proc/net/tcp6'].filter(existsSync).flatMap((table) =>
    readFileSync(table, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode = '']) => state === listen && inodes.has(inode))
      .map(([, local = '']) => {
        const [address = '', port = ''] = local.split(':');
        return { address, port: Number.parseInt(port, 16) };
      }),
  );
};

/** Whether an address is in 127.0.0.0/8 or is ::1, in the byte order of the machine. */
export const isLoopback = (address: string) =>
  address.endsWith('7F') || address === '00000000000000000000000001000000';

const listen = '0A';

const familyOf = (pid: number): number[] => {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const);
  const childrenOf = (of: number): number[] =>
    parents.filter(([, parent]) => parent === of).flatMap(([child]) => [child, ...childrenOf(child)]);
  return [pid, ...childrenOf(pid)];
};

/** The fourth field, after the command in brackets. A process may end meanwhile. */
const parentOf = (pid: string) => {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
};

const socketsOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((name) => inodeOf(`/proc/${pid}/fd/${name}`));
  } catch {
    return [];
  }
};

const inodeOf = (link: string): string[] => {
  try {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(link)) ?? [];
    return inode === undefined ? [] : [inode];
  } catch {
    return [];
  }
};
