/** `npm run bench -- <subject>`: measures what the product promises and prints tables. Never a test. */
import { globSync } from 'node:fs';
import { join } from 'node:path';

const subjects = globSync('*.ts', { cwd: import.meta.dirname })
  .map((file) => file.slice(0, -'.ts'.length))
  .filter((name) => name !== 'run' && name !== 'table')
  .toSorted();

const [subject = ''] = process.argv.slice(2);
if (subjects.includes(subject)) {
  await import(join(import.meta.dirname, `${subject}.ts`));
} else {
  console.error(`npm run bench -- <${subjects.join(' | ')}>`);
  process.exitCode = 1;
}
