/** Entry of a media host with a stub of the vision hosts: it reads the bar code of the farm's film. */
import { numberIn } from '@nazar/e2e/farm/film.ts';
import { systemClock } from '#lib/clock.ts';
import { runHost } from '#lib/host-process.ts';
import type { DetectionClient } from '#media/host/detection/frame-analyzer.ts';
import { MediaHost } from '#media/host/media-host.ts';
import type { ImageSource } from '#lib/image-source.ts';

/** The box of every detected face. */
const box = { x: 16, y: 16, width: 64, height: 64 };

/** A socket named `slow` never answers: like a vision host that hangs. */
function openDetection(sockets: readonly string[]): DetectionClient {
  const hangs = sockets.includes('slow');
  return {
    reachable: 1,
    free: true,
    detect: async (view: ImageSource) => {
      if (hangs) await Promise.withResolvers<void>().promise;
      const { width, height, regions } = view;
      const whole = { x: 0, y: 0, width, height };
      const rgb = Buffer.from(await view.take(whole, width, height));
      const face = { box, number: numberIn(rgb, width), regions, bright: brightIn(rgb) };
      return { reply: { faces: [face] }, chips: Buffer.from([face.number & 255]), costMs: 1 };
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** The share of samples that are brighter than 205. */
const brightIn = (rgb: Buffer): number => rgb.filter((value) => value > 205).length / rgb.length;

runHost(new MediaHost(systemClock, openDetection));
