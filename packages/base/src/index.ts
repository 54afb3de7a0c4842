export { accountIdForm, isAccountId, isServedAccount } from './account-id.ts';
export type { AccountGrant, Authorizer, Grant, ZoneGrant } from './authorizer.ts';
export { toBase64url } from './base64url.ts';
export { type Clock, systemClock } from './clock.ts';
export { parseGitCredential } from './credentials/git.ts';
export { parseBearer } from './credentials/rest.ts';
export { type ErrorItem, HostingError, type RepoErrorKind, repoErrors } from './errors.ts';
export { Fields, type RawFields, countCharacters } from './fields.ts';
export { type Envelope, envelopeResponse, envelopeText, errorHeaders, jsonResponse } from './http/envelope.ts';
export type { HoldReply } from './http/held-response.ts';
export { isJsonType, readJson } from './http/json-body.ts';
export type { BodyBounds, HoldMemory } from './http/read-bounded.ts';
export { freshRequestId } from './http/request-id.ts';
export { textResponse } from './http/text-response.ts';
export { type Ids, randomIds } from './ids.ts';
export type { FailureRecord, Log, LogRecord, RequestRecord } from './log/log.ts';
export { failureRecord, withoutSecrets } from './log/scrub.ts';
export { CacheBudget, LruCache } from './lru-cache.ts';
export { type CreateRateLimiter, type RateLimiter, createRateLimiter } from './rate-limiter.ts';
export { openSealedText, parseJson, sealText, sumBytes } from './sealed-text.ts';
export { hashSecret, secretOf } from './secret.ts';
export {
  type FaceSettings,
  type Rate,
  type SettingRule,
  boolean,
  faceRules,
  integer,
  isRecord,
  isTexts,
  isWithin,
  matching,
  rate,
  text,
} from './settings/rules.ts';
export { SettingsError } from './settings/settings-error.ts';
export { compareBytewise } from './sql/byte-order.ts';
export type { SqlDriver, SqlValue } from './sql/driver.ts';
export { type Migration, MigrationError, checkMigrated, migrate } from './sql/migrate.ts';
export { isoTime } from './time.ts';
