/** The support file: the page says what is in it, then the browser saves it. */
import { systemRoutes } from '@nazar/contract/system.ts';
import { useMutation } from '@tanstack/react-query';
import { Download, LifeBuoy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { download } from '#api/download.ts';
import { problemSentence } from '#api/problem.ts';
import { mayChangeCameras } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';

interface SupportFileProps {
  onDone: (sentence: string) => void;
}

export function SupportFileButton({ onDone }: SupportFileProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  if (!mayChangeCameras(useUser())) return null;
  const close = (): void => setOpen(false);
  const saved = (): void => {
    close();
    onDone(t('systemLog.support.saved'));
  };
  return (
    <>
      <Button look="secondary" size="small" onClick={() => setOpen(true)}>
        <LifeBuoy aria-hidden />
        {t('systemLog.support.title')}
      </Button>
      <Dialog
        open={isOpen}
        title={t('systemLog.support.title')}
        description={t('systemLog.support.text')}
        onClose={close}
      >
        <SupportFile onSaved={saved} onClose={close} />
      </Dialog>
    </>
  );
}

/** Given up once the dialog is closed, without a word. */
function useSupportFile(onSaved: () => void) {
  const [bytes, setBytes] = useState(0);
  const work = useRef<AbortController | null>(null);
  useEffect(() => () => work.current?.abort(), []);
  const save = useMutation({
    mutationFn: ({ signal }: AbortController) =>
      download(systemRoutes.supportBundle, 'nazar-support.tar', { signal, onProgress: setBytes }),
    onSuccess: onSaved,
  });
  const start = (): void => {
    setBytes(0);
    work.current = new AbortController();
    save.mutate(work.current);
  };
  return { bytes, start, isBusy: save.isPending, error: save.error };
}

function SupportFile({ onSaved, onClose }: { onSaved: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  const { bytes, start, isBusy, error } = useSupportFile(onSaved);
  return (
    <div className="grid grid-cols-1 gap-4 text-ui">
      <ul className="list-disc space-y-1 pl-5">
        <li>{t('systemLog.support.set')}</li>
        <li>{t('systemLog.support.health')}</li>
        <li>{t('systemLog.support.lines')}</li>
      </ul>
      <p>{t('systemLog.support.leftOut')}</p>
      <p className="text-muted">{t('systemLog.support.recorded')}</p>
      {error !== null && <Banner tone="error">{problemSentence(error)}</Banner>}
      {isBusy && <Progress bytes={bytes} />}
      <Actions className="mt-0">
        <Button look="secondary" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button busy={isBusy} onClick={start}>
          {!isBusy && <Download aria-hidden />}
          {t('systemLog.support.download')}
        </Button>
      </Actions>
    </div>
  );
}

/** How long it will take is not known: the file is made while it comes. */
function Progress({ bytes }: { bytes: number }) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const megabytes = formatNumber(bytes / 1e6, { maximumFractionDigits: 1 });
  return (
    <output className="figures text-muted">
      {bytes === 0 ? t('systemLog.support.begins') : t('systemLog.support.come', { megabytes })}
    </output>
  );
}
