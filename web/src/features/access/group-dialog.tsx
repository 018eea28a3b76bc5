import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { z } from 'zod/mini';
import { requiredText, text } from '@nazar/contract/fields.ts';
import { foldedText } from '@nazar/contract/folded-text.ts';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextField, TextareaField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { Input } from '#ui/input.tsx';

/** A group of users or of cameras, as its form needs it. */
export interface EditedGroup {
  readonly id: string | null;
  readonly name: string;
  readonly description: string;
  readonly members: readonly string[];
}

export interface GroupDialogProps {
  group: EditedGroup;
  title: string;
  membersLabel: string;
  noneLabel: string;
  choices: readonly { readonly id: string; readonly name: string; readonly hint: string }[];
  onSave: (fields: { name: string; description: string; members: string[] }) => Promise<unknown>;
  onClose: () => void;
}

const Form = z.object({ name: requiredText(150), description: text(2000) });

export function GroupDialog({ group, title, onSave, onClose, ...list }: GroupDialogProps) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const [members, setMembers] = useState<ReadonlySet<string>>(new Set(group.members));
  const form = useContractForm(Form, { name: group.name, description: group.description });
  const { isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (fields) => {
    setRefused(null);
    try {
      await onSave({ ...fields, members: [...members] });
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });
  return (
    <Dialog open title={title} onClose={onClose}>
      <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
        {refused !== null && <Banner tone="error">{refused}</Banner>}
        <TextField label={t('access.name')} required {...form.field('name')} />
        <TextareaField label={t('access.description')} rows={2} {...form.field('description')} />
        <Members {...list} members={members} onChange={setMembers} />
        <FormActions label={t('access.save')} busy={isSubmitting} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

interface MembersProps extends Pick<GroupDialogProps, 'membersLabel' | 'noneLabel' | 'choices'> {
  members: ReadonlySet<string>;
  onChange: (members: ReadonlySet<string>) => void;
}

/** More than these, and a list needs a search of its own. */
const manyChoices = 8;

function Members({ membersLabel, noneLabel, choices, members, onChange }: MembersProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const shown = choices.filter(({ name, hint }) =>
    foldedText(`${name} ${hint}`).includes(foldedText(words.trim())),
  );
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-ui font-medium">
        {membersLabel} <span className="figures text-muted">{members.size}</span>
      </legend>
      {choices.length > manyChoices && (
        <Input
          type="search"
          aria-label={t('access.findMember')}
          placeholder={t('access.findMember')}
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      )}
      {shown.length === 0 && <p className="text-ui text-muted">{noneLabel}</p>}
      <div className="grid max-h-64 gap-1 overflow-y-auto">
        {shown.map(({ id, name, hint }) => (
          <Checkbox
            key={id}
            label={name}
            hint={hint}
            checked={members.has(id)}
            onChange={({ target }) => {
              const next = new Set(members);
              if (target.checked) next.add(id);
              else next.delete(id);
              onChange(next);
            }}
          />
        ))}
      </div>
    </fieldset>
  );
}
