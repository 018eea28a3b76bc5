/**
 * Menus over Radix. Not modal: a modal one locks scrolling by a style tag. Not in a portal: so
 * what they show stays inside the landmark it belongs to; they are placed by `position: fixed` anyway.
 */
import { Check } from 'lucide-react';
import { DropdownMenu as Primitive } from 'radix-ui';
import { useRef, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';

export interface MenuProps {
  /** One button. */
  trigger: ReactElement<ComponentProps<'button'>>;
  align?: 'start' | 'end';
  /** Beside its button a menu has the whole height of the window: for those of many entries. Absent: below it. */
  side?: 'bottom' | 'left';
  children: ReactNode;
}

export interface MenuItemProps {
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  /** Something that is on or off; absent: something that is done. */
  checked?: boolean | undefined;
  onSelect: () => void;
  children: ReactNode;
}

export interface MenuChoiceProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string; lang?: string }[];
  onChoose: (value: T) => void;
}

const item =
  'flex min-h-9 items-center gap-2.5 rounded-md px-2.5 py-1.5 text-ui outline-none select-none touch:min-h-11 ' +
  'data-[highlighted]:bg-surface-2 data-[disabled]:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0';

export function Menu({ trigger, align = 'end', side = 'bottom', children }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  // A press on the button of a menu is the button's own affair: it opens and closes. A menu that is opened again while
  // it still closes (it gives the focus back, its appearing still runs) would take that press, or that focus, for one
  // outside of it and stay closed.
  const stayAtOwnButton = (event: { target: EventTarget | null; preventDefault: () => void }) => {
    const { target } = event;
    if (target instanceof Node && button.current?.contains(target) === true) event.preventDefault();
  };
  return (
    <Primitive.Root modal={false} defaultOpen>
      <Primitive.Trigger ref={button} asChild>
        {trigger}
      </Primitive.Trigger>
      <Primitive.Content
        side={side}
        align={align}
        sideOffset={6}
        collisionPadding={8}
        onInteractOutside={stayAtOwnButton}
        className="overlay-card animate-appear z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-80 min-w-48 overflow-y-auto p-1"
      >
        {children}
      </Primitive.Content>
    </Primitive.Root>
  );
}

export function MenuItem({
  icon,
  danger = false,
  disabled = false,
  checked,
  onSelect,
  children,
}: MenuItemProps) {
  const className = cx(item, danger ? 'text-danger-text' : 'text-fg [&_svg]:text-muted');
  if (checked !== undefined) {
    return (
      <Primitive.CheckboxItem
        checked={checked}
        disabled={disabled}
        onSelect={onSelect}
        className={className}
      >
        {icon}
        <span className="grow">{children}</span>
        {checked && <Check aria-hidden />}
      </Primitive.CheckboxItem>
    );
  }
  return (
    <Primitive.Item disabled={disabled} onSelect={onSelect} className={className}>
      {icon}
      {children}
    </Primitive.Item>
  );
}

/** An item that is a link: give one `<Link>` as child. */
export function MenuLink({ children }: { children: ReactNode }) {
  return (
    <Primitive.Item asChild className={cx(item, 'text-fg')}>
      {children}
    </Primitive.Item>
  );
}

/** One of several, with a tick at the current one. */
export function MenuChoice<T extends string>({
  label,
  value,
  options,
  onChoose,
}: MenuChoiceProps<T>) {
  return (
    <Primitive.RadioGroup aria-label={label} value={value}>
      {options.map((option) => (
        <Primitive.RadioItem
          key={option.value}
          value={option.value}
          lang={option.lang}
          onSelect={() => onChoose(option.value)}
          className={cx(
            item,
            'justify-between data-[state=checked]:font-semibold data-[state=checked]:text-primary-text',
          )}
        >
          {option.label}
          <Primitive.ItemIndicator>
            <Check aria-hidden />
          </Primitive.ItemIndicator>
        </Primitive.RadioItem>
      ))}
    </Primitive.RadioGroup>
  );
}

export function MenuSeparator() {
  return <Primitive.Separator className="my-1 h-px bg-line" />;
}

/** Text at the head of a menu that cannot be chosen. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return <Primitive.Label className="px-2.5 py-2 text-ui">{children}</Primitive.Label>;
}
