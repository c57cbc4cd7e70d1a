import { type RefObject, useEffect, useRef } from 'react'

/** Opens a dialog over the page as long as it is rendered, with the focus where it was asked for. */
export const useOpenDialog = (): RefObject<HTMLDialogElement | null> => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const box = dialog.current
    box?.showModal()
    const first = box?.querySelector<HTMLElement>('[data-autofocus]')
    first?.focus()
    // A proposed value is there to be typed over.
    if (first instanceof HTMLInputElement) first.select()
    // Without inputs the focus starts at the top.
    if (document.activeElement?.matches('[data-close]')) box?.focus()
    return () => box?.close()
  }, [])
  return dialog
}
