export type { BuiltInCode, BuiltInName } from './catalogue/built-in-codes.ts';
export { builtInEntries } from './catalogue/built-in.ts';
export { CatalogueError } from './catalogue/catalogue-error.ts';
export { type Catalogue, type CatalogueOptions, createCatalogue } from './catalogue/catalogue.ts';
export type {
  BuiltInCategory,
  BuiltInEntry,
  Entry,
  EntryTexts,
  OwnCategory,
  OwnEntry,
  Responsible,
  Source,
  Extensions,
  ExtensionValue,
} from './catalogue/entry.ts';
export type { ReplacedTexts } from './catalogue/replaced-texts.ts';
export { isPlatformError } from './client/is-platform-error.ts';
export { parseProblem } from './client/parse-problem.ts';
export type { Problem } from './client/problem.ts';
export { retryDelay, type RetryOptions } from './client/retry-delay.ts';
export { CustomErrorsError } from './custom/custom-errors-error.ts';
export { type CustomErrors, type CustomErrorsInput, customErrors } from './custom/custom-errors.ts';
export type { ErrorPageType } from './custom/error-page.ts';
export type {
  CustomErrorRule,
  ErrorFacts,
  ErrorType,
  HeaderCondition,
  RuleCondition,
  RuleContentType,
  RuleFunction,
} from './custom/rule.ts';
export { cloudflare } from './dialect/cloudflare.ts';
export type { ErrorDialect } from './dialect/dialect.ts';
export { neutral } from './dialect/neutral.ts';
export type { OptionsOrErrors } from './middleware/errors-of.ts';
export { handleThrown } from './middleware/handle-thrown.ts';
export { type FetchHandler, withPlatformErrors } from './middleware/with-platform-errors.ts';
export { chooseLanguage } from './negotiation/choose-language.ts';
export type { MediaType } from './negotiation/media-type.ts';
export { negotiate } from './negotiation/negotiate.ts';
export { fetchOrigin, type OriginOptions } from './origin/fetch-origin.ts';
export { describeError, type Occurrence, type ReportSettings } from './problem/describe.ts';
export { englishLabels } from './problem/labels.ts';
export { type LocalTexts, type Localisation, localTexts } from './problem/localise.ts';
export type { PlatformProblem } from './problem/problem.ts';
export { newRayId, type RandomBytes } from './problem/ray-id.ts';
export type { ErrorReport, Labels } from './problem/report.ts';
export { retryAfterSeconds } from './problem/retry-after.ts';
export { zoneOf } from './problem/zone.ts';
export { contentSecurityPolicy } from './render/html/content-security-policy.ts';
export { escapeHtml } from './render/html/escape.ts';
export { renderHtml } from './render/html/page.ts';
export { style as pageStyle } from './render/html/style.ts';
export { renderJson } from './render/json.ts';
export { type MarkdownOptions, renderMarkdown } from './render/markdown.ts';
export { type MinimalReply, renderMinimal } from './render/minimal.ts';
export { reasonPhrase } from './render/reason-phrase.ts';
export { render } from './render/render.ts';
export { createPlatformErrors } from './response/create.ts';
export type { ErrorDetails, ErrorInput } from './response/error-input.ts';
export type { FallbackStage, Log, LogRecord } from './response/log.ts';
export { PlatformErrorOptionsError } from './response/options-error.ts';
export type { Awaitable, PlatformErrorOptions, PlatformErrorSettings } from './response/options.ts';
export type { HeadersSource, PlatformErrors } from './response/platform-errors.ts';
export { respond } from './response/respond.ts';
export { type ErrorRoute, type ErrorRouteOptions, errorRoute, type Limited } from './middleware/error-route.ts';
export { isThrownPlatformError, PlatformError, type PlatformErrorDetails } from './thrown/platform-error.ts';
