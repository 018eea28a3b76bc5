/**
 * Entry of a media host, the process that ingests up to four cameras. `media/server/hosts.ts` starts and supervises it from
 * the server. Frames go from here to the vision hosts directly, never through the server.
 */
import { systemClock } from '#lib/clock.ts';
import { runHost } from '#lib/host-process.ts';
import { MediaHost } from '#media/host/media-host.ts';
import { VisionClient } from '#vision/client.ts';

runHost(new MediaHost(systemClock, (sockets) => new VisionClient(sockets, systemClock)));
