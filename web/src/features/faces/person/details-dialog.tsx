import type { Face } from '@nazar/contract/faces.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Facts } from '#ui/data-list.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { CategoryBadge } from '../category-badge.tsx';
import type { FaceAction } from '../dialog.ts';
import { DoubtNote, InactiveBadge, NotRecognizedNote, SimilarNotes } from '../list/face-badges.tsx';
import { useFace } from '../queries.ts';
import { fullName } from '../recognition.ts';
import { ConsentFact } from './consent-fact.tsx';
import { DetailsActions } from './details-actions.tsx';
import { PhotoCarousel } from './photo-carousel.tsx';

const link = 'break-words text-primary-text underline-offset-4 hover:underline';

/** What can be written or called is a link; what is empty is not there. */
function usePersonFacts(face: Face) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  return [
    { name: t('person.position'), value: face.position },
    {
      name: t('person.email'),
      value: face.email !== '' && (
        <a className={link} href={`mailto:${face.email}`}>
          {face.email}
        </a>
      ),
    },
    {
      name: t('person.phone'),
      value: face.phone !== '' && (
        <a className={link} href={`tel:${face.phone.replaceAll(/[^\d+*#]/g, '')}`}>
          {face.phone}
        </a>
      ),
    },
    { name: t('person.createdBy'), value: face.created_by_name },
    {
      name: t('person.createdAt'),
      value: formatTime(face.created_at, { dateStyle: 'medium', timeStyle: 'short' }),
    },
  ].filter(({ value }) => value !== '' && value !== false);
}

/** Only when there is something to read. */
function Prose({ title, text }: { title: string; text: string }) {
  if (text === '') return null;
  return (
    <div>
      <h3 className="text-ui font-medium text-muted">{title}</h3>
      <p className="text-ui whitespace-pre-line">{text}</p>
    </div>
  );
}

export interface DetailsDialogProps {
  face: Face;
  onClose: () => void;
  onAction: (action: FaceAction, face: Face) => void;
}

export function DetailsDialog({ face: known, onClose, onAction }: DetailsDialogProps) {
  const { t } = useTranslation();
  const face = useFace(known);
  const facts = usePersonFacts(face);
  return (
    <Dialog open width="wide" title={fullName(face)} onClose={onClose}>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <PhotoCarousel face={face} />
        <div className="grid content-start gap-4">
          <div className="flex flex-wrap gap-1.5">
            <CategoryBadge face={face} />
            {face.is_active ? <Badge tone="success">{t('faces.active')}</Badge> : <InactiveBadge />}
            {face.is_demo && <Badge tone="info">{t('faces.demo')}</Badge>}
          </div>
          <NotRecognizedNote face={face} />
          <DoubtNote face={face} />
          <SimilarNotes face={face} />
          <Facts facts={facts} />
          <ConsentFact face={face} />
          <Prose title={t('person.description')} text={face.description} />
          <Prose title={t('person.notes')} text={face.notes} />
        </div>
      </div>
      <DetailsActions face={face} onAction={onAction} />
    </Dialog>
  );
}
