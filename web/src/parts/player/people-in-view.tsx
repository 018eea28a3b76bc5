import { ScanFace } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { formatList } from '#lib/format.ts';
import { shownName } from './face-words.ts';
import type { Present } from './presence.ts';

export function usePeopleWords(present: Present): string {
  const { t } = useTranslation();
  const people = present.known.map(shownName);
  if (present.unknown > 0) people.push(t('player.unknownPeople', { count: present.unknown }));
  if (present.faces > 0) people.push(t('player.faces', { count: present.faces }));
  return people.length === 0
    ? t('player.nobody')
    : t('player.inView', { people: formatList(people) });
}

/** Who is in the picture, read out when it changes and not more often. */
export function PeopleInView({ present }: { present: Present }) {
  const words = usePeopleWords(present);
  return (
    <output className="flex items-center gap-2 text-ui text-muted">
      <ScanFace aria-hidden className="size-4 shrink-0" />
      <span>{words}</span>
    </output>
  );
}
