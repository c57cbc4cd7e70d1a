import { useReactFlow } from '@xyflow/react'
import { useEffect } from 'react'
import { NOTHING } from '../canvas/canvas-context.ts'
import { focusBlockNow } from '../canvas/focus-block.ts'
import { useZoomStep, ZOOM } from '../canvas/zoom.ts'
import { isTyping, listenClipboard } from '../commands/clipboard.ts'
import type { Commands } from '../commands/commands.ts'
import type { Mode } from '../mode/mode-context.ts'
import { SIZE } from '../model/geometry.ts'
import { type Handlers, handlerOf, keyOf } from '../model/key-table.ts'
import { openSearch, openUses } from '../search/open-search.ts'
import type { Designer } from '../session/designer.ts'

const MOVES: Handlers<'alt', readonly [number, number]> = {
  arrowup: [0, -1],
  arrowdown: [0, 1],
  arrowleft: [-1, 0],
  arrowright: [1, 0],
}
const REGIONS = ['bar', 'left', 'canvas', 'inspector', 'trial', 'dock']

const cycleRegion = (back: boolean) => {
  const present = REGIONS.flatMap(name => document.querySelector<HTMLElement>(`[data-region=${name}]`) ?? [])
  const at = present.findIndex(region => region.contains(document.activeElement))
  const next = present[(at + (back ? -1 : 1) + present.length) % present.length]
  const stop = next?.querySelector<HTMLElement>('[data-block][tabindex="0"],button:not([tabindex="-1"]),input,a[href]')
  stop?.focus()
}

const focusPalette = () => document.querySelector<HTMLElement>('[data-palette]')?.focus()

const isInInspector = (target: EventTarget | null): target is Element =>
  target instanceof Element && target.closest('[data-region=inspector]') !== null

/** Beside the fields of a form a letter, or Delete, is a slip and no command; on the form's tabs a letter is one. */
const isBesideField = (target: EventTarget | null, key: string): boolean =>
  isInInspector(target) && (key.length > 1 || target.closest('[role=tab]') === null)

const blockAt = (element: Element) => element.closest<HTMLElement>('[data-block]')?.dataset.block

/** Whether Escape leaves the inspector: it closes what is open in there first. A rich text claims the key for nothing. */
const leavesInspector = ({ key, target, defaultPrevented }: KeyboardEvent) =>
  key === 'Escape' && isInInspector(target) && (!defaultPrevented || target.closest('.pl-rich') !== null)

/** A text has the keyboard within this time, or never will: its editor may still be loaded. Milliseconds. */
const AHEAD = 20_000

/** Keys of a text whose commands remove the block or drop the typed keys. */
const OF_TEXT: ReadonlySet<string> = new Set(['Backspace', 'Delete', 'Enter'])

