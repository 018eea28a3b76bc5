/** The rules that raise alerts: what they say, whether they are on, and what administrators do with them. */
import type { AlertRule } from '@nazar/contract/alert-rules.ts';
import { useQuery } from '@tanstack/react-query';
import { ListChecks, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { LevelBadge } from '#parts/alerts/alert-badges.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { RowList } from '#ui/data-list.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Switch } from '#ui/switch.tsx';
import { rulesQuery, useChangeRule, useRemoveRule } from '../queries.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { isOfPeople, useRuleWords } from './rule-words.ts';

/** What is open: a new rule, or one that is changed or about to be deleted. */
type Open = { readonly rule: AlertRule | null; readonly isDeleting: boolean } | null;

export function AlertRules() {
  const { t } = useTranslation();
  const query = useQuery(rulesQuery);
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-ui text-muted">{t('alertRules.text')}</p>
        <Button onClick={() => setOpen({ rule: null, isDeleting: false })}>
          <Plus aria-hidden />
          {t('alertRules.add')}
        </Button>
      </div>
      <StaleNote queries={[query]} />
      <QueryView
        query={query}
        failedTitle={t('alertRules.failed')}
        skeleton={<Skeleton className="h-80 rounded-card" />}
      >
        {({ results }) => <Rules rules={results} onOpen={setOpen} />}
      </QueryView>
      {open !== null && !open.isDeleting && <RuleDialog rule={open.rule} onClose={close} />}
      {open !== null && open.rule !== null && open.isDeleting && (
        <DeleteRule rule={open.rule} onClose={close} />
      )}
    </div>
  );
}

interface RulesProps {
  rules: readonly AlertRule[];
  onOpen: (open: Open) => void;
}

function Rules({ rules, onOpen }: RulesProps) {
  const { t } = useTranslation();
  const change = useChangeRule();
  if (rules.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={<ListChecks />}
          title={t('alertRules.none')}
          text={t('alertRules.noneText')}
        />
      </Card>
    );
  }
  return (
    <Card>
      {change.isError && <Banner tone="error">{problemSentence(change.error)}</Banner>}
      <RowList label={t('alerts.rules')}>
        {rules.map((rule) => (
          <RuleRow
            key={rule.id}
            rule={rule}
            isBusy={change.isPending && change.variables.id === rule.id}
            onSwitch={(isEnabled) =>
              change.mutate({ id: rule.id, change: { is_enabled: isEnabled } })
            }
            onOpen={onOpen}
          />
        ))}
      </RowList>
    </Card>
  );
}

interface RuleRowProps {
  rule: AlertRule;
  isBusy: boolean;
  onSwitch: (isEnabled: boolean) => void;
  onOpen: (open: Open) => void;
}

function RuleRow({ rule, isBusy, onSwitch, onOpen }: RuleRowProps) {
  const { t } = useTranslation();
  const sentence = useRuleWords()(rule);
  return (
    <li className="flex flex-wrap items-center gap-3 py-3">
      <div className="grid min-w-48 flex-1 grid-cols-1 gap-1">
        <p className="text-ui font-medium [overflow-wrap:anywhere]">{sentence}</p>
        <div className="flex flex-wrap items-center gap-2 text-meta text-muted">
          <LevelBadge level={rule.level} />
          {isOfPeople(rule.kind) && t('alertRules.quietFor', { count: rule.quiet_minutes })}
        </div>
      </div>
      <div className="flex items-center gap-1">
        <Switch
          aria-label={t('alertRules.enabledOf', { sentence })}
          checked={rule.is_enabled}
          disabled={isBusy}
          onChange={({ target }) => onSwitch(target.checked)}
        />
        <IconButton
          label={t('alertRules.editOf', { sentence })}
          onClick={() => onOpen({ rule, isDeleting: false })}
        >
          <Pencil aria-hidden />
        </IconButton>
        <IconButton
          label={t('alertRules.deleteOf', { sentence })}
          onClick={() => onOpen({ rule, isDeleting: true })}
        >
          <Trash2 aria-hidden />
        </IconButton>
      </div>
    </li>
  );
}

function DeleteRule({ rule, onClose }: { rule: AlertRule; onClose: () => void }) {
  const { t } = useTranslation();
  const remove = useRemoveRule();
  const sentence = useRuleWords()(rule);
  return (
    <AlertDialog
      open
      danger
      title={t('alertRules.deleteTitle')}
      description={t('alertRules.deleteText', { sentence })}
      confirmLabel={t('alertRules.delete')}
      busy={remove.isPending}
      error={remove.isError ? <Banner tone="error">{problemSentence(remove.error)}</Banner> : null}
      onConfirm={() => remove.mutate(rule.id, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
