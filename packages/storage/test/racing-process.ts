/**
 * A process that races others for one repository: `node racing-process.ts FILE REPO NAME ROUNDS`. It pushes; the one
 * whose name is 0 merges what is there.
 */
import { readAllRefs, type ObjectId, type PackId, type RepoSnapshot } from '@packhouse/git';
import { change, oid, replacement, samplePack, update } from '@packhouse/hosting/contract';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { sqlRepoState } from '../src/sql/repo-state/repo-state.ts';

const [file = '', repo = '', name = '', rounds = '0'] = process.argv.slice(2);
const driver = openNodeSqlite(file);
const state = sqlRepoState(driver, repo);

/** Old and new values of accepted updates to the shared ref. */
const won: (readonly [old: ObjectId | null, next: ObjectId])[] = [];
/** Merged packs, with the result of each merge. */
const merged: (readonly [old: readonly PackId[], next: PackId])[] = [];

async function push(round: number): Promise<void> {
  const snapshot = await state.snapshot();
  const refs = snapshot === undefined ? [] : await readAllRefs(state, snapshot);
  const current = refs.find((ref) => ref.name === 'refs/heads/shared')?.oid ?? null;
  const next = Number(name) * 1_000_000 + round;
  const updates = [
    { ...update('refs/heads/shared', null, next), old: current },
    update(`refs/heads/own-${name}-${round}`, null, 1),
  ];
  const addPacks = [samplePack({ objects: 1 })];
  const leansOn = snapshot?.packs.map((pack) => pack.id) ?? [];
  // Merges happen in between, and leave nothing out.
  const outcome = await state.commit(change(updates, { addPacks, leansOn }));
  if (outcome.kind !== 'done' || outcome.updates[1]?.kind !== 'ok')
    throw new Error('Lost an update that nobody raced for');
  if (outcome.updates[0]?.kind === 'ok') won.push([current, oid(next)]);
}

/** Merges some of the newest packs, and keeps all their objects. */
async function merge(round: number): Promise<void> {
  const { packs } = (await state.snapshot()) as RepoSnapshot;
  const some = packs.slice(-(1 + (round % 5)));
  if (some.length === 0) {
    // The other processes have not begun yet.
    await new Promise((resolve) => setTimeout(resolve, 5));
    return merge(round);
  }
  const objects = some.reduce((sum, pack) => sum + pack.objects, 0);
  const given = replacement(
    some.map((pack) => pack.id),
    samplePack({ objects }),
  );
  const outcome = await state.replacePacks(given);
  if (outcome !== 'done') throw new Error('Lost packs that nobody else merges');
  merged.push([given.remove, given.add?.id as PackId]);
}

for (let round = 1; round <= Number(rounds); round++) await (name === '0' ? merge(round) : push(round));
driver.close();
process.stdout.write(JSON.stringify({ won, merged }));
