import type * as Y from 'yjs'
import { nodesOf } from '#domain/flow/document/document.ts'
import type { Selection } from '../canvas/canvas-context.ts'
import { focusBlockIfLost } from '../canvas/focus-block.ts'
import { isTyping } from '../commands/clipboard.ts'
import type { Translate } from '../model/label.ts'
import type { Store } from '../model/store.ts'
import type { Notice } from '../session/designer.ts'

/** Longest pause while typing. Milliseconds. */
const PAUSE = 1000

const isTyped = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) =>
  !(ctrlKey || metaKey || altKey || isTyping(target)) &&
  (key.length === 1 || key === 'Enter' || key === 'Backspace' || key === 'Delete')

/** Keeps words whose field went away from being taken for commands, until they pause. */
const holdTyping = (): void => {
  const held = new AbortController()
  let timer = setTimeout(() => held.abort(), PAUSE)
  const onKey = (event: KeyboardEvent) => {
    if (!isTyped(event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    clearTimeout(timer)
    timer = setTimeout(() => held.abort(), PAUSE)
  }
  document.addEventListener('keydown', onKey, { capture: true, signal: held.signal })
}

/** As much of the designer as a loss concerns. */
interface Watched {
  readonly room: {
    readonly doc: Y.Doc
    readonly ready: Store<boolean>
    readonly peers: { readonly people: Pick<Store<readonly { readonly name: string }[]>, 'get'> }
  }
  readonly canvas: { readonly selection: Store<Selection> }
  readonly said: Store<string>
  readonly notice: Store<Notice | undefined>
}

/** Says so when another person removes what is selected here, with the way to where it can be brought back. */
export const announceRemoteRemoval = (designer: Watched, t: Translate, openHistory: () => void): (() => void) => {
  const { room, canvas, said, notice } = designer
  const nodes = nodesOf(room.doc)
  // The selection drops removed blocks as soon as possible.
  const onChange = (transaction: Y.Transaction) => {
    if (transaction.local || !room.ready.get()) return
    const count = [...canvas.selection.get().blocks].filter(id => !nodes.has(id)).length
    if (count === 0) return
    const [peer, more] = room.peers.people.get()
    const name = peer === undefined || more !== undefined ? t('people.others') : (peer.name.split(' ')[0] ?? peer.name)
    const text = t('said.lost', { count, name })
    said.set(text)
    notice.set({ text, tone: 'failed', action: { label: t('bar.history'), run: openHistory } })
    if (isTyping(document.activeElement)) holdTyping()
    focusBlockIfLost(undefined)
  }
  room.doc.on('beforeObserverCalls', onChange)
  return () => room.doc.off('beforeObserverCalls', onChange)
}
