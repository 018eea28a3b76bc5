/** A media host whose pictures are looked at by a stand-in: it reads the bar code of the farm's film. */
import { numberIn } from '@nazar/e2e/farm/film.ts';
import { systemClock } from '#lib/clock.ts';
import { runHost } from '#lib/host-process.ts';
import type { Eyes, Picture } from '#media/eyes.ts';
import { Ingests } from '#media/ingests.ts';

/** A socket named `slow` never answers: what a vision host that hangs looks like from here. */
function openEyes(sockets: readonly string[]): Eyes {
  const hangs = sockets.includes('slow');
  return {
    look: async ({ width, rgb, regions }: Picture) => {
      if (hangs) await Promise.withResolvers<void>().promise;
      const face = { number: numberIn(rgb, width), regions: regions.length };
      return { reply: { faces: [face] }, chips: Buffer.from([face.number & 255]) };
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

runHost(new Ingests(systemClock, openEyes));
