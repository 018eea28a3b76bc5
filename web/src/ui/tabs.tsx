import { Tabs as Primitive } from 'radix-ui';
import { useEffect, useRef, type ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';

export interface Tab<T extends string> {
  value: T;
  label: string;
  content: ReactNode;
  /** What stands in it stays as it is while another tab is open. */
  isKept?: boolean;
}

/** Pills are for tabs within a tab, so that the two rows differ. */
const looks = {
  line: {
    list: 'gap-1 border-b border-line',
    tab: '-mb-px min-h-10 border-b-2 border-transparent px-3 data-[state=active]:border-primary',
  },
  pills: {
    list: 'gap-1',
    tab: 'min-h-8 rounded-full px-3 hover:bg-surface-2 data-[state=active]:bg-primary-soft',
  },
} as const;

export interface TabsProps<T extends string> {
  label: string;
  look?: keyof typeof looks;
  value: T;
  onChange: (value: T) => void;
  tabs: readonly Tab<T>[];
}

/** The open tab belongs in the URL: the page holds it. */
export function Tabs<T extends string>({
  label,
  look = 'line',
  value,
  onChange,
  tabs,
}: TabsProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  const openAt = tabs.findIndex((tab) => tab.value === value);
  useEffect(() => {
    // On a phone the open one may lie beside what is in sight. The page itself stays where it is.
    const open = list.current?.children[openAt];
    if (!list.current || !(open instanceof HTMLElement)) return;
    list.current.scrollLeft = open.offsetLeft - (list.current.clientWidth - open.offsetWidth) / 2;
  }, [openAt]);
  return (
    <Primitive.Root value={value} onValueChange={(next) => onChange(next as T)}>
      <Primitive.List
        ref={list}
        aria-label={label}
        className={cx('relative flex overflow-x-auto', looks[look].list)}
      >
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            className={cx(
              'text-ui font-medium whitespace-nowrap text-muted hover:text-fg focus-visible:-outline-offset-2 data-[state=active]:text-primary-text touch:min-h-11',
              looks[look].tab,
            )}
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Content
          key={tab.value}
          value={tab.value}
          {...(tab.isKept === true && { forceMount: true })}
          className="pt-4 data-[state=inactive]:hidden"
        >
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
