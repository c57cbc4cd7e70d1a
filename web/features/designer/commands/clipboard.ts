import type { Designer } from '../session/designer.ts'
import type { Commands } from './commands.ts'

/** Whether a key or the clipboard belongs to a field that is being typed in. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input,textarea,select,[contenteditable=true],dialog') !== null

const hasWords = () => {
  const chosen = getSelection()
  return chosen !== null && !chosen.isCollapsed && chosen.toString().trim() !== ''
}

/** Copy, cut and paste of blocks through the system's clipboard, as a flow file: within and across dialogs and tabs. */
export const listenClipboard = (designer: Designer, commands: Commands): (() => void) => {
  const put = (event: ClipboardEvent): boolean => {
    if (isTyping(event.target) || hasWords()) return false
    const text = designer.actions.copy()
    if (text === undefined) return false
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    return true
  }
  const onCopy = (event: ClipboardEvent) => {
    put(event)
  }
  const onCut = (event: ClipboardEvent) => {
    if (put(event)) commands.remove()
  }
  const onPaste = (event: ClipboardEvent) => {
    if (isTyping(event.target)) return
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (text === '') return
    event.preventDefault()
    commands.paste(text)
  }
  document.addEventListener('copy', onCopy)
  document.addEventListener('cut', onCut)
  document.addEventListener('paste', onPaste)
  return () => {
    document.removeEventListener('copy', onCopy)
    document.removeEventListener('cut', onCut)
    document.removeEventListener('paste', onPaste)
  }
}
