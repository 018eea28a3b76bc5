/**
 * Keeps the PostgreSQL of the tests running between one test file and the next: `npm test` starts this
 * and closes its standard input at the end. `ready` on standard output means that it runs.
 */
import { testDatabase } from './database.ts';

await using _database = await testDatabase();
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.on('end', resolve).on('error', resolve).resume());
