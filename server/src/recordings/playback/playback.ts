/**
 * Playing what a camera recorded in some time: a ticket for it, the playlist that the ticket opens, and the files
 * that the playlist names. Rights are checked again at each request. A user who may not see behind the
 * camera's masks gets a playlist of parts that are encoded again; the call for the files themselves is refused to
 * them. A caller whose player cannot play what was recorded can request such parts, too.
 */
import type { PlaybackPeriod, PlaybackTicket } from '@nazar/contract/playback.ts';
import type { Activity } from '#activity/activity.ts';
import type { Cameras } from '#cameras/cameras.ts';
import { accountOf, askerOf, type Asker, type Scope, type ScopeOf } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import type { MaskingLimit } from '#media/media.ts';
import { askForPatches } from '#media/mp4/closing-question.ts';
import { ClosedFiles } from '#media/mp4/closed-files.ts';
import { encodedCodec } from '#media/protocol/encoded-codec.ts';
import type { Archive, SegmentFile } from '../archive/archive.ts';
import type { PlayableCameras } from '../archive/playable-cameras.ts';
import { shownParts } from '../placed-masks.ts';
import type { MaskedParts } from './masked-parts.ts';
import { maskedPlaylistOf } from './masked-playlist.ts';
import { needsOwnHeads } from './own-heads.ts';
import { partsOf, type FilePart } from './parts.ts';
import type { PlaybackStore, PlayedSegment } from './playback-store.ts';
import {
  playedMimes,
  playlistOf,
  type FileAddresses,
  type IsMissing,
  type PlaylistOptions,
} from './playlist.ts';
import { silentBody, silentHead, type PlayedFile } from './silent-files.ts';
import { PlaybackTickets } from './tickets.ts';

export interface PlaybackOptions {
  readonly store: PlaybackStore;
  readonly archive: Pick<Archive, 'file' | 'knowingMissing'>;
  readonly playable: Pick<PlayableCameras, 'mustPlay' | 'mayPlay'>;
  readonly activity: Pick<Activity, 'recordRead'>;
  readonly cameras: { readonly zones: Pick<Cameras['zones'], 'maySeeUnmasked' | 'masksOf'> };
  readonly masked: Pick<MaskedParts, 'head' | 'of' | 'bare'>;
  readonly maskingLimit: Pick<MaskingLimit, 'mayBegin' | 'play'>;
  readonly clock: Clock;
}

/** What a request for a part gives: the ticket, the file, and where in it the part begins. */
export interface AskedPart {
  readonly ticket: string;
  readonly id: string;
  readonly from: number;
}

/** A file without sound, and one whose sound is to be imitated. */
export interface AskedSilence {
  readonly ticket: string;
  readonly id: string;
  readonly sound: string;
}

interface Played {
  readonly cameraId: string;
  /** Its owner asked for it encoded anew. */
  readonly encoded: boolean;
  readonly from: Date;
  readonly until: Date;
}

/** As with files: one entry an hour says who watched that camera's recordings (C-806). */
const playedMs = 60 * 60_000;

export class Playback {
  readonly #options: PlaybackOptions;
  readonly #tickets: PlaybackTickets<Played>;
  readonly #closed = new ClosedFiles();

  constructor(options: PlaybackOptions) {
    this.#options = options;
    this.#tickets = new PlaybackTickets(options.clock);
  }

  /**
   * Returns a ticket, and what it plays where that is asked for. Throws camera_not_found, forbidden,
   * recording_not_found, camera_not_aligned, too_many_masked_views.
   */
  async begin(scope: Scope, cameraId: string, period: PlaybackPeriod): Promise<PlaybackTicket> {
    const { cameras, store, playable, maskingLimit } = this.#options;
    await playable.mustPlay(scope, [cameraId]);
    const masked = !(await cameras.zones.maySeeUnmasked(scope, cameraId));
    const encoded = masked || period.encoded === true;
    // The caller gets the reason in words; a player would only stop.
    if (encoded) maskingLimit.mayBegin(playerOf(scope, cameraId), accountOf(scope));
    const [from, until] = [new Date(period.from), new Date(period.until)];
    const recorded = await store.segments(cameraId, from, until);
    if (recorded.length === 0) throw new Problem('recording_not_found');
    const segments = masked ? await this.#placeable(cameraId, recorded) : recorded;
    const [first] = segments;
    if (!first) throw new Problem('camera_not_aligned');
    const played: Played = { cameraId, encoded: period.encoded === true, from, until };
    const { ticket, expiresAtMs } = this.#tickets.issue(played, askerOf(scope));
    const text = period.with_playlist
      ? await this.#given(scope, played, encoded, segments, ticket)
      : null;
    return {
      ticket,
      expires_at: new Date(expiresAtMs).toISOString(),
      playlist: `/secure-api/playback/index.m3u8?ticket=${ticket}`,
      ...(text !== null && { playlist_text: text }),
      starts_at: first.started_at.toISOString(),
      mimes: [
        ...new Set(encoded ? segments.map(({ mime }) => encodedMime(mime)) : playedMimes(segments)),
      ],
      masked,
      encoded,
    };
  }

