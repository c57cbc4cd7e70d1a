import { focusBlockIfLost } from '../canvas/focus-block.ts'

type UndoStep = 'undo' | 'redo'

/** Which step a key asks for: Ctrl or Cmd with Z, Y, or Shift and Z. */
export const stepOf = ({
  key,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
}: Omit<KeyboardEvent, 'target'>): UndoStep | undefined => {
  if (!(ctrlKey || metaKey) || altKey) return undefined
  const letter = key.toLowerCase()
  if (letter === 'y') return 'redo'
  if (letter !== 'z') return undefined
  return shiftKey ? 'redo' : 'undo'
}

/** Search and trial inputs are not part of the flow: the browser handles their undo. */
const IS_OTHER = '[popover],[data-trial],[type=search]'

/** Whether a field of a block is typed in that holds its text until it is left. */
export const hasFieldDraft = (target: EventTarget): target is HTMLElement =>
  target instanceof HTMLElement && target.matches('input,textarea,select') && target.closest(IS_OTHER) === null

/** Takes a step where a field may hold what is not written yet: left first, it writes that, and the step takes it back. */
export const undoRedoFromField = (field: HTMLElement, block: string | undefined, step: () => void): void => {
  const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
  const caret = isText ? field.selectionEnd : null
  field.blur()
  step()
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    if (!field.isConnected) return focusBlockIfLost(block)
    field.focus({ preventScroll: true })
    if (isText && caret !== null) field.setSelectionRange(caret, caret)
  })
}
