/**
 * Settings of the C library for the workers that run tests, but not for their children. A worker forks for each `git`
 * that it starts, and the kernel then copies its page table. With large pages and one arena it has less to copy.
 */
export const workerHeap = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1:glibc.malloc.arena_max=1' };

for (const name of Object.keys(workerHeap)) delete process.env[name];
