import type { Case } from '../core/case.ts';
import { gitAdvertisementCapabilities } from './git/advertisement-capabilities.ts';
import { gitAdvertisementLists } from './git/advertisement-lists.ts';
import { gitCommands } from './git/commands.ts';
import { gitCredentials } from './git/credentials.ts';
import { gitCredentialsScopes } from './git/credentials-scopes.ts';
import { gitHttpBodies } from './git/http-bodies.ts';
import { gitHttpCors } from './git/http-cors.ts';
import { gitHttpReplies } from './git/http-replies.ts';
import { gitHttpRoutes } from './git/http-routes.ts';
import { rest } from './rest/suites.ts';

/** Every case of the suite, in the order of the reports. Each file of cases adds its suite here. */
export const cases: readonly Case[] = [...rest];
