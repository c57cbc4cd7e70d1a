import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { addNode, removeNodes } from '#domain/flow/document/edit.ts'
import { NOTHING, type Selection } from '../canvas/canvas-context.ts'
import { createStore } from '../model/store.ts'
import type { Notice } from '../session/designer.ts'
import { announceRemoteRemoval } from './announce-remote-edits.ts'

class Field extends EventTarget {
  closest(): Field {
    return this
  }
}

/** Whether a key that is typed on the page reaches what listens there. */
const reaches = (key: string): boolean => {
  const event = new Event('keydown', { cancelable: true })
  document.dispatchEvent(Object.assign(event, { key, ctrlKey: false, metaKey: false, altKey: false }))
  return !event.defaultPrevented
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('HTMLElement', Field)
  vi.stubGlobal('requestAnimationFrame', () => 0)
  vi.stubGlobal('document', Object.assign(new EventTarget(), { activeElement: new Field() }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const opened = () => {
  const doc = new Y.Doc()
  for (const id of ['ask', 'say']) addNode(doc, { id, type: 'text', title: '', x: 0, y: 0 }, 'own')
  const colleague = new Y.Doc()
  Y.applyUpdate(colleague, Y.encodeStateAsUpdate(doc))
  const selection = createStore<Selection>(NOTHING)
  const notice = createStore<Notice | undefined>(undefined)
  const people = createStore([{ name: 'Marina Duarte' }])
  const room = { doc, ready: createStore(true), peers: { people } }
  const words = (key: string, values = {}) => `${key} ${JSON.stringify(values)}`
  announceRemoteRemoval({ room, canvas: { selection }, said: createStore(''), notice }, words, () => {})
  const removedByColleague = (id: string) => {
    removeNodes(colleague, [id], 'theirs')
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(colleague), 'room')
  }
  return { doc, selection, notice, removedByColleague }
}

test('reports a selected block that a colleague removes, and runs no command for the next keys', () => {
  const { selection, notice, removedByColleague } = opened()
  selection.set({ blocks: new Set(['ask']), links: new Set() })
  removedByColleague('say')
  expect(notice.get()).toBeUndefined()
  expect(reaches('a')).toBe(true)
  removedByColleague('ask')
  expect(notice.get()?.text).toBe('said.lost {"count":1,"name":"Marina"}')
  expect(reaches('a')).toBe(false)
  vi.advanceTimersByTime(900)
  expect(reaches('Delete')).toBe(false)
  expect(reaches('Escape')).toBe(true)
  vi.advanceTimersByTime(1000)
  expect(reaches('a')).toBe(true)
})

test('reports no loss for own removals', () => {
  const { doc, selection, notice } = opened()
  selection.set({ blocks: new Set(['ask']), links: new Set() })
  removeNodes(doc, ['ask'], 'own')
  expect(notice.get()).toBeUndefined()
  expect(reaches('a')).toBe(true)
})
