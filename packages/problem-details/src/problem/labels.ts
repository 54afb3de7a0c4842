import type { Labels } from './report.ts';

/** English words of the HTML page. */
export const englishLabels: Labels = {
  what_happened: 'What happened',
  what_you_can_do: 'What you can do',
  who_is_responsible: 'Who is responsible',
  visitor: 'You, the visitor',
  owner: 'The owner of the site',
  platform: 'The platform',
  at_fault: 'has to act',
  not_at_fault: 'nothing to do',
  facts: 'About this error',
  error_code: 'Error code',
  error_name: 'Error name',
  ray_id: 'Ray ID',
  time: 'Time',
  zone: 'Site',
  retry_after: 'Seconds to wait',
};
