import { useEffect, useRef } from 'react'
import { type Handlers, handlerOf } from '../model/key-table.ts'

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
      const actions: Handlers<'travel', (() => void) | undefined> = {
        arrowleft: () => step(-1),
        arrowright: () => step(1),
        '⇧arrowleft': () => stepSession(-1),
        '⇧arrowright': () => stepSession(1),
        pageup: () => stepSession(1),
        pagedown: () => stepSession(-1),
        home: () => end(false),
        end: () => end(true),
        ' ': target?.closest(PRESSED_BY_SPACE) ? undefined : play,
        escape: leave,
      }
      const key = event.key.toLowerCase()
      const inList = target?.closest('.pt-scroll') !== null && target !== undefined
      if (inList && !key.startsWith('arrow') && key !== 'escape') return
      const action = handlerOf(actions, `${event.shiftKey ? '⇧' : ''}${key}`)
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
