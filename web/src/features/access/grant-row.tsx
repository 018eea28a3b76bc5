import type { GiveGrant, Grant } from '@nazar/contract/access.ts';
import { capabilities, type Capability } from '@nazar/contract/capabilities.ts';
import type { FaceCategory } from '@nazar/contract/faces.ts';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { useCategoryName } from '#parts/category-name.ts';
import { Checkbox } from '#ui/checkbox.tsx';

/** A camera or a group of cameras, and what is granted of it to whom is chosen. */
export interface Grantable {
  readonly of: GiveGrant['of'];
  readonly name: string;
  readonly text: string;
  readonly grant: Grant | undefined;
  /** Groups through which the same person holds it, too. */
  readonly through: readonly string[];
}

export interface GrantRowProps {
  row: Grantable;
  categories: readonly FaceCategory[];
  disabled: boolean;
  /** Nothing is left: the grant is taken back. */
  onChange: (capabilities: Capability[], categories: string[]) => void;
}

const besideNames = capabilities.filter((capability) => capability !== 'people');

export function GrantRow({ row, categories, disabled, onChange }: GrantRowProps) {
  const { t } = useTranslation();
  const categoryName = useCategoryName();
  const held: ReadonlySet<Capability> = new Set(row.grant?.capabilities);
  const named: ReadonlySet<string> = new Set(row.grant?.categories);
  const change = (next: ReadonlySet<Capability>, names: ReadonlySet<string>): void =>
    onChange(
      // A user who may do anything with a camera sees it.
      next.size > 0 || names.size > 0 ? [...new Set<Capability>(['live', ...next])] : [],
      [...names],
    );
  const toggle = (capability: Capability, on: boolean): void => {
    if (capability === 'live' && !on) return onChange([], []);
    change(toggled(held, capability, on), capability === 'people' ? new Set() : named);
  };
  return (
    <li className="py-3">
      <fieldset disabled={disabled} className="grid gap-2">
        <legend className="text-ui font-medium">
          <span>{row.name}</span> <span className="font-normal text-muted">{row.text}</span>
        </legend>
        {row.through.length > 0 && (
          <p className="text-meta text-muted">
            {t('access.through', { groups: joined(row.through, ', ') })}
          </p>
        )}
        <div className="flex flex-wrap gap-x-5 gap-y-1">
          {besideNames.map((capability) => (
            <Checkbox
              key={capability}
              label={t(`access.capabilities.${capability}`)}
              checked={held.has(capability)}
              onChange={({ target }) => toggle(capability, target.checked)}
            />
          ))}
        </div>
        <div className="flex flex-wrap items-start gap-x-5 gap-y-1">
          <span className="py-0.5 text-ui text-muted">{t('access.names')}</span>
          <Checkbox
            label={t('access.capabilities.people')}
            checked={held.has('people')}
            onChange={({ target }) => toggle('people', target.checked)}
          />
          {categories.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={categoryName(name)}
              checked={held.has('people') || named.has(id)}
              disabled={held.has('people')}
              onChange={({ target }) => change(held, toggled(named, id, target.checked))}
            />
          ))}
        </div>
      </fieldset>
    </li>
  );
}

function toggled<T>(set: ReadonlySet<T>, value: T, on: boolean): Set<T> {
  const next = new Set(set);
  if (on) next.add(value);
  else next.delete(value);
  return next;
}
