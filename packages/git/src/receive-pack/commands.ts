import type { RefName } from '../refs/ref-name.ts';
import type { UpdateOutcome } from '../ports/repo-state.ts';
import { isHidden } from '../stored-refs/visible-refs.ts';
import type { RefCommand } from '../wire/push/receive-request.ts';

/** Rules for refs that depend only on the commands. */
export interface CommandRules {
  /** Prefixes of hidden refs (GIT-129). */
  readonly hiddenRefs: readonly string[];
  /** Refuses to delete the default branch (GIT-126). */
  readonly denyDeleteDefault: boolean;
  /** Short name of the default branch. */
  readonly defaultBranch: string;
  /** Commands, by their number, whose refusal does not refuse the others with `atomic`. Default: none. */
  readonly mayFail?: (command: number) => boolean;
}

const atomicFailure = 'atomic push failure';

/** Verdicts on the commands of a push, in their order: a reason once one is refused, and then no other. */
export class CommandVerdicts {
  readonly commands: readonly RefCommand[];
  readonly #reasons: (string | undefined)[];
  readonly #mayFail: (command: number) => boolean;
  readonly #hiddenRefs: readonly string[];

  constructor(commands: readonly RefCommand[], rules: CommandRules) {
    this.commands = commands;
    this.#mayFail = rules.mayFail ?? (() => false);
    this.#hiddenRefs = rules.hiddenRefs;
    const times = new Map<RefName, number>();
    for (const { name } of commands) if (name !== undefined) times.set(name, (times.get(name) ?? 0) + 1);
    this.#reasons = commands.map((command) => {
      if (command.name === undefined) return 'funny refname';
      if ((times.get(command.name) as number) > 1) return 'multiple updates for one ref';
      if (isHidden(command.name, rules.hiddenRefs)) return 'deny updating a hidden ref';
      const isDefault = command.name === `refs/heads/${rules.defaultBranch}`;
      if (rules.denyDeleteDefault && isDefault && command.new === null)
        return 'deletion of the default branch prohibited';
      return undefined;
    });
  }

  reason(command: number): string | undefined {
    return this.#reasons[command];
  }

  refuse(command: number, reason: string): void {
    this.#reasons[command] ??= reason;
  }

  refuseAll(reason: string): void {
    this.commands.forEach((_, command) => this.refuse(command, reason));
  }

  /** Numbers of the commands that were not refused. */
  open(): readonly number[] {
    return [...this.commands.keys()].filter((command) => this.#reasons[command] === undefined);
  }

  get anyRefused(): boolean {
    return this.#reasons.some((reason) => reason !== undefined);
  }

  /** With `atomic`, if one command is refused, all are refused (GIT-151). */
  applyAtomic(): void {
    const decisive = this.#reasons.some((reason, command) => reason !== undefined && !this.#mayFail(command));
    if (decisive) this.refuseAll(atomicFailure);
  }

  /** Refuses the commands, in the order of {@link open}, whose update was not committed. */
  refuseUncommitted(outcomes: readonly UpdateOutcome[]): void {
    const numbers = this.open();
    outcomes.forEach((outcome, i) => {
      const number = numbers[i] as number;
      if (outcome.kind === 'stale') this.refuse(number, 'stale ref');
      else if (outcome.kind === 'held back') this.refuse(number, atomicFailure);
      else if (outcome.kind === 'conflict') {
        // The text of GIT-124 must not name a hidden ref (GIT-129).
        const other = isHidden(outcome.with, this.#hiddenRefs) ? 'a hidden ref' : outcome.with;
        this.refuse(number, `conflicts with ${other}`);
      }
    });
  }

  results(): readonly { readonly ref: Uint8Array; readonly reason: string | undefined }[] {
    return this.commands.map(({ ref }, command) => ({ ref, reason: this.#reasons[command] }));
  }
}
