import type { Area, Field, Values } from './inputs/area.ts';
import type { Dice } from './inputs/dice.ts';
import type { Effort } from './inputs/effort.ts';
import type { Outcome } from './evaluate.ts';
import { scores, type ScoreName } from './judge.ts';

/** Best inputs kept per score. */
const eliteMax = 8;
const newPart = 0.3;

/** Searches for ever more costly inputs of one area: mutates the best ones, and sometimes starts again at random. */
export class Climb {
  readonly #area: Area;
  readonly #dice: Dice;
  readonly #elite = new Map<ScoreName, Outcome[]>();

  constructor(area: Area, dice: Dice) {
    this.#area = area;
    this.#dice = dice;
  }

  /** Returns the best inputs by a score, the best first. */
  best(score: ScoreName): readonly Outcome[] {
    return this.#elite.get(score) ?? [];
  }

  /** Returns the next input to try, within the effort. `fixed`: values that it keeps. */
  next(effort: Effort, fixed: Values = {}): Values {
    const values = { ...this.#next(), ...fixed };
    return this.#area.cut?.(values, effort) ?? values;
  }

  #next(): Values {
    const dice = this.#dice;
    const kept = this.#elite.get(dice.pick(Object.keys(scores) as ScoreName[])) ?? [];
    if (kept.length === 0 || dice.next() < newPart) return this.#random();
    const parent = dice.pick(kept).values;
    const other = dice.next() < 0.3 ? dice.pick(kept).values : parent;
    const values: Record<string, number> = { ...parent };
    for (const name of Object.keys(this.#area.fields)) if (dice.next() < 0.5) values[name] = other[name] ?? 0;
    for (let changes = dice.upTo(2); changes >= 0; changes--) {
      const [name, field] = dice.pick(this.#fields());
      values[name] = this.#changed(values[name] ?? 0, field);
    }
    return values;
  }

  /** Records the cost of an input. */
  add(outcome: Outcome): void {
    for (const [name, score] of Object.entries(scores) as [ScoreName, (outcome: Outcome) => number][]) {
      const kept = [...(this.#elite.get(name) ?? []), outcome].sort((a, b) => score(b) - score(a));
      this.#elite.set(name, kept.slice(0, eliteMax));
    }
  }

  #fields(): readonly (readonly [string, Field])[] {
    return Object.entries(this.#area.fields);
  }

  #random(): Values {
    return Object.fromEntries(this.#fields().map(([name, field]) => [name, this.#drawn(field)]));
  }

  #drawn({ max, byMagnitude }: Field): number {
    return byMagnitude === true ? Math.max(0, this.#dice.upToByMagnitude(max)) : this.#dice.upTo(max);
  }

  #changed(value: number, field: Field): number {
    const ways = [2 * value, Math.floor(value / 2), value + 1, value - 1, 0, field.max, this.#drawn(field)];
    return Math.min(field.max, Math.max(0, this.#dice.pick(ways)));
  }
}
