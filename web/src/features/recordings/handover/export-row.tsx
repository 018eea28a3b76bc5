import type { RecordingExport } from '@nazar/contract/exports.ts';
import { Download, FileVideo, Trash2, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { problemSentence } from '#api/problem.ts';
import { formatSeconds, useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Progress } from '#ui/progress.tsx';
import { isUnfinished, saveExport } from './queries.ts';
import { remainingMs, type ProgressSeen } from './remaining.ts';
import { leftOutWords, lengthWords, periodWords, sizeWords } from './words.ts';

export interface ExportRowProps {
  made: RecordingExport;
  /** When the server said so, in milliseconds since 1970. */
  seenAtMs: number;
  /** The reader sees others' exports, too. */
  showsMaker: boolean;
  onDetails: () => void;
  onRemove: () => void;
}

const tones = { waiting: 'neutral', running: 'info', done: 'success', failed: 'danger' } as const;

/** One export: what of, how far it is, and what can be done with it. */
export function ExportRow({ made, seenAtMs, showsMaker, onDetails, onRemove }: ExportRowProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const asked = formatTime(made.created_at);
  const { status, camera_name: name } = made;
  return (
    <li className="grid gap-2 py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="min-w-0">
          <p className="text-ui font-medium break-words">{name}</p>
          <p className="text-meta text-muted">{periodWords(made.from, made.until)}</p>
          <p className="text-meta text-muted">
            {showsMaker
              ? t('handover.askedBy', { name: made.created_by.name, time: asked })
              : t('handover.asked', { time: asked })}
          </p>
        </div>
        <output className="flex flex-wrap gap-1.5">
          <Badge tone={tones[status]}>{t(`handover.status.${status}`)}</Badge>
          {made.masked && <Badge tone="neutral">{t('handover.masked')}</Badge>}
        </output>
      </div>
      {status === 'running' && <Running made={made} seenAtMs={seenAtMs} />}
      {made.fault !== null && (
        <p className="text-ui text-danger-text">{t(`handover.fault.${made.fault}`)}</p>
      )}
      {status === 'done' && <Facts made={made} />}
      {(made.left_out_seconds ?? 0) > 0 && (
        <p className="text-meta text-muted">{leftOutWords(t, made)}</p>
      )}
      <Buttons made={made} onDetails={onDetails} onRemove={onRemove} />
    </li>
  );
}

function Facts({ made }: { made: RecordingExport }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { bytes, seconds, expires_at: expiresAt } = made;
  return (
    <p className="text-meta text-muted">
      {t('handover.made', {
        size: sizeWords(t, bytes ?? 0),
        length: lengthWords(seconds ?? 0),
        time: expiresAt === null ? '–' : formatTime(expiresAt),
      })}
    </p>
  );
}

function Running({ made, seenAtMs }: { made: RecordingExport; seenAtMs: number }) {
  const { t } = useTranslation();
  const { formatPercent } = useFormat();
  const now: ProgressSeen = { atMs: seenAtMs, progress: made.progress };
  const [first] = useState(now);
  const leftMs = remainingMs(first, now);
  const percent = formatPercent(made.progress);
  return (
    <div className="grid gap-1">
      <Progress
        aria-label={t('handover.progress', { name: made.camera_name })}
        value={made.progress}
      />
      <p className="figures text-meta text-muted">
        {leftMs === null
          ? percent
          : t('handover.left', { percent, time: formatSeconds(Math.ceil(leftMs / 1000)) })}
      </p>
    </div>
  );
}

type ButtonsProps = Pick<ExportRowProps, 'made' | 'onDetails' | 'onRemove'>;

function Buttons({ made, onDetails, onRemove }: ButtonsProps) {
  const { t } = useTranslation();
  const { camera_name: name } = made;
  if (isUnfinished(made)) {
    return (
      <Bar>
        <Button
          look="secondary"
          size="small"
          aria-label={t('handover.cancelOf', { name })}
          onClick={onRemove}
        >
          <X aria-hidden />
          {t('handover.cancel')}
        </Button>
      </Bar>
    );
  }
  return (
    <Bar>
      {made.status === 'done' && (
        <>
          <DownloadButton made={made} />
          <Button
            look="secondary"
            size="small"
            aria-label={t('handover.verifyOf', { name })}
            onClick={onDetails}
          >
            <FileVideo aria-hidden />
            {t('handover.verify')}
          </Button>
        </>
      )}
      <IconButton label={t('handover.removeOf', { name })} small onClick={onRemove}>
        <Trash2 aria-hidden />
      </IconButton>
    </Bar>
  );
}

const Bar = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-2">{children}</div>
);

function DownloadButton({ made }: { made: RecordingExport }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    setBusy(true);
    setRefused(null);
    try {
      await saveExport(made.id);
    } catch (error) {
      setRefused(problemSentence(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        size="small"
        busy={busy}
        aria-label={t('handover.downloadOf', { name: made.camera_name })}
        onClick={() => void save()}
      >
        <Download aria-hidden />
        {t('handover.download')}
      </Button>
      {refused !== null && (
        <p role="alert" className="basis-full text-meta text-danger-text">
          {refused}
        </p>
      )}
    </>
  );
}
