/** The process that ingests up to four cameras: started and supervised by the server's media front door. */
import { systemClock } from '#lib/clock.ts';
import { runHost } from '#lib/host-process.ts';
import { Ingests } from '#media/ingests.ts';

runHost(new Ingests(systemClock, null));
