import {
  builtInEntries,
  describeError,
  neutral,
  type ErrorReport,
  type LocalTexts,
  type Occurrence,
} from '@packhouse/problem-details';

const settings = { dialect: neutral, docsBase: 'https://packhouse.example' };

/** Makes the report of a built-in code. Ray id, time and zone default to those of section 4. */
export const reportOf = (code: number, occurrence: Partial<Occurrence> = {}): ErrorReport => {
  const entry = builtInEntries.find((each) => each.code === code);
  if (entry === undefined) throw new Error(`there is no code ${code}`);
  const example = { rayId: '9184027733651048', now: Date.parse('2026-11-05T07:41:12Z'), zone: '2shop.example' };
  return describeError(entry, { ...example, ...occurrence }, settings);
};

/** Codes with long texts, for every party, retryable and not as available. */
export const chosenCodes: readonly number[] = [500, 522, 1015, 1016, 1020, 1101];

/** A zone of maximum length (ERR-153), in unbreakable labels. */
export const longestZone = `${`${'a'.repeat(63)}.`.repeat(3)}${'a'.repeat(61)}`;

/** An own code with the maximum number of digits, and every kind of block in its guidance. */
export const ownReport: ErrorReport = {
  ...reportOf(1101),
  short_name: 'Payment provider unavailable',
  problem: {
    ...reportOf(1101).problem,
    title: 'Error 999999999: Payment provider unavailable',
    error_code: 999_999_999,
    error_name: 'payment_provider_unavailable_because_of_a_very_long_name_of_an_error',
    what_you_should_do:
      '**Do not retry.** Instead:\n\n- Check the **card**\n- Ask the bank\n\n1. First\n2. Then\n\nDone.',
  },
};

const arabic: LocalTexts = {
  short_name: 'انتهت مهلة الاتصال',
  detail: 'تعذّر فتح اتصال بالخادم الأصلي في الوقت المسموح به، ومالك الموقع مسؤول عن الخادم الأصلي.',
  what_you_should_do: '**انتظر وأعد المحاولة.** توقّف لعدد الثواني المذكور مع هذا الخطأ ثم حاول مرة أخرى.',
  footer: 'أنشأت المنصة هذا الخطأ نيابة عن مالك الموقع.',
  labels: {
    what_happened: 'ماذا حدث',
    what_you_can_do: 'ما الذي يمكنك فعله',
    who_is_responsible: 'من المسؤول',
    visitor: 'أنت، الزائر',
    owner: 'مالك الموقع',
    platform: 'المنصة',
    at_fault: 'عليه التصرّف',
    not_at_fault: 'لا شيء عليه',
    facts: 'حول هذا الخطأ',
    error_code: 'رمز الخطأ',
    error_name: 'اسم الخطأ',
    ray_id: 'معرّف Ray',
    time: 'الوقت',
    zone: 'الموقع',
    retry_after: 'عدد ثواني الانتظار',
  },
};

/** A right-to-left page. */
export const arabicReport: ErrorReport = reportOf(522, { texts: arabic, language: 'ar' });
