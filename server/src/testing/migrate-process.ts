/** A process that does nothing but migrate, to be killed meanwhile: host, user and name of the database. */
import { migrate } from '#db/migrations.ts';

const [host = '', user = '', database = ''] = process.argv.slice(2);
await migrate({ host, user, database });
