/** The head of a page: its one h1, the document's title, and what one can do here. */
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';

export function useDocumentTitle(title: string): void {
  const { t } = useTranslation();
  const product = t('product');
  useEffect(() => {
    document.title = joined([title, product]);
  }, [title, product]);
}

export interface PageProps {
  title: string;
  /** In place of the title in the title of the document. */
  documentTitle?: string;
  subtitle?: ReactNode;
  /** Buttons at the end of the title line, below it on phones. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, documentTitle = title, subtitle, actions, children }: PageProps) {
  useDocumentTitle(documentTitle);
  return (
    <div className="grid grid-cols-1 gap-4">
      <header className="flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <h1 className="text-title font-semibold tracking-tight">{title}</h1>
          {subtitle !== undefined && <div className="mt-0.5 text-ui text-muted">{subtitle}</div>}
        </div>
        {actions !== undefined && (
          <div className="flex flex-wrap items-center gap-2">{actions}</div>
        )}
      </header>
      {children}
    </div>
  );
}
