/** What the list, the motion search and links do with the playback and the address. */
import type { Recording } from '@nazar/contract/recordings.ts';
import { dayOf } from '#lib/local-day.ts';
import type { Transport } from '#parts/player/recorded/transport.ts';
import { changed, type RecordingsSearch } from './recordings-address.ts';
import type { ArchiveAddress } from './use-archive-address.ts';

export interface ArchiveCommandsOptions {
  readonly address: ArchiveAddress;
  readonly playback: Pick<Transport, 'setPlaying' | 'seek'>;
  /** Null: it is not known yet. */
  readonly day: string | null;
  /** From `useAddressMoment`. */
  readonly markShown: (search: RecordingsSearch) => void;
  /** Something else is shown from now on. */
  readonly onBegin: () => void;
}

export function archiveCommands(options: ArchiveCommandsOptions) {
  const { address, playback, day, markShown, onBegin } = options;
  const { search, go, hrefOf } = address;
  const select = (chosen: Recording): void => {
    onBegin();
    playback.setPlaying(true);
    // The address does not change: what plays goes back to its beginning.
    if (chosen.id === search.recording) playback.seek(Date.parse(chosen.startTime));
    if (day !== null) go({ day, recording: chosen.id, at: undefined });
  };
  return {
    select,
    playFirst: (listed: readonly Recording[]): void => {
      const [first] = listed;
      if (first === undefined) playback.setPlaying(false);
      else select(first);
    },
    /** Whatever was chosen: a moment of this day or another. */
    show: (momentMs: number): void => {
      onBegin();
      go({ day: dayOf(momentMs), recording: undefined, at: undefined, page: undefined });
      playback.setPlaying(true);
      playback.seek(momentMs);
    },
    /** Writes the moment into the address, and returns that address. */
    linkTo: (momentMs: number): string => {
      const linked = changed(search, { at: new Date(momentMs).toISOString() });
      markShown(linked);
      go(linked, true);
      return hrefOf(linked);
    },
  };
}
