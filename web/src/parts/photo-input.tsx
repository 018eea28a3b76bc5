import { CircleAlert, X } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { FileInput } from '#ui/file-input.tsx';
import { IconButton } from '#ui/icon-button.tsx';

export interface PhotoInputProps {
  photos: readonly File[];
  onChange: (photos: readonly File[]) => void;
  error?: string | undefined;
}

/** Photos of a face to be uploaded: drop, choose, look, take away again. */
export function PhotoInput({ photos, onChange, error }: PhotoInputProps) {
  const { t } = useTranslation();
  const previews = useMemo(
    () => photos.map((photo) => ({ photo, url: URL.createObjectURL(photo) })),
    [photos],
  );
  useEffect(
    () => () => {
      for (const { url } of previews) URL.revokeObjectURL(url);
    },
    [previews],
  );
  return (
    <div className="grid gap-2">
      <FileInput
        accept="image/jpeg,image/png,image/webp"
        multiple
        prompt={t('photo.prompt')}
        hint={t('photo.hint')}
        aria-invalid={error !== undefined}
        onFiles={(files) => onChange([...photos, ...files])}
      />
      {error !== undefined && (
        <p role="alert" className="flex items-start gap-1 text-meta text-danger-text">
          <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
          {error}
        </p>
      )}
      {previews.length > 0 && (
        <ul aria-label={t('photo.chosen')} className="flex flex-wrap gap-2">
          {previews.map(({ photo, url }) => (
            <li key={url} className="relative">
              <img
                src={url}
                alt={photo.name}
                className="size-20 rounded-control border border-line object-cover"
              />
              <IconButton
                label={t('photo.remove', { name: photo.name })}
                look="glass"
                small
                className="absolute top-1 right-1 touch:size-7"
                onClick={() => onChange(photos.filter((other) => other !== photo))}
              >
                <X aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
