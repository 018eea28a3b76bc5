/**
 * Playing what a camera recorded in some time: a ticket for it, the playlist that the ticket opens, and the files that
 * the playlist names. Rights are asked again at each request (C-401, C-403).
 */
import type { PlaybackPeriod, PlaybackTicket } from '@nazar/contract/playback.ts';
import type { Activity } from '#activity/activity.ts';
import type { Cameras } from '#cameras/cameras.ts';
import { askerOf, type Asker, type Scope, type ScopeOf } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import type { Archive, SegmentFile } from '../archive.ts';
import type { ArchiveStore } from '../archive-store.ts';
import type { PlaybackStore } from './playback-store.ts';
import { playlistOf } from './playlist.ts';
import { PlaybackTickets } from './tickets.ts';

export interface PlaybackOptions {
  readonly store: PlaybackStore;
  readonly archive: Pick<Archive, 'file'>;
  readonly seen: Pick<ArchiveStore, 'seen'>;
  readonly activity: Pick<Activity, 'recordRead'>;
  readonly cameras: Pick<Cameras, 'mustSee'> & {
    readonly zones: Pick<Cameras['zones'], 'mustSeeUnmasked'>;
  };
  readonly clock: Clock;
}

interface Played {
  readonly cameraId: string;
  readonly from: Date;
  readonly until: Date;
}

/** As with files: one entry an hour says who watched that camera's past (C-806). */
const playedMs = 60 * 60_000;

export class Playback {
  readonly #options: PlaybackOptions;
  readonly #tickets: PlaybackTickets<Played>;

  constructor(options: PlaybackOptions) {
    this.#options = options;
    this.#tickets = new PlaybackTickets(options.clock);
  }

  /** Throws camera_not_found, forbidden, camera_masked, recording_not_found. */
  async begin(scope: Scope, cameraId: string, period: PlaybackPeriod): Promise<PlaybackTicket> {
    const { cameras, store, seen } = this.#options;
    await cameras.mustSee(scope, cameraId);
    if ((await seen.seen(scope, [cameraId])).length === 0) throw new Problem('forbidden');
    await cameras.zones.mustSeeUnmasked(scope, cameraId);
    const [from, until] = [new Date(period.from), new Date(period.until)];
    const segments = await store.segments(cameraId, from, until);
    const [first] = segments;
    if (!first) throw new Problem('recording_not_found');
    const { ticket, expiresAtMs } = this.#tickets.issue({ cameraId, from, until }, askerOf(scope));
    return {
      ticket,
      expires_at: new Date(expiresAtMs).toISOString(),
      playlist: `/secure-api/playback/index.m3u8?ticket=${ticket}`,
      starts_at: first.started_at.toISOString(),
      mimes: [...new Set(segments.map(({ mime }) => mime))],
    };
  }

  /** Throws playback_ended. */
  async playlist(ticket: string, ip: string, scopeOf: ScopeOf): Promise<string> {
    const { scope, played } = await this.#admitted(this.#tickets.open(ticket), ip, scopeOf);
    const { store, activity } = this.#options;
    const object = { type: 'camera', id: played.cameraId } as const;
    const entry = { actor: scope, action: 'recording.played', object } as const;
    await activity.recordRead(entry, { withinMs: playedMs });
    const segments = await store.segments(played.cameraId, played.from, played.until);
    return playlistOf(
      segments,
      played.from.getTime(),
      (id) => `segment/?ticket=${ticket}&id=${id}`,
    );
  }

  /** One of the files that the playlist names. Throws playback_ended, recording_not_found, recording_disk_away. */
  async file(
    ticket: string,
    segmentId: string,
    ip: string,
    scopeOf: ScopeOf,
  ): Promise<SegmentFile> {
    const { scope, played } = await this.#admitted(this.#tickets.use(ticket), ip, scopeOf);
    const file = await this.#options.archive.file(scope, segmentId);
    const { cameraId, from, until } = played;
    const isMeant = file.cameraId === cameraId && file.startedAt < until && file.endedAt > from;
    // Whatever else its owner may see: a ticket is for one camera and one time.
    if (!isMeant) throw new Problem('recording_not_found');
    return file;
  }

  async #admitted(
    spoken: { readonly subject: Played; readonly asker: Asker } | null,
    ip: string,
    scopeOf: ScopeOf,
  ): Promise<{ scope: Scope; played: Played }> {
    const scope = spoken && (await scopeOf(spoken.asker, ip));
    if (!scope) throw new Problem('playback_ended');
    const { cameraId } = spoken.subject;
    const [isSeen] = await this.#options.seen.seen(scope, [cameraId]);
    if (!isSeen) throw new Problem('playback_ended');
    return { scope, played: spoken.subject };
  }
}
