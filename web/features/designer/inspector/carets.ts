import { Extension } from '@tiptap/core'
import { yCursorPlugin } from '@tiptap/y-tiptap'
import type { Awareness } from 'y-protocols/awareness'
import { personColor } from '#domain/color.ts'
import { colorOf } from '../session/presence/avatars.tsx'
import type { Presence } from '../session/room/presence.ts'

interface Who {
  readonly name: string
  readonly person: string
}

const whoOf = (state: Readonly<Record<string, unknown>>): Who => {
  const user = (state.user ?? {}) as { id?: unknown; name?: unknown; color?: unknown }
  const color =
    typeof user.color === 'string' && /^[1-8]$/u.test(user.color) ? user.color : personColor(String(user.id))
  return { name: String(user.name ?? ''), person: color }
}

type Listener = (...args: unknown[]) => void

/**
 * Awareness adapter for the caret plugin: carets are in `text`, because `cursor` is the pointer; only caret moves are
 * changes, so pointers do not redraw texts.
 */
const caretAwareness = (awareness: Awareness, presence: Presence) => {
  let own: unknown
  const wrapped = new Map<Listener, () => void>()
  const texts = () => JSON.stringify([...awareness.getStates()].map(([client, state]) => [client, state.text]))
  return {
    clientID: awareness.clientID,
    getStates: () =>
      new Map(
        [...awareness.getStates()].map(([client, state]) => [
          client,
          { user: { ...whoOf(state), color: '#000000' }, cursor: state.text },
        ]),
      ),
    getLocalState: () => ({ cursor: own }),
    setLocalStateField: (_field: string, value: unknown) => {
      own = value ?? undefined
      presence.showText(own === undefined ? undefined : JSON.parse(JSON.stringify(own)))
    },
    on: (event: string, listener: Listener) => {
      let before = texts()
      const changed = () => {
        const now = texts()
        if (now === before) return
        before = now
        listener()
      }
      wrapped.set(listener, changed)
      awareness.on(event as 'change', changed)
    },
    off: (event: string, listener: Listener) => {
      const changed = wrapped.get(listener)
      if (changed !== undefined) awareness.off(event as 'change', changed)
    },
  }
}

const cursor = (user: Who): HTMLElement => {
  const caret = document.createElement('span')
  caret.className = 'pl-caret'
  caret.style.setProperty('--person', colorOf(user.person))
  const flag = document.createElement('b')
  flag.textContent = user.name.split(' ')[0] ?? user.name
  caret.append('\u2060', flag, '\u2060')
  return caret
}

const selection = (user: Who) => ({
  class: 'pl-caret-selection',
  style: `--person: ${colorOf(user.person)}`,
})

/** Others' carets and selections in a text, with their names. */
export const carets = (awareness: Awareness, presence: Presence) =>
  Extension.create({
    name: 'carets',
    addProseMirrorPlugins: () => [
      yCursorPlugin(
        caretAwareness(awareness, presence) as unknown as Awareness,
        { cursorBuilder: cursor, selectionBuilder: selection } as unknown as Parameters<typeof yCursorPlugin>[1],
      ),
    ],
  })
