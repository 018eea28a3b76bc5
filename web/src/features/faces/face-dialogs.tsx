import { ConsentDialog } from './person/consent-dialog.tsx';
import { DeleteDialog } from './person/delete-dialog.tsx';
import { DetailsDialog } from './person/details-dialog.tsx';
import { EditDialog } from './person/edit-dialog.tsx';
import { ImagesDialog } from './person/images-dialog.tsx';
import { EraseDialog, ExportDialog } from './person/own-data-dialogs.tsx';
import type { OpenDialog } from './dialog.ts';

export interface FaceDialogsProps {
  /** The lowest first: what the details lead to opens above them, and closing it leads back. */
  open: readonly OpenDialog[];
  onOpen: (dialog: OpenDialog) => void;
  /** Closes the uppermost. */
  onClose: () => void;
  /** Closes the uppermost after something worked, and says what. */
  onDone: (sentence: string) => void;
}

export function FaceDialogs({ open, onOpen, onClose, onDone }: FaceDialogsProps) {
  return open.map(({ action, face }) => {
    const shared = { face, onClose, onDone };
    switch (action) {
      case 'details':
        return (
          <DetailsDialog
            key={action}
            face={face}
            onClose={onClose}
            onAction={(next, now) => onOpen({ action: next, face: now })}
          />
        );
      case 'images':
        return <ImagesDialog {...shared} key={action} />;
      case 'edit':
        return <EditDialog {...shared} key={action} />;
      case 'consent':
        return <ConsentDialog {...shared} key={action} />;
      case 'export':
        return <ExportDialog {...shared} key={action} />;
      case 'erase':
        return <EraseDialog {...shared} key={action} />;
      case 'remove':
        return <DeleteDialog {...shared} key={action} />;
      default:
        return action satisfies never;
    }
  });
}
