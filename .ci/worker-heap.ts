/**
 * For the C library of the workers that run tests, and of nothing that they start. A worker forks for each `git` that it
 * starts, and the kernel copies its page table for that: with large pages and one arena it has less to copy.
 */
export const workerHeap = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1:glibc.malloc.arena_max=1' };

for (const name of Object.keys(workerHeap)) delete process.env[name];
