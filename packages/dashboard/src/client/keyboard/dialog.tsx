import { type ReactNode, useEffect, useRef } from 'react';

interface DialogProps {
  label: string;
  close: () => void;
  children: ReactNode;
}

/** The browser's own dialog. It keeps the focus inside and returns it when it closes. */
export function Dialog({ label, close, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    const closeOutside = (event: MouseEvent) => {
      if (event.target === dialog) close();
    };
    dialog.showModal();
    dialog.addEventListener('close', close);
    dialog.addEventListener('click', closeOutside);
    return () => {
      dialog.removeEventListener('close', close);
      dialog.removeEventListener('click', closeOutside);
      dialog.close();
    };
  }, [close]);
  return (
    <dialog
      ref={element}
      aria-label={label}
      className="panel mx-auto mt-[12vh] w-[min(36rem,calc(100vw-1.5rem))] overflow-hidden p-0 text-ink shadow-2xl"
    >
      {children}
    </dialog>
  );
}
