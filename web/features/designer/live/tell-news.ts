import type * as Y from 'yjs'
import { nodesOf } from '#domain/flow/document.ts'
import type { Translate } from '../model/label.ts'
import type { Designer } from './designer.ts'

/** Others' edits are summed up at most this often. */
const PAUSE = 5000

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

/** Tells the live region what others did, in one sentence for all of it, and when saving stops or goes on. */
export const tellNews = (designer: Designer, t: Translate): (() => void) => {
  const { room, said } = designer
  let news = fresh()
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = () => {
    timer = undefined
    const { moved, added, removed } = news
    news = fresh()
    for (const id of added) moved.delete(id)
    const people = room.peers.people.get().map(({ name }) => name.split(' ')[0] ?? name)
    const name = people.length === 1 ? (people[0] ?? '') : t('people.others')
    const parts = [
      moved.size > 0 ? t('news.changed', { count: moved.size }) : '',
      added.size > 0 ? t('news.added', { count: added.size }) : '',
      removed.size > 0 ? t('news.removed', { count: removed.size }) : '',
    ].filter(part => part !== '')
    if (parts.length > 0) said.set(t('news.sentence', { name, what: parts.join(', ') }))
  }
  const onChange = (events: Y.YEvent<Y.AbstractType<unknown>>[], transaction: Y.Transaction) => {
    if (transaction.local || !room.ready.get()) return
    gather(news, events)
    timer ??= setTimeout(tell, PAUSE)
  }
  let status = room.saving.get().status
  const onSaving = () => {
    const now = room.saving.get()
    if (now.status === status || now.status === 'saving') return
    status = now.status
    said.set(now.status === 'offline' ? t('save.offline') : t(`save.${now.status}`))
  }
  const nodes = nodesOf(room.doc)
  nodes.observeDeep(onChange)
  const stop = room.saving.subscribe(onSaving)
  return () => {
    clearTimeout(timer)
    nodes.unobserveDeep(onChange)
    stop()
  }
}
