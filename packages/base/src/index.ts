export { accountIdForm, isAccountId, isServedAccount } from './access/account-id.ts';
export type { AccountGrant, Authorizer, Grant, ZoneGrant } from './access/authorizer.ts';
export { fromBase64url, toBase64, toBase64url } from './core/base64url.ts';
export { type Clock, systemClock } from './core/clock.ts';
export { parseGitCredential } from './access/git-credential.ts';
export { parseBearer } from './access/bearer.ts';
export {
  type ErrorAdvice,
  type ErrorItem,
  type ErrorRow,
  HostingError,
  type FieldError,
  type RepoErrorKind,
  bodyTooLarge,
  errorAdvice,
  fieldError,
  fieldErrors,
  repoErrors,
} from './errors/errors.ts';
export { Fields, type RawFields, countCharacters } from './errors/fields.ts';
export { type Envelope, envelopeResponse, envelopeText, errorHeaders, jsonResponse } from './http/envelope.ts';
export type { HoldReply } from './http/held-response.ts';
export { hasPlainCoding, isJsonType, readJson } from './http/json-body.ts';
export { type BodyBounds, type HoldMemory, boundedChunks } from './http/read-bounded.ts';
export { openApi, type OpenApiPart } from './http/open-api.ts';
export { freshRequestId } from './http/request-id.ts';
export { textResponse } from './http/text-response.ts';
export { type Ids, randomIds } from './core/ids.ts';
export type { Span, SpanEnd, Tracing } from './log/tracing.ts';
export type { Failed, FailureRecord, Log, LogRecord, NameOperation, RequestRecord } from './log/log.ts';
export { failureRecord, withoutSecrets } from './log/scrub.ts';
export { CacheBudget, LruCache, type CacheUsage } from './core/lru-cache.ts';
export { type CreateRateLimiter, type RateLimiter, createRateLimiter } from './access/rate-limiter.ts';
export { openSealedText, parseJson, sealText, sumBytes } from './core/sealed-text.ts';
export { hashSecret, secretOf } from './access/secret.ts';
export {
  type FaceSettings,
  type Rate,
  type SettingRule,
  type ValuesOf,
  boolean,
  faceRules,
  integer,
  isRecord,
  isTexts,
  isWithin,
  matching,
  rate,
  resolveByRules,
  setting,
  string,
} from './settings/rules.ts';
export { problemsOf } from './settings/check.ts';
export { ConfigError } from './settings/config-error.ts';
export { nearest } from './settings/nearest.ts';
export type { Member, ValueType } from './settings/types.ts';
export { SettingsError } from './settings/settings-error.ts';
export { StorageUnavailable } from './errors/storage-unavailable.ts';
export type { PostgresDriver, PostgresSession, PostgresValue } from './postgres/driver.ts';
export { DatabaseUnavailable, PostgresError } from './postgres/errors.ts';
export { checkPostgresMigrated, migratePostgres } from './postgres/migrate.ts';
export { compareBytewise } from './sql/byte-order.ts';
export type { SqlDriver, SqlValue } from './sql/driver.ts';
export { durablePort } from './sql/durable-port.ts';
export { freePages } from './sql/free-pages.ts';
export { type Migration, MigrationError, checkMigrated, migrate } from './sql/migrate.ts';
export { isoTime } from './core/time.ts';
