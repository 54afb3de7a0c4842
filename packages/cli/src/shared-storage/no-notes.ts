import type { PackNotes } from '@packhouse/storage/postgres';

/** Notes about packs for a copy: it writes the notes with its other rows, and only its own packs are there. */
export const noNotes: PackNotes = {
  reservations: () => ({ reserve: async () => {}, before: async () => [], drop: async () => {} }),
  holders: () => ({
    hold: async () => {},
    release: async (ids) => ({ unheld: ids, noted: [] }),
    drop: async () => {},
    held: async () => [],
  }),
};
