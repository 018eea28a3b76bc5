import type { OneTimeLink } from '@nazar/contract/recovery.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { Banner } from '#ui/banner.tsx';
import { CopyField } from '#ui/copy-field.tsx';

/** Shown this once, to be handed to its owner. */
export function LinkBox({ link, email }: { link: OneTimeLink; email: string }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  // Where the installation does not know its own address, it is the one this page came from.
  const url = link.url ?? location.origin + link.path;
  return (
    <div className="grid gap-3">
      <Banner tone={link.mailed ? 'success' : 'info'}>
        {link.mailed ? t('users.linkMailed', { email }) : t('users.linkHandOver', { email })}
      </Banner>
      <CopyField
        label={t('users.link')}
        hint={t('users.linkUntil', { time: formatTime(link.expires_at) })}
        value={url}
        copyLabel={t('users.copy')}
        copiedLabel={t('users.copied')}
      />
    </div>
  );
}
