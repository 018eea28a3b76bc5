import { Input } from './input.tsx';
import { labelled } from './labelled.tsx';
import { PasswordInput } from './password-input.tsx';
import { Select } from './select.tsx';
import { Textarea } from './textarea.tsx';
import { UrlInput } from './url-input.tsx';

export const TextField = labelled(Input);
export const PasswordField = labelled(PasswordInput);
export const UrlField = labelled(UrlInput);
export const TextareaField = labelled(Textarea);
export const SelectField = labelled(Select);
