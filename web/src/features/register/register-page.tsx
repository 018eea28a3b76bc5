import { setupRoutes } from '@nazar/contract/setup.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useAnswer } from '#api/use-answer.ts';
import { useDocumentTitle } from '#parts/page.tsx';
import { PlainLink } from '#parts/plain-link.tsx';
import { SignedOutFrame } from '#parts/signed-out-frame.tsx';
import { buttonClass } from '#ui/button.tsx';
import { RegisterForm } from './register-form.tsx';

/** The form, or why there is none here: the installation may be closed to newcomers. */
export function RegisterPage() {
  const { t } = useTranslation();
  useDocumentTitle(t('register.title'));
  const state = useAnswer(setupRoutes.state, {});
  const policy = state?.registration ?? 'open';
  return (
    <SignedOutFrame wide>
      <div className="card p-6 sm:p-8">
        <h1 className="text-title font-semibold tracking-tight">
          {policy === 'closed' ? t('register.closedTitle') : t('register.title')}
        </h1>
        <p className="mt-1 text-ui text-muted">
          {policy === 'closed' ? t('register.closedText') : t('register.subtitle')}
        </p>
        {policy !== 'closed' && <RegisterForm policy={policy} />}
        <p className="mt-6 flex flex-wrap items-center justify-center gap-x-2 text-ui text-muted">
          {t('register.haveAccount')}
          <PlainLink to="/login" className={buttonClass('link')}>
            {t('register.signIn')}
          </PlainLink>
        </p>
      </div>
    </SignedOutFrame>
  );
}
