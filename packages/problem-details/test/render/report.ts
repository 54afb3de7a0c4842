import * as fc from 'fast-check';
import { builtInEntries } from '../../src/catalogue/built-in.ts';
import type { Entry, ExtensionValue } from '../../src/catalogue/entry.ts';
import { cloudflare } from '../../src/dialect/cloudflare.ts';
import { neutral } from '../../src/dialect/neutral.ts';
import { describeError, type Occurrence, type ReportSettings } from '../../src/problem/describe.ts';
import type { ErrorReport } from '../../src/problem/report.ts';

export const settings: ReportSettings = { dialect: neutral, docsBase: 'https://packhouse.example' };

export const builtInEntry = (code: number): Entry => {
  const entry = builtInEntries.find((each) => each.code === code);
  if (entry === undefined) throw new Error(`there is no code ${code}`);
  return entry;
};

/** Makes an error. Ray id, time and zone default to those of the example in section 4. */
export const reportOf = (code: number, occurrence: Partial<Occurrence> = {}): ErrorReport =>
  describeEntry(builtInEntry(code), occurrence);

export const describeEntry = (entry: Entry, occurrence: Partial<Occurrence> = {}): ErrorReport =>
  describeError(
    entry,
    { rayId: '9184027733651048', now: Date.parse('2026-11-05T07:41:12Z'), zone: '2shop.example', ...occurrence },
    settings,
  );

/** Any UTF-16 code unit, so that unpaired surrogates, control characters and byte order marks occur. */
const codeUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));

/** Pieces that a YAML, Markdown or HTML parser could take for something other than text. */
const trapCharacters = '\t\n\r \0\u0085\u2028\u2029\ufeff\ufffe\uffff"\'\\{[%@`|>?~<&*😀a';
const trapWords = '--- ... : # - 1. !!str \\u0041 &amp; <!-- ]]> </title> </style> <script> ** \ud800 \udc00'.split(
  ' ',
);
const traps = [...trapCharacters, ...trapWords, '\n---\n', '\r\n', '\n\n# ', ': ', ' #'];
const trap = fc.constantFrom(...traps);

/** Any text, mostly with a trap. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.oneof(trap, fc.string({ maxLength: 4 }), codeUnit), { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: codeUnit, maxLength: 20 }),
);

/** YAML 1.1 and 1.2 words and numbers, and similar names. */
const yamlScalars =
  'true false yes no on off y n null True NULL ~ e5 e-5 1e5 12e03 .inf .nan -.inf 0x1f 0o17 017 1_000 12:30:45 ' +
  '190:20:30 2026-11-05 1.5 +1 -1 = << nan inf e e1.5 a. a- xn--bcher-kva.example 127.0.0.1 [::1] _a a_b';
const yamlScalar = fc.constantFrom('', ...yamlScalars.split(' '));

const hostName = fc.stringMatching(/^[a-z0-9.e-]{1,12}$/);

/** Possible and impossible values of `zone`. */
export const anyZone: fc.Arbitrary<string> = fc.oneof(yamlScalar, hostName, anyText);

/** 16 hexadecimal digits, often ones that look like a number. */
export const anyRayId: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^[0-9a-f]{16}$/),
  fc.stringMatching(/^[0-9]{16}$/),
  fc.nat({ max: 15 }).chain((at) => fc.stringMatching(new RegExp(`^[0-9]{${at}}e[0-9]{${15 - at}}$`))),
);

const anyValue: fc.Arbitrary<ExtensionValue> = fc.oneof(anyText, yamlScalar, fc.maxSafeInteger(), fc.boolean());

const anyExtensions = fc.dictionary(
  fc.stringMatching(/^x_[A-Za-z0-9_]{1,8}$/) as fc.Arbitrary<`x_${string}`>,
  anyValue,
  { maxKeys: 4 },
);

const anyOwnEntry: fc.Arbitrary<Entry> = fc
  .record({
    code: fc.integer({ min: 2000, max: 999_999_999 }),
    short_name: anyText,
    http_status: fc.integer({ min: 400, max: 599 }),
    category: fc.constantFrom('origin', 'platform', 'x_y', 'x_1e5'),
    error_name: fc.oneof(
      fc.stringMatching(/^[a-z][a-z0-9]{0,3}(_[a-z0-9]{1,3}){0,2}$/),
      fc.constantFrom('yes', 'on', 'e5'),
    ),
    wait: fc.option(fc.nat({ max: 2_147_483_647 }), { nil: undefined }),
    responsible: fc.constantFrom('visitor', 'owner', 'platform'),
    detail: anyText,
    what_you_should_do: anyText,
  })
  .map(({ wait, ...entry }) => ({
    ...entry,
    retryable: wait !== undefined,
    ...(wait === undefined ? {} : { retry_after: wait }),
    owner_action_required: entry.responsible === 'owner',
  }));

/** Errors of built-in and own codes in either dialect, with arbitrary texts, zones, ray ids, times and extensions. */
export const anyReport: fc.Arbitrary<ErrorReport> = fc
  .record({
    entry: fc.oneof(fc.constantFrom(...builtInEntries), anyOwnEntry),
    zone: anyZone,
    rayId: anyRayId,
    now: fc.integer({ min: 0, max: Date.parse('9999-12-31T23:59:59Z') }),
    extensions: anyExtensions,
    dialect: fc.constantFrom(neutral, cloudflare),
  })
  .map(({ entry, dialect, ...occurrence }) => describeError(entry, occurrence, { ...settings, dialect }));
