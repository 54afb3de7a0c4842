import { readdirSync, readFileSync } from 'node:fs';

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

/** Reads one memory member of a `/proc/PID/status` text in bytes, or null if it is missing. */
export const memoryMember = (status: string, member: 'VmHWM' | 'VmRSS'): number | null => {
  const kibibytes = new RegExp(`^${member}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
};

/** Returns the peak resident memory of a process in bytes; null on a system without `/proc`. */
export const peakMemoryOf = (pid: number): number | null => {
  const status = read(`/proc/${pid}/status`);
  return status === null ? null : memoryMember(status, 'VmHWM');
};

/** Clock ticks a second in `/proc`, which the kernel fixes for user space. */
const ticksPerSecond = 100;

/** Returns the sum of two neighbouring times in the line of a process, in milliseconds; 0 on a system without `/proc`. */
const times = (pid: number, first: number): number => {
  // The name in parentheses may have spaces. The member after it is the third.
  const members = (read(`/proc/${pid}/stat`) ?? '').split(') ').at(-1)?.split(' ') ?? [];
  return ((Number(members[first - 3] ?? 0) + Number(members[first - 2] ?? 0)) * 1000) / ticksPerSecond;
};

/** Returns the processor time of a process with all its threads, in milliseconds. */
export const processorTimeOf = (pid: number): number => times(pid, 14);

/** Returns the processor time of a process and its children, also of those that have ended, in milliseconds. */
export const processorTimeOfFamily = (pid: number): number =>
  processorTimeOf(pid) + times(pid, 16) + processorTimeOfChildren(pid);

/** Returns the processor time of the children of a process, added up, in milliseconds. */
export const processorTimeOfChildren = (pid: number): number =>
  childrenOf(pid).reduce((sum, child) => sum + processorTimeOf(child), 0);

const childrenOf = (pid: number): number[] => {
  let tasks: string[];
  try {
    tasks = readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  return tasks.flatMap((task) => {
    const children = read(`/proc/${pid}/task/${task}/children`)?.trim() ?? '';
    return children === '' ? [] : children.split(' ').map(Number);
  });
};

/** Returns the peak resident memory of the children of a process, added up, in bytes; null without children. */
export const peakMemoryOfChildren = (pid: number): number | null =>
  childrenOf(pid).reduce<number | null>((sum, child) => (sum ?? 0) + (peakMemoryOf(child) ?? 0), null);

/**
 * Returns the resident memory of all descendants of a process, added up, in bytes; null without descendants. Shared
 * pages count once for each.
 */
export const residentMemory = (pid: number): number | null => {
  let sum: number | null = null;
  for (const child of childrenOf(pid)) {
    const status = read(`/proc/${child}/status`);
    const own = status === null ? 0 : (memoryMember(status, 'VmRSS') ?? 0);
    sum = (sum ?? 0) + own + (residentMemory(child) ?? 0);
  }
  return sum;
};
