import { useLinkProps, useLocation } from '@tanstack/react-router';
import { LogOut, PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { useId, type ComponentProps, type ReactElement } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { signOut, useUser } from '#api/session.ts';
import { cx } from '#lib/class-names.ts';
import { Logo } from '#parts/logo.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Tooltip } from '#ui/tooltip.tsx';
import { isAt, mainNavigation, systemNavigation, type Destination } from './navigation.ts';

const entry = (collapsed: boolean) =>
  cx(
    'flex min-h-9 w-full items-center gap-3 rounded-control text-ui font-medium text-muted transition-colors duration-100 touch:min-h-11',
    'hover:bg-surface-2 hover:text-fg aria-[current=page]:bg-primary-soft aria-[current=page]:text-primary-text',
    '[&_svg]:size-4 [&_svg]:shrink-0',
    collapsed ? 'justify-center px-0' : 'px-3 text-left',
  );

/** Collapsed, only icons show; their names stay for screen readers and as tooltips. */
function Named({
  collapsed,
  name,
  children,
}: {
  collapsed: boolean;
  name: string;
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>;
}) {
  if (!collapsed) return children;
  return (
    <Tooltip text={name} side="right">
      {children}
    </Tooltip>
  );
}

export interface SidebarProps {
  collapsed?: boolean;
  onToggle?: () => void;
  /** In the drawer of a phone: closes it. */
  onNavigate?: () => void;
}

export function Sidebar({ collapsed = false, onToggle, onNavigate }: SidebarProps) {
  const { t } = useTranslation();
  const system = systemNavigation(useUser());
  const systemId = useId();
  const label = collapsed ? 'sr-only' : '';
  return (
    <div className={cx('flex h-full flex-col gap-1 py-3', collapsed ? 'px-2' : 'px-3')}>
      <div className={cx('flex items-center gap-2.5', collapsed ? 'flex-col' : 'h-9 pl-2')}>
        <Logo />
        <span className={cx('flex-1 text-section font-semibold tracking-tight', label)}>
          {t('product')}
        </span>
        {onToggle !== undefined && (
          <IconButton
            label={collapsed ? t('nav.expand') : t('nav.collapse')}
            aria-expanded={!collapsed}
            small
            onClick={onToggle}
          >
            {collapsed ? <PanelLeftOpen aria-hidden /> : <PanelLeftClose aria-hidden />}
          </IconButton>
        )}
      </div>
      <nav aria-label={t('nav.main')} className="mt-4 grid gap-4 overflow-y-auto">
        <Entries entries={mainNavigation} collapsed={collapsed} onNavigate={onNavigate} />
        {system.length > 0 && (
          <div>
            <h2
              id={systemId}
              className={cx('px-3 pb-1 text-meta font-medium text-muted', collapsed && 'sr-only')}
            >
              {t('nav.system')}
            </h2>
            <Entries
              labelledBy={systemId}
              entries={system}
              collapsed={collapsed}
              onNavigate={onNavigate}
            />
          </div>
        )}
      </nav>
      <div className="mt-auto">
        <Named collapsed={collapsed} name={t('nav.logout')}>
          <button type="button" className={entry(collapsed)} onClick={() => void signOut()}>
            <LogOut aria-hidden />
            <span className={label}>{t('nav.logout')}</span>
          </button>
        </Named>
      </div>
    </div>
  );
}

interface EntriesProps {
  entries: readonly Destination[];
  collapsed: boolean;
  onNavigate: SidebarProps['onNavigate'];
  labelledBy?: string;
}

function Entries({ entries, labelledBy, collapsed, onNavigate }: EntriesProps) {
  const { t } = useTranslation();
  return (
    <ul aria-labelledby={labelledBy} className="grid gap-0.5">
      {entries.map((one) => {
        const { label, icon: Icon, isBelow = false } = one;
        return (
          <li key={label} className={cx(isBelow && !collapsed && 'pl-4')}>
            <Named collapsed={collapsed} name={t(label)}>
              <EntryLink destination={one} className={entry(collapsed)} onClick={onNavigate}>
                <Icon aria-hidden />
                <span className={collapsed ? 'sr-only' : ''}>{t(label)}</span>
              </EntryLink>
            </Named>
          </li>
        );
      })}
    </ul>
  );
}

interface EntryLinkProps extends Pick<ComponentProps<'a'>, 'className' | 'children'> {
  destination: Destination;
  onClick: SidebarProps['onNavigate'];
  'aria-describedby'?: string | undefined;
}

/** Two entries lead to views of one page: the router's own link can't distinguish which of them is open. */
function EntryLink({ destination, onClick, ...rest }: EntryLinkProps) {
  const location = useLocation();
  const { to, view } = destination;
  const link = useLinkProps({
    to,
    search: view === undefined ? {} : { view },
    onClick: () => onClick?.(),
  });
  return (
    <a {...link} {...rest} aria-current={isAt(destination, location) ? 'page' : undefined}>
      {rest.children}
    </a>
  );
}
