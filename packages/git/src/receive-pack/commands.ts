import type { RefName } from '../refs/ref-name.ts';
import { isHidden } from '../refs/visible-refs.ts';
import type { RefCommand } from '../wire/receive-request.ts';

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

export const atomicFailure = 'atomic push failure';

/** Verdicts on the commands of a push, in their order: a reason once one is refused, and then no other. */
export class CommandVerdicts {
  readonly commands: readonly RefCommand[];
  readonly #reasons: (string | undefined)[];
  readonly #mayFail: (command: number) => boolean;

  constructor(commands: readonly RefCommand[], rules: CommandRules) {
    this.commands = commands;
    this.#mayFail = rules.mayFail ?? (() => false);
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

  results(): readonly { readonly ref: Uint8Array; readonly reason: string | undefined }[] {
    return this.commands.map(({ ref }, command) => ({ ref, reason: this.#reasons[command] }));
  }
}
