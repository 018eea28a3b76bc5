/** What a deed changed: each field before and after. On phones a field stands above its values. */
import { useTranslation } from '#lib/i18n.ts';
import { useMedia } from '#lib/use-media.ts';
import type { FieldChange } from './changes.ts';
import { fieldLabel, fieldValue } from './field-words.ts';

/** Tailwind's `sm`: below it three columns leave no room for a label. */
const ROOM_FOR_LABELS = '(min-width: 40rem)';

const headCell = 'px-3 py-2 text-left text-meta font-medium text-muted';
const cell = 'px-3 py-2 align-top [overflow-wrap:anywhere]';

export function ChangeTable({ changes }: { changes: readonly FieldChange[] }) {
  const { t } = useTranslation();
  const isWide = useMedia(ROOM_FOR_LABELS);
  return (
    <section className="grid grid-cols-1 gap-2">
      <h3 className="text-ui font-semibold">{t('activityLog.changes')}</h3>
      <table className="w-full table-fixed border-collapse rounded-control border border-line text-ui">
        <thead className="bg-surface-2">
          <tr>
            {isWide && (
              <th scope="col" className={headCell}>
                {t('activityLog.field')}
              </th>
            )}
            <th scope="col" className={headCell}>
              {t('activityLog.before')}
            </th>
            <th scope="col" className={headCell}>
              {t('activityLog.after')}
            </th>
          </tr>
        </thead>
        {changes.map((change) => (
          <tbody key={change.field} className="border-t border-line">
            {isWide ? <WideRow change={change} /> : <NarrowRows change={change} />}
          </tbody>
        ))}
      </table>
    </section>
  );
}

function WideRow({ change }: { change: FieldChange }) {
  return (
    <tr>
      <th scope="row" className={`${cell} text-left font-medium`}>
        <Label field={change.field} />
      </th>
      <Values change={change} />
    </tr>
  );
}

function NarrowRows({ change }: { change: FieldChange }) {
  return (
    <>
      <tr>
        <th scope="rowgroup" colSpan={2} className="px-3 pt-2 text-left font-medium">
          <Label field={change.field} />
        </th>
      </tr>
      <tr>
        <Values change={change} />
      </tr>
    </>
  );
}

function Label({ field }: { field: string }) {
  const { t } = useTranslation();
  return field === '' ? '–' : fieldLabel(t, field);
}

function Values({ change: { field, values } }: { change: FieldChange }) {
  const { t } = useTranslation();
  if (values === null) {
    return (
      <td colSpan={2} className={`${cell} text-muted`}>
        {t('activityLog.hidden')}
      </td>
    );
  }
  return (
    <>
      <td className={`${cell} text-muted`}>{fieldValue(t, field, values.before)}</td>
      <td className={cell}>{fieldValue(t, field, values.after)}</td>
    </>
  );
}
