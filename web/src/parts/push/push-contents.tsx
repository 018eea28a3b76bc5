/** What push messages say, for all users: it stands on lock screens, too. */
import { pushContents, type PushContent } from '@nazar/contract/push.ts';
import { problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Banner } from '#ui/banner.tsx';
import { ChoiceCards } from '#ui/choice-cards.tsx';
import { useChangeContent } from './queries.ts';

export function PushContents({ content }: { content: PushContent }) {
  const { t } = useTranslation();
  const change = useChangeContent();
  const chosen = change.isPending ? change.variables : content;
  return (
    <div className="grid grid-cols-1 gap-3">
      <ChoiceCards
        label={t('push.contents')}
        name="push-content"
        value={chosen}
        onChange={(value) => change.mutate(value)}
        options={pushContents.map((value) => ({
          value,
          label: t(`push.content.${value}`),
          text: t(`push.contentText.${value}`),
        }))}
      />
      {change.isError && <Banner tone="error">{problemSentence(change.error)}</Banner>}
      {change.isSuccess && <p className="text-ui text-muted">{t('push.contentSaved')}</p>}
    </div>
  );
}
