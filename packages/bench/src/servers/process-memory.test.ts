import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memoryMember, peakMemoryOf, residentMemory } from './process-memory.ts';

describe('memory of processes', () => {
  it('is read from a status text in bytes', () => {
    const status = 'Name:\tnode\nVmPeak:\t  900 kB\nVmHWM:\t  1234 kB\nVmRSS:\t 12 kB\n';
    expect(memoryMember(status, 'VmHWM')).toBe(1_263_616);
    expect(memoryMember(status, 'VmRSS')).toBe(12_288);
    expect(memoryMember('Name:\tkernel\n', 'VmRSS')).toBeNull();
  });

  it.skipIf(!existsSync('/proc/self/status'))('is reported for this process and its descendants', async () => {
    const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)']);
    await once(child.stdout, 'data');
    expect(peakMemoryOf(process.pid)).toBeGreaterThan(1_000_000);
    expect(residentMemory(process.pid)).toBeGreaterThan(1_000_000);
    child.kill();
    await once(child, 'exit');
  });
});
