/** What is shown in place of a page that can't be drawn, with its entry in the system log. */
import { Component, useEffect, useState, type ReactNode } from 'react';
import { reportError } from '#api/report-error.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';

export interface PageBrokenProps {
  readonly error: unknown;
  readonly reset: () => void;
}

/** Null: not reported yet, or it can't be reported. */
function useReport(error: unknown): string | null {
  const [id, setId] = useState<string | null>(null);
  useEffect(() => {
    const tell = async (): Promise<void> => setId(await reportError('render', error));
    void tell();
  }, [error]);
  return id;
}

export function PageBroken({ error, reset }: PageBrokenProps) {
  const { t } = useTranslation();
  const id = useReport(error);
  return (
    <div role="alert" className="grid place-items-center gap-2 px-4 py-16 text-center">
      <h1 className="text-section font-semibold">{t('error.page')}</h1>
      <p className="max-w-md text-ui text-balance text-muted">{t('error.pageText')}</p>
      {id !== null && (
        <p className="max-w-md text-ui text-balance text-muted">{t('error.report', { id })}</p>
      )}
      <Button look="secondary" className="mt-3" onClick={reset}>
        {t('ui.retry')}
      </Button>
    </div>
  );
}

interface BoundaryProps {
  readonly children: ReactNode;
  /** What another try takes beyond drawing it again. */
  readonly again?: () => void;
}

interface BoundaryState {
  /** Null: all is well. What is thrown may be null itself. */
  readonly broken: { readonly error: unknown } | null;
}

export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { broken: null };
  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { broken: { error } };
  }
  override render() {
    const { broken } = this.state;
    if (broken === null) return this.props.children;
    return <PageBroken error={broken.error} reset={this.#reset} />;
  }
  readonly #reset = (): void => {
    this.setState({ broken: null });
    this.props.again?.();
  };
}
