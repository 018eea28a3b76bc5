/**
 * The process that ingests up to four cameras: started and supervised by the server's media front door.
 * The one place where pictures of cameras meet those who look at them: they go from here to the vision
 * hosts and never through the server.
 */
import { systemClock } from '#lib/clock.ts';
import { runHost } from '#lib/host-process.ts';
import { MediaHost } from '#media/host/media-host.ts';
import { VisionClient } from '#vision/client.ts';

runHost(new MediaHost(systemClock, (sockets) => new VisionClient(sockets, systemClock)));
