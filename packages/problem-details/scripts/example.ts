import { createPlatformErrors, type LocalTexts } from '@packhouse/problem-details';

const german = new Map<number, LocalTexts>([
  [
    2000,
    {
      short_name: 'Laden geschlossen',
      detail: 'Der Laden verkauft zurzeit nichts, und sein Besitzer legt die Zeiten fest.',
      what_you_should_do: '**Später noch einmal.** Kommen Sie wieder, wenn der Laden offen ist.',
      footer: 'Dieser Fehler wurde von der Plattform im Auftrag des Betreibers gemeldet.',
      labels: {
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
      },
    },
  ],
]);

export const errors = createPlatformErrors({
  // Codes from 2,000 to 999,999,999, in a built-in category or one of these.
  ownCategories: ['x_shop'],
  ownCodes: [
    {
      code: 2000,
      short_name: 'Shop closed',
      http_status: 503,
      category: 'x_shop',
      error_name: 'shop_closed',
      retryable: true,
      retry_after: 600,
      owner_action_required: true,
      responsible: 'owner',
      detail: 'The shop sells nothing at this time, and its owner decides on the hours.',
      what_you_should_do: '**Wait and retry.** Come back when the shop is open.',
    },
  ],
  // The three texts of a built-in code can be replaced; nothing else of it can.
  texts: { 1015: { what_you_should_do: '**Wait and retry.** Our limits are at https://shop.example/limits.' } },
  // What the hook gives nothing for stays in English.
  localisation: { languages: ['de'], texts: (entry) => german.get(entry.code) },
});
