import type * as Y from 'yjs'
import { nodesOf } from '#domain/flow/document/document.ts'
import type { Selection } from '../canvas/canvas-context.ts'
import { focusBlockIfLost } from '../canvas/focus-block.ts'
import { isTyping } from '../commands/clipboard.ts'
import type { Translate } from '../model/label.ts'
import type { Store } from '../model/store.ts'
import type { Designer, Notice } from '../session/designer.ts'

/** Longest pause while typing. Milliseconds. */
const REMOVAL_PAUSE = 1000

const isTyped = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) =>
  !(ctrlKey || metaKey || altKey || isTyping(target)) &&
  (key.length === 1 || key === 'Enter' || key === 'Backspace' || key === 'Delete')

/** Keeps words whose field went away from being taken for commands, until they pause. */
const holdTyping = (): void => {
  const held = new AbortController()
  let timer = setTimeout(() => held.abort(), REMOVAL_PAUSE)
  const onKey = (event: KeyboardEvent) => {
    if (!isTyped(event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    clearTimeout(timer)
    timer = setTimeout(() => held.abort(), REMOVAL_PAUSE)
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

/** Others' edits are summed up at most this often. */
const PAUSE = 5000
/** Delay before unchanged findings are announced. Milliseconds. */
const CALM = 2000

interface News {
  readonly moved: Set<string>
  readonly added: Set<string>
  readonly removed: Set<string>
}

const fresh = (): News => ({ moved: new Set(), added: new Set(), removed: new Set() })

const gather = (news: News, events: readonly Y.YEvent<Y.AbstractType<unknown>>[]) => {
  for (const event of events) {
    const [first] = event.path
    if (typeof first === 'string') news.moved.add(first)
    else for (const [id, { action }] of event.keys) (action === 'delete' ? news.removed : news.added).add(id)
  }
}

/** Announces in the live region: others' edits in one sentence, saving that stops or resumes, and findings. */
export const announceRemoteEdits = (designer: Designer, t: Translate): (() => void) => {
  const { room, said } = designer
  let news = fresh()
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = () => {
    timer = undefined
    const { moved, added, removed } = news
    news = fresh()
    for (const id of added) moved.delete(id)
    const people = room.peers.people.get().map(({ name }) => name.split(' ')[0] ?? name)
    const name = people.length === 0 ? t('people.ownTab') : people.length === 1 ? (people[0] ?? '') : t('people.others')
    const parts = [
      moved.size > 0 ? t('news.changed', { count: moved.size }) : '',
      added.size > 0 ? t('news.added', { count: added.size }) : '',
      removed.size > 0 ? t('news.removed', { count: removed.size }) : '',
    ].filter(part => part !== '')
    if (parts.length > 0) said.set(t('news.sentence', { name, what: parts.join(', ') }))
  }
  const onChange = (events: Y.YEvent<Y.AbstractType<unknown>>[], transaction: Y.Transaction) => {
    if (transaction.local || !room.ready.get() || !designer.news.get()) return
    gather(news, events)
    timer ??= setTimeout(tell, PAUSE)
  }
  let status = room.saving.get().status
  const onSaving = () => {
    const now = room.saving.get()
    if (now.status === status || now.status === 'saving') return
    status = now.status
    said.set(now.status === 'failed' ? t('failure.save') : t(`save.${now.status}`))
  }
  let checks = designer.findings.get().length
  let checking: ReturnType<typeof setTimeout> | undefined
  const tellChecks = () => {
    const count = designer.findings.get().length
    if (count === checks) return
    checks = count
    said.set(count === 0 ? t('lint.clean') : t('bar.toCheck', { count }))
  }
  const onFindings = () => {
    clearTimeout(checking)
    checking = setTimeout(tellChecks, CALM)
  }
  const nodes = nodesOf(room.doc)
  nodes.observeDeep(onChange)
  const stop = room.saving.subscribe(onSaving)
  const stopChecks = designer.findings.subscribe(onFindings)
  return () => {
    clearTimeout(timer)
    clearTimeout(checking)
    stopChecks()
    nodes.unobserveDeep(onChange)
    stop()
  }
}