/** Keeps what is typed for a text that is about to have the keyboard, before it is a command; Escape gives that up. */
const listenAhead = ({ wanted, canvas }: Designer): (() => void) => {
  let block: string | undefined
  let since = 0
  const stop = wanted.subscribe(() => {
    if (wanted.get()?.block !== block) since = performance.now()
    block = wanted.get()?.block
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    const want = wanted.get()
    if (want?.typed === undefined || performance.now() - since > AHEAD || !canvas.flow.get().nodes.has(want.block))
      return
    if (ctrlKey || metaKey || altKey || isTyping(target)) return
    if (key === 'Escape') wanted.set(undefined)
    else if (key.length === 1) wanted.set({ ...want, typed: want.typed + key })
    else if (key === 'Backspace') wanted.set({ ...want, typed: want.typed.slice(0, -1) })
    else if (!OF_TEXT.has(key)) return
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('keydown', onKeyDown, true)
  return () => {
    stop()
    document.removeEventListener('keydown', onKeyDown, true)
  }
}

/** Keys that work wherever the focus is on the page, but not while typing. */
export const useKeys = (designer: Designer, commands: Commands, mode: Mode, mayEdit: boolean): void => {
  const { zoomTo } = useReactFlow()
  const zoom = useZoomStep()
  const editing = mode.mode === 'edit'
  // In fullscreen there is no form that the keyboard could be on its way to.
  const hasForm = editing && !mode.full
  useEffect(() => (editing ? listenClipboard(designer, commands) : undefined), [editing, designer, commands])
  useEffect(() => (hasForm ? listenAhead(designer) : undefined), [hasForm, designer])
  useEffect(() => {
    const { send } = mode
    const plain: Handlers<'plain', () => void> = {
      v: () => send({ type: 'SELECT' }),
      h: () => send({ type: 'PAN' }),
      a: () => commands.openAdd(),
      '/': focusPalette,
      o: () => send({ type: 'OUTLINE' }),
      t: () => send({ type: 'TRACK' }),
      c: () => send({ type: mode.sheet === 'comments' ? 'CLOSE' : 'COMMENTS' }),
      u: () => openUses(designer, send),
      j: commands.toggleJumpTags,
      d: commands.toggleCompact,
      g: commands.group,
      m: commands.toggleNews,
      '?': () => send({ type: 'KEYS' }),
      '+': () => zoom(1),
      '=': () => zoom(1),
      '-': () => zoom(-1),
      '0': () => void zoomTo(1, { duration: ZOOM.duration }),
      '!': commands.fit,
      '@': commands.zoomToSelection,
      delete: commands.remove,
      backspace: commands.remove,
      f: () => {
        const [first] = designer.room.peers.people.get()
        if (first !== undefined) designer.following.set(first.client)
      },
      escape: () => {
        const { selection } = designer.canvas
        const { blocks, links } = selection.get()
        if (mode.sheet !== 'none') send({ type: 'CLOSE' })
        else if (blocks.size + links.size > 0) selection.set(NOTHING)
        else if (mode.full) send({ type: 'FULLSCREEN' })
      },
    }
    const held: Handlers<'held', () => void> = {
      z: commands.undo,
      y: commands.redo,
      '⇧z': commands.redo,
      d: commands.duplicate,
      f: () => send({ type: 'FIND' }),
      '⇧f': () => openSearch(designer, send, { scope: 'bot' }),
      h: () => openSearch(designer, send, { scope: 'flow', isReplacing: true }),
      a: () =>
        designer.canvas.selection.set({ blocks: new Set(designer.canvas.flow.get().nodes.keys()), links: new Set() }),
    }
    const anywhere: Handlers<'anywhere', (event: KeyboardEvent) => void> = {
      f6: ({ shiftKey }) => cycleRegion(shiftKey),
      f8: commands.nextProblem,
    }
    const onKeyDown = (event: KeyboardEvent) => {
      const key = keyOf(event)
      const always = handlerOf(anywhere, key)
      if (always !== undefined) {
        event.preventDefault()
        return always(event)
      }
      if (leavesInspector(event)) {
        focusBlockNow(designer.canvas.focus.get())
        return
      }
      if (isTyping(event.target) || mode.mode !== 'edit') return
      const isHeld = event.ctrlKey || event.metaKey
      const isSlip = event.altKey || isBesideField(event.target, key)
      const single = isSlip ? undefined : handlerOf(plain, key)
      const action = isHeld ? handlerOf(held, `${event.shiftKey ? '⇧' : ''}${key}`) : single
      if (action === undefined || (event.target instanceof Element && event.target.closest('[role=menu]'))) return
      event.preventDefault()
      action()
    }
    const onMove = (event: KeyboardEvent) => {
      if (!event.altKey || isTyping(event.target) || !mayEdit || mode.mode !== 'edit') return
      const by = handlerOf(MOVES, keyOf(event))
      if (by === undefined) return
      const { selection } = designer.canvas
      if (selection.get().blocks.size === 0) {
        const block = event.target instanceof Element ? blockAt(event.target) : undefined
        if (block === undefined) return
        selection.set({ blocks: new Set([block]), links: new Set() })
      }
      event.preventDefault()
      designer.actions.nudge(by[0] * SIZE.grid, by[1] * SIZE.grid)
    }
    document.addEventListener('keydown', onKeyDown)
    document.addEventListener('keydown', onMove)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('keydown', onMove)
    }
  }, [designer, commands, mode, zoomTo, zoom, mayEdit])
}
