import type { Entry } from '../../src/catalogue/entry.ts';
import type { LocalTexts } from '../../src/problem/localise.ts';
import type { Labels } from '../../src/problem/report.ts';

const labels: Labels = {
  what_happened: 'Was ist passiert?',
  what_you_can_do: 'Was können Sie tun?',
  who_is_responsible: 'Wer ist verantwortlich?',
  visitor: 'Sie, der Besucher',
  owner: 'Der Betreiber der Seite',
  platform: 'Die Plattform',
  at_fault: 'muss handeln',
  not_at_fault: 'nichts zu tun',
  facts: 'Über diesen Fehler',
  error_code: 'Fehlernummer',
  error_name: 'Name des Fehlers',
  ray_id: 'Ray-ID',
  time: 'Zeit',
  zone: 'Seite',
  retry_after: 'Wartezeit in Sekunden',
};

const shortNames: Readonly<Record<Entry['responsible'], string>> = {
  visitor: 'Die Anfrage wurde abgelehnt',
  owner: 'Die Seite ist gestört',
  platform: 'Die Plattform ist gestört',
};

const details: Readonly<Record<Entry['responsible'], string>> = {
  visitor: 'Die Anfrage kann so nicht beantwortet werden, was der Besucher ändern kann.',
  owner: 'Die Anfrage konnte nicht beantwortet werden, wofür der Betreiber der Seite verantwortlich ist.',
  platform: 'Ein Fehler der Plattform hat diese Anfrage beendet; weder Besucher noch Betreiber sind schuld.',
};

/** Returns texts and labels in German for every entry of the catalogue. */
export function german(entry: Entry): LocalTexts {
  return {
    short_name: shortNames[entry.responsible],
    detail: details[entry.responsible],
    what_you_should_do: entry.retryable
      ? '**Später noch einmal.** Warten Sie, bevor Sie es wieder versuchen:\n\n- so lange wie **angegeben**\n- dann länger'
      : '**Nicht wiederholen.** Sagen Sie dem Betreiber der Seite die Ray-ID.',
    footer: 'Dieser Fehler wurde von der Plattform im Auftrag des Betreibers gemeldet.',
    labels,
  };
}
