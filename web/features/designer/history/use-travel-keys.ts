import { useEffect, useRef } from 'react'

interface TravelKeys {
  readonly step: (by: number) => void
  readonly stepSession: (by: number) => void
  readonly end: (last: boolean) => void
  readonly play: () => void
  readonly leave: () => void
}

const OWN_KEYS = 'input,textarea,select,dialog,[popover],[role=menu],[contenteditable=true]'
const PRESSED_BY_SPACE = 'button,a,summary,label'

const isOpen = () => document.querySelector('dialog[open],:popover-open:not([role=tooltip])') !== null

/** Keys of time travel, wherever the focus is: ← → an edit, with Shift a session, Home, End, Space plays, Esc leaves. */
export const useTravelKeys = (keys: TravelKeys): void => {
  const held = useRef(keys)
  held.current = keys
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { step, stepSession, end, play, leave } = held.current
      const target = event.target instanceof Element ? event.target : undefined
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
      if (target?.closest(OWN_KEYS) || isOpen()) return
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      const actions: Readonly<Record<string, (() => void) | undefined>> = {
        ArrowLeft: () => (event.shiftKey ? stepSession(-1) : step(-1)),
        ArrowRight: () => (event.shiftKey ? stepSession(1) : step(1)),
        PageUp: () => stepSession(1),
        PageDown: () => stepSession(-1),
        Home: () => end(false),
        End: () => end(true),
        ' ': target?.closest(PRESSED_BY_SPACE) ? undefined : play,
        Escape: leave,
      }
      const inList = target?.closest('.pt-scroll') !== null && target !== undefined
      if (inList && by === undefined && event.key !== 'Escape') return
      const action = actions[event.key]
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
