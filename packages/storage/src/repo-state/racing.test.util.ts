/** A process that races others for the refs of one repository: `node racing.test.util.ts FILE REPO NAME ROUNDS`. */
import type { ObjectId } from '@packhouse/git';
import { change, oid, update } from '../contract/repo-state-samples.ts';
import { openNodeSqlite } from '../sql/node-sqlite.ts';
import { sqlRepoState } from './sql.ts';

const [file = '', repo = '', name = '', rounds = '0'] = process.argv.slice(2);
const driver = openNodeSqlite(file);
const state = sqlRepoState(driver, repo);

/** What this process got `ok` for on the shared ref: the old and the new value. */
const won: (readonly [old: ObjectId | null, next: ObjectId])[] = [];
for (let round = 1; round <= Number(rounds); round++) {
  const snapshot = await state.snapshot();
  const current = snapshot?.refs.find((ref) => ref.name === 'refs/heads/shared')?.oid ?? null;
  const next = Number(name) * 1_000_000 + round;
  const updates = [
    { ...update('refs/heads/shared', null, next), old: current },
    update(`refs/heads/own-${name}-${round}`, null, 1),
  ];
  const outcome = await state.commit(change(updates));
  if (outcome.kind !== 'done' || outcome.updates[1]?.kind !== 'ok')
    throw new Error('Lost an update that nobody raced for');
  if (outcome.updates[0]?.kind === 'ok') won.push([current, oid(next)]);
}
driver.close();
process.stdout.write(JSON.stringify(won));
