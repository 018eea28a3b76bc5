/** Writes the OpenAPI description into a file, without a server: for tools that check it. */
import { writeFileSync } from 'node:fs';
import { api } from '@nazar/contract/api.ts';
import { openApi } from '#http/openapi.ts';

const [file] = process.argv.slice(2);
if (file === undefined)
  throw new Error('Which file? node server/src/commands/print-openapi.ts FILE');
writeFileSync(file, JSON.stringify(openApi(api, '0.0.0'), null, 2));