  /**
   * `userAgent`: the player's name for itself. Throws playback_ended, too_many_masked_views, view_replaced.
   */
  async playlist(
    ticket: string,
    ip: string,
    scopeOf: ScopeOf,
    userAgent?: string,
  ): Promise<string> {
    const { scope, played } = await this.#admitted(this.#tickets.open(ticket), ip, scopeOf);
    const { cameraId, from, until } = played;
    await this.#record(scope, cameraId);
    const recorded = await this.#options.store.segments(cameraId, from, until);
    const masked = !(await this.#options.cameras.zones.maySeeUnmasked(scope, cameraId));
    const segments = masked ? await this.#placeable(cameraId, recorded) : recorded;
    const encoded = played.encoded || masked;
    const form = { encoded, ownHeads: needsOwnHeads(userAgent) };
    return this.#playlistOf(scope, played, segments, ticket, form);
  }

  /** The files on which the masks' place is known: the others are gaps for callers who may not see behind masks. */
  async #placeable(
    cameraId: string,
    segments: readonly PlayedSegment[],
  ): Promise<readonly PlayedSegment[]> {
    const masks = await this.#options.cameras.zones.masksOf(cameraId);
    if (masks.polygons.length === 0) return segments;
    return segments.filter(({ shows }) => shownParts(masks, shows) !== null);
  }

