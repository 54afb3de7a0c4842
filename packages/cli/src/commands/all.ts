import { below, type Command } from '@packhouse/command';
import { conformanceCommands } from '@packhouse/conformance/commands';
import { apiTokenCommands } from './api-token.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import { completionCommand } from './completion.ts';
import { doctorCommand } from './doctor.ts';
import { eventsTailCommand } from './events.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { maintainCommand } from './maintain.ts';
import { migrateCommand } from './migrate.ts';
import { namespaceCommands } from './namespace.ts';
import { repoCommands } from './repo.ts';
import { repoArchiveCommand } from './repo-archive.ts';
import { repoCommitCommand } from './repo-commit.ts';
import { repoContentCommands } from './repo-content.ts';
import { repoDiffCommand } from './repo-diff.ts';
import { repoImportCommand } from './repo-import.ts';
import { repoMergeCommands } from './repo-merge.ts';
import { repoSearchCommand } from './repo-search.ts';
import { serveCommand } from './serve.ts';
import { tagListCommand, tagKeysCommand, tagValuesCommand } from './tag/list.ts';
import { tagDeleteCommand, tagGetCommand } from './tag/one.ts';
import { tagSetCommand } from './tag/set.ts';
import { tokenCommands } from './token.ts';
import { webhookCommands } from './webhook.ts';
import { workersInitCommand } from './workers.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  serveCommand,
  ...namespaceCommands,
  ...repoCommands,
  ...repoContentCommands,
  repoDiffCommand,
  repoArchiveCommand,
  repoImportCommand,
  repoSearchCommand,
  repoCommitCommand,
  ...repoMergeCommands,
  ...tokenCommands,
  ...apiTokenCommands,
  ...webhookCommands,
  exportCommand,
  importCommand,
  tagSetCommand,
  tagGetCommand,
  tagDeleteCommand,
  tagListCommand,
  tagKeysCommand,
  tagValuesCommand,
  eventsTailCommand,
  doctorCommand,
  maintainCommand,
  backupCommand,
  restoreCommand,
  migrateCommand,
  ...below('conformance', conformanceCommands),
  workersInitCommand,
  completionCommand(() => commands),
];
