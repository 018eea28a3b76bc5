import { clsx, type ClassValue } from 'clsx';

export const cx = (...names: ClassValue[]): string => clsx(names);