  /** What the ticket plays for the page that asked for it: it is opened by that, and its addresses lack it. */
  async #given(
    scope: Scope,
    played: Played,
    encoded: boolean,
    segments: readonly PlayedSegment[],
    ticket: string,
  ): Promise<string> {
    this.#tickets.open(ticket);
    await this.#record(scope, played.cameraId);
    return this.#playlistOf(scope, played, segments, '', { encoded, inParts: true });
  }

  async #playlistOf(
    scope: Scope,
    { cameraId, from }: Played,
    segments: readonly PlayedSegment[],
    ticket: string,
    { encoded, ...form }: { encoded: boolean } & Omit<PlaylistOptions, 'isMissing'>,
  ): Promise<string> {
    const { archive, maskingLimit } = this.#options;
    if (!encoded) {
      return archive.knowingMissing((isMissing: IsMissing) =>
        playlistOf(segments, from.getTime(), addressesOf(ticket), { ...form, isMissing }),
      );
    }
    maskingLimit.play(playerOf(scope, cameraId), accountOf(scope));
    const address = (kind: string) => (id: string, at: number) =>
      `masked/${kind}?ticket=${ticket}&id=${id}&from=${at}`;
    const addresses = { head: address('head.mp4'), part: address('part.m4s') };
    return archive.knowingMissing((isMissing: IsMissing) =>
      maskedPlaylistOf(segments, from.getTime(), addresses, isMissing),
    );
  }

  /**
   * Returns one of the files that the playlist names, and on whose behalf. Throws playback_ended, recording_not_found,
   * recording_disk_away, recording_file_missing.
   */
  async file(
    ticket: string,
    segmentId: string,
    ip: string,
    scopeOf: ScopeOf,
  ): Promise<SegmentFile & { readonly scope: Scope }> {
    const { scope, played } = await this.#admitted(this.#tickets.use(ticket), ip, scopeOf);
    const file = await this.#options.archive.file(scope, segmentId);
    if (file.cameraId !== played.cameraId) throw new Problem('recording_not_found');
    mustBeOf(played, file.startedAt, file.endedAt);
    const { files, path } = file;
    const through = await this.#closed.open(segmentId, file, () =>
      askForPatches(files, path, file),
    );
    return { ...file, ...(through && { through }), scope: { ...scope, ip } };
  }

  /** Returns the initialisation segment of a file with silence in it. Throws as `file` does. */
  async silentHead(asked: AskedSilence, ip: string, scopeOf: ScopeOf): Promise<Buffer> {
    const { file, sound } = await this.#silent(asked, ip, scopeOf);
    return silentHead(file, sound);
  }

  /** Returns the fragments of a file with silence in them. Throws as `file` does. */
  async silentFile(asked: AskedSilence, ip: string, scopeOf: ScopeOf): Promise<Buffer> {
    const { file, sound } = await this.#silent(asked, ip, scopeOf);
    return silentBody(file, sound);
  }

  /** Returns the initialisation segment of the part. Throws as `part` does. */
  async head(asked: AskedPart, ip: string, scopeOf: ScopeOf, gone: AbortSignal): Promise<Buffer> {
    const { segment, part, scope } = await this.#meant(asked, ip, scopeOf);
    return this.#options.masked.head(segment, part, { account: accountOf(scope), signal: gone });
  }

  /**
   * Returns a part encoded again, with masks burnt in unless its owner may see behind them and asked for no more than
   * another codec. `gone`: aborted when no caller waits for it any more. Throws playback_ended, recording_not_found,
   * recording_disk_away, recording_unreadable, camera_not_aligned, too_many_masked_views, view_replaced, unavailable,
   * request_replaced.
   */
  async part(asked: AskedPart, ip: string, scopeOf: ScopeOf, gone: AbortSignal): Promise<Buffer> {
    const { segment, part, scope, played } = await this.#meant(asked, ip, scopeOf);
    const { cameras, masked } = this.#options;
    const { cameraId } = played;
    const isBare = played.encoded && (await cameras.zones.maySeeUnmasked(scope, cameraId));
    const requester = { account: accountOf(scope), signal: gone };
    return isBare
      ? masked.bare(segment, part, requester)
      : masked.of(cameraId, segment, part, requester);
  }

  async #silent(
    { ticket, id, sound }: AskedSilence,
    ip: string,
    scopeOf: ScopeOf,
  ): Promise<{ file: PlayedFile; sound: PlayedFile }> {
    return {
      file: await this.#played(ticket, id, ip, scopeOf),
      sound: await this.#played(ticket, sound, ip, scopeOf),
    };
  }

  async #played(ticket: string, id: string, ip: string, scopeOf: ScopeOf): Promise<PlayedFile> {
    return await this.file(ticket, id, ip, scopeOf);
  }

  async #meant(
    { ticket, id, from }: AskedPart,
    ip: string,
    scopeOf: ScopeOf,
  ): Promise<{ scope: Scope; played: Played; segment: PlayedSegment; part: FilePart }> {
    const { scope, played } = await this.#admitted(this.#tickets.use(ticket), ip, scopeOf);
    const { store, maskingLimit } = this.#options;
    const { cameraId } = played;
    const segment = await store.segment(cameraId, id);
    const part = segment && partsOf(segment).find((one) => one.from === from);
    if (!part) throw new Problem('recording_not_found');
    mustBeOf(played, segment.started_at, segment.ended_at);
    maskingLimit.play(playerOf(scope, cameraId), accountOf(scope));
    await this.#record(scope, cameraId);
    return { scope, played, segment, part };
  }

  async #record(scope: Scope, cameraId: string): Promise<void> {
    const object = { type: 'camera', id: cameraId } as const;
    const entry = { actor: scope, action: 'recording.played', object } as const;
    await this.#options.activity.recordRead(entry, { withinMs: playedMs });
  }

  async #admitted(
    spoken: { readonly subject: Played; readonly asker: Asker } | null,
    ip: string,
    scopeOf: ScopeOf,
  ): Promise<{ scope: Scope; played: Played }> {
    const scope = spoken && (await scopeOf(spoken.asker, ip));
    if (!scope) throw new Problem('playback_ended');
    const { cameraId } = spoken.subject;
    const isSeen = await this.#options.playable.mayPlay(scope, cameraId);
    if (!isSeen) throw new Problem('playback_ended');
    return { scope, played: spoken.subject };
  }
}

/** Whatever else its owner may see, a ticket is for one camera and one time. */
function mustBeOf({ from, until }: Played, startedAt: Date, endedAt: Date): void {
  if (startedAt >= until || endedAt <= from) throw new Problem('recording_not_found');
}

/** As the playlist names them, beside itself. */
function addressesOf(ticket: string): FileAddresses {
  const silent = (kind: string) => (id: string, sound: string) =>
    `silent/${kind}?ticket=${ticket}&id=${id}&sound=${sound}`;
  return {
    file: (id) => `segment.mp4?ticket=${ticket}&id=${id}`,
    silentHead: silent('head.mp4'),
    silentFile: silent('file.m4s'),
  };
}

/** A user who seeks asks for another ticket, and has one place: by session and camera. */
const playerOf = (scope: Scope, cameraId: string): string => `${scope.sessionId} ${cameraId}`;

/** Pictures are encoded again, sound stays as it was. */
function encodedMime(mime: string): string {
  const [sound] = /mp4a\.[\w.]+/.exec(mime) ?? [];
  return `video/mp4; codecs="${[encodedCodec, ...(sound ? [sound] : [])].join(',')}"`;
}
