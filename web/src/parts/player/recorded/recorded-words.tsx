/** What a player of recordings says over its picture: on the way, missing, at the end, offline, refused. */
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';
import { formatSeconds, useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useSignal } from '#lib/signal.ts';
import { useDebounced } from '#lib/use-debounced.ts';
import { useNow } from '#lib/use-now.ts';
import { Button } from '#ui/button.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { hasLiveView, useKnownCamera } from '../../camera-state/use-known-camera.ts';
import { gapWords } from './gap-words.ts';
import { leastHoleMs } from './media-map.ts';
import type { RecordedPlayback } from './recorded-playback.ts';
import type { Jump, RecordedState } from './recorded-state.ts';

/** A way that is shorter needs no words, in milliseconds. */
const noticedMs = 400;
/** So much of the last recording is shown. */
const lastMs = 10_000;
const dayMs = 24 * 60 * 60_000;

function Note({ busy = false, children }: { busy?: boolean; children: ReactNode }) {
  return (
    <div className="flex max-w-full items-start gap-1.5 rounded-control bg-black/75 px-2.5 py-1.5 text-meta font-medium text-white">
      {busy ? (
        <Spinner className="mt-px size-3.5 shrink-0" />
      ) : (
        <TriangleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
      )}
      <span className="min-w-0">{children}</span>
    </div>
  );
}

/** A time of the day, with its date where the other lies on another day. */
function useMoment() {
  const { formatTime } = useFormat();
  return (atMs: number, otherMs: number): string =>
    formatTime(atMs, {
      timeStyle: 'medium',
      ...(Math.abs(atMs - otherMs) >= dayMs && { dateStyle: 'medium' }),
    });
}

function JumpNote({ jump }: { jump: Jump }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const values = {
    from: moment(jump.fromMs, jump.untilMs),
    until: moment(jump.untilMs, jump.fromMs),
  };
  return (
    <Note>
      {jump.cause === null
        ? t('recorded.gap', values)
        : t('recorded.gapBecause', { ...values, cause: t(`recorded.cause.${jump.cause}`) })}
    </Note>
  );
}

type Of<Kind extends RecordedState['kind']> = Extract<RecordedState, { kind: Kind }>;

function useEndSentence(now: number, health: CameraHealth | undefined) {
  const { t } = useTranslation();
  const moment = useMoment();
  return ({ sinceMs, cause }: Of<'end'>): string => {
    const time = moment(sinceMs, now);
    return cause === null
      ? t('recorded.end', { time })
      : t('recorded.endBecause', { time, cause: gapWords(t, cause, health) });
  };
}

/** Over a picture that is not the one that was asked for. */
function StaleNote({ playback, now }: { playback: RecordedPlayback; now: number }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const shownMs = useSignal(playback.shownMs);
  if (shownMs === null) return null;
  return <Note>{t('recorded.stale', { time: moment(shownMs, now) })}</Note>;
}

function useWaitingSentence(now: number) {
  const { t } = useTranslation();
  return ({ why, sentence, retryAtMs }: Of<'waiting'>): string => {
    const seconds = Math.max(1, Math.floor((retryAtMs - now) / 1000));
    const reason = why === 'refused' && sentence !== null ? sentence : t('recorded.offline');
    return t('recorded.retrying', { why: reason, time: formatSeconds(seconds) });
  };
}

function useRefusedSentence() {
  const { t } = useTranslation();
  return ({ why, sentence }: Of<'refused'>): string =>
    why === 'unplayable' ? t('recorded.unplayable') : (sentence ?? t('ui.failed'));
}

interface StateNoteProps {
  state: RecordedState;
  now: number;
  onLive: (() => void) | undefined;
  onLast: (momentMs: number) => void;
  onRetry: () => void;
  health: CameraHealth | undefined;
}

function StateNote({ state, now, onLive, onLast, onRetry, health }: StateNoteProps) {
  const { t } = useTranslation();
  const end = useEndSentence(now, health);
  const waiting = useWaitingSentence(now);
  const refused = useRefusedSentence();
  const retry = (
    <Button size="small" look="secondary" onClick={onRetry}>
      {t('ui.retry')}
    </Button>
  );
  switch (state.kind) {
    case 'end':
      return (
        <>
          <Note>{end(state)}</Note>
          {state.atMs - state.sinceMs > leastHoleMs && (
            <Button size="small" look="secondary" onClick={() => onLast(state.sinceMs - lastMs)}>
              {t('recorded.last')}
            </Button>
          )}
          {onLive !== undefined && (
            <Button size="small" onClick={onLive}>
              {t('recorded.live')}
            </Button>
          )}
        </>
      );
    case 'waiting':
      return (
        <>
          <Note busy>{waiting(state)}</Note>
          {retry}
        </>
      );
    case 'refused':
      return (
        <>
          <Note>{refused(state)}</Note>
          {state.why === 'failed' && retry}
        </>
      );
    case 'loading':
      return <Note busy>{t('recorded.loading')}</Note>;
    default:
      return null;
  }
}

export interface RecordedWordsProps {
  playback: RecordedPlayback;
  onLive: (() => void) | undefined;
  cameraId: string;
  /** Something that was tried failed. */
  trouble?: string | null;
  /** A gap that is said for as long as it lasts, in place of what was passed over just now. */
  gap?: Jump | null;
  className?: string;
}

export function RecordedWords(props: RecordedWordsProps) {
  const { playback, onLive, cameraId, trouble = null, gap = null } = props;
  const camera = useKnownCamera(cameraId);
  const { className = 'absolute inset-x-2 bottom-2' } = props;
  const state = useSignal(playback.state);
  const passed = useSignal(playback.notice.jump);
  const jump = gap ?? passed;
  const now = useNow(state.kind === 'waiting');
  // Loading is shown only when it takes a while; everything else at once.
  const isLong = useDebounced(state, noticedMs) === state;
  return (
    <output
      className={cx(
        'pointer-events-none flex flex-wrap items-center gap-2 [&_button]:pointer-events-auto',
        className,
      )}
    >
      {trouble !== null && <Note>{trouble}</Note>}
      {state.kind === 'waiting' && <StaleNote playback={playback} now={now} />}
      {jump !== null && <JumpNote jump={jump} />}
      {(state.kind !== 'loading' || isLong) && (
        <StateNote
          state={state}
          now={now}
          // A camera that sends nothing has no live view to lead to.
          onLive={hasLiveView(camera) ? onLive : undefined}
          onLast={(momentMs) => playback.seek(momentMs)}
          onRetry={() => playback.retry()}
          health={camera?.health}
        />
      )}
    </output>
  );
}
