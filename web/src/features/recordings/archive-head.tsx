/** The head of a camera's recordings: which camera it is, the way back, and what else opens from here. */
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Page } from '#parts/page.tsx';
import { Badge } from '#ui/badge.tsx';
import { buttonClass } from '#ui/button.tsx';

export interface ArchiveHeadProps {
  /** The camera's name, once it is known. */
  title: string;
  /** How it is with the camera, where that is known. */
  state?: ReactNode;
  /** ISO 8601; null: it is there. */
  deletedAt?: string | null;
  /** Buttons beside the way back. */
  actions?: ReactNode;
  children: ReactNode;
}

export function ArchiveHead({
  title,
  state,
  deletedAt = null,
  actions,
  children,
}: ArchiveHeadProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  return (
    <Page
      title={title}
      {...(state !== undefined && { subtitle: state })}
      {...(deletedAt !== null && {
        subtitle: (
          <Badge tone="warning">
            {t('recordings.cameraDeleted', {
              date: formatTime(deletedAt, { dateStyle: 'medium' }),
            })}
          </Badge>
        ),
      })}
      actions={
        <>
          <Link to="/cameras" className={buttonClass('secondary')}>
            <ArrowLeft aria-hidden />
            {t('recordings.back')}
          </Link>
          {actions}
        </>
      }
    >
      {children}
    </Page>
  );
}
