import { sqlRepoState } from '@packhouse/storage';
import { testMaintainedState, testReservations } from '@packhouse/storage/contract';
import { sqlPackReservations } from '@packhouse/storage/workers';
import { inside, newDatabase } from './database.ts';

testMaintainedState('workerd, SQL of a Durable Object', () => {
  const database = newDatabase();
  return { open: (id) => inside(database, (driver) => sqlRepoState(driver, id)), close: () => undefined };
});

testReservations('workerd, SQL of a Durable Object', () => {
  const database = newDatabase();
  return {
    open: (id) => ({
      state: inside(database, (driver) => sqlRepoState(driver, id)),
      reservations: inside(database, (driver) => sqlPackReservations(driver, id)),
    }),
    close: () => undefined,
  };
});
