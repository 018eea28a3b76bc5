import type { Face } from '@nazar/contract/faces.ts';
import { BriefcaseBusiness, Mail, Phone, UserPen, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { SecureImage } from '#parts/secure-image.tsx';
import { thumbnail } from '#parts/thumbnail.ts';
import { Badge } from '#ui/badge.tsx';
import { CategoryBadge } from '../category-badge.tsx';
import { fullName } from '../recognition.ts';
import { FaceButtons, type FaceActionsProps } from './face-actions.tsx';
import {
  DoubtNote,
  ImageCountBadge,
  InactiveBadge,
  NotRecognizedNote,
  SimilarNotes,
} from './face-badges.tsx';

function Portrait({ face }: { face: Face }) {
  return (
    <SecureImage
      src={face.image === null ? null : thumbnail(face.image)}
      alt=""
      className="size-full object-[50%_25%]"
      fallback={
        <div className="grid size-full place-items-center bg-surface-2 text-line-strong">
          <UserRound aria-hidden className="size-10" />
        </div>
      }
    />
  );
}

/** One of the short facts; a card without it is simply shorter. */
function Line({ icon, name, children }: { icon: ReactNode; name: string; children: string }) {
  if (children === '') return null;
  return (
    <div className="flex min-w-0 items-center gap-1.5 [&_svg]:size-3.5 [&_svg]:shrink-0">
      <dt title={name}>
        {icon}
        <span className="sr-only">{name}</span>
      </dt>
      <dd className="truncate" title={children}>
        {children}
      </dd>
    </div>
  );
}

/** On phones the picture stands beside the words. */
export function FaceCard({ face, onAction }: FaceActionsProps) {
  const { t } = useTranslation();
  const name = fullName(face);
  return (
    <li className="card flex overflow-hidden sm:flex-col">
      <div className="relative w-28 shrink-0 sm:aspect-[4/3] sm:w-full">
        <div className="absolute inset-0">
          <Portrait face={face} />
        </div>
        <div className="absolute right-2 bottom-2">
          <ImageCountBadge face={face} />
        </div>
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-2 p-3">
        <h2 className="text-body font-semibold">
          <button
            type="button"
            className="max-w-full truncate text-left hover:underline"
            onClick={() => onAction('details')}
          >
            {name}
          </button>
        </h2>
        <div className="flex flex-wrap gap-1.5">
          <CategoryBadge face={face} />
          {!face.is_active && <InactiveBadge />}
          {face.is_demo && <Badge tone="info">{t('faces.demo')}</Badge>}
        </div>
        <NotRecognizedNote face={face} />
        <DoubtNote face={face} />
        <SimilarNotes face={face} />
        <dl className="grid gap-1 text-meta text-muted">
          <Line icon={<BriefcaseBusiness aria-hidden />} name={t('person.position')}>
            {face.position}
          </Line>
          <Line icon={<Mail aria-hidden />} name={t('person.email')}>
            {face.email}
          </Line>
          <Line icon={<Phone aria-hidden />} name={t('person.phone')}>
            {face.phone}
          </Line>
          <Line icon={<UserPen aria-hidden />} name={t('person.createdBy')}>
            {face.created_by_name}
          </Line>
        </dl>
        <div className="-mx-1.5 mt-auto -mb-1.5 border-t border-line pt-1">
          <FaceButtons face={face} onAction={onAction} />
        </div>
      </div>
    </li>
  );
}
