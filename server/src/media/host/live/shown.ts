/** The initialisation segment of a stream that is to be shown upright. */
import type { MediaCamera } from '../../protocol/messages.ts';
import { turned } from '../../mp4/boxes.ts';
import type { Init } from '../../mp4/remuxer.ts';

export function shown(init: Init, rotation: MediaCamera['rotation']): Init {
  const sideways = rotation === 90 || rotation === 270;
  return {
    mime: init.mime,
    body: turned(init.body, rotation),
    width: sideways ? init.height : init.width,
    height: sideways ? init.width : init.height,
  };
}
