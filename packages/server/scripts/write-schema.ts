// Writes the published schema of the configuration file; a test compares it with the code.
import { writeFileSync } from 'node:fs';
import { configSchema } from '../src/config/schema.ts';

writeFileSync(
  new URL('../schema/packhouse.config.schema.json', import.meta.url),
  `${JSON.stringify(configSchema(), null, 2)}\n`,
);
