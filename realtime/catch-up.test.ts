import { describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import type { FlowEvent } from '#commands/flow/flow-log.ts'
import type { LoggedEdit } from '#commands/flow/logged-edit.ts'
import { CatchUp } from './catch-up.ts'
import { EditWriter } from './persist-edits.ts'

/** A flow whose log holds `edits`, and what came of them in the room. */
const open = (edits: LoggedEdit[], own: readonly string[] = []) => {
  const journal = new EditWriter(
    'd1',
    { append: vi.fn() },
    { revision: 0, hash: '' },
    {
      overtaken: async () => {},
      durable: () => {},
      failed: () => {},
    },
  )
  journal.isOwn = id => own.includes(id)
  const taken: number[] = []
  const listener = { edit: ({ revision }: LoggedEdit) => taken.push(revision), gap: vi.fn(), failed: vi.fn() }
  const reads: number[] = []
  const others = new CatchUp({
    flow: 'd1',
    complete: 0,
    journal,
    listener,
    log: {
      async *since(_flow, revision) {
        reads.push(revision)
        yield* edits.filter(edit => edit.revision > revision)
      },
    },
  })
  return { others, journal, taken, reads, listener }
}
const edit = (revision: number, id = `e${revision}`): LoggedEdit => ({
  revision,
  hash: `h${revision}`,
  update: Y.encodeStateAsUpdate(new Y.Doc()),
  bindings: [],
  eventIds: [id],
})
const event = (of: LoggedEdit, isWhole = true): FlowEvent => ({
  id: of.eventIds[0] ?? '',
  revision: of.revision,
  hash: of.hash,
  edit: () => (isWhole ? of : undefined),
})
const settled = () => new Promise(resolve => setTimeout(resolve, 5))

describe('an edit appended by others', () => {
  test('is applied from its notification in order, without reading the log', () => {
    const { others, taken, reads, journal } = open([])
    others.told(event(edit(1)))
    others.hinted({ revision: 2, edit: edit(2) })
    others.told(event(edit(2)))
    expect(taken).toEqual([1, 2])
    expect(reads).toEqual([])
    expect(journal.head).toEqual({ revision: 2, hash: 'h2' })
  })

  test('is read from the log where something lies between, each edit once', async () => {
    const { others, taken, listener } = open([edit(1), edit(2), edit(3)])
    others.hinted({ revision: 3, edit: edit(3) })
    others.told(event(edit(1)))
    others.told(event(edit(2)))
    await settled()
    expect(taken).toEqual([1, 2, 3])
    expect(listener.gap).toHaveBeenCalledOnce()
  })

  test('is read when a hint comes without it', async () => {
    const { others, taken } = open([edit(1)])
    others.hinted({ revision: 1 })
    await settled()
    expect(taken).toEqual([1])
  })

  test('behind an own append whose answer is still to come is read when that has come', async () => {
    // Given an own edit at 1 that is in the log already, and another node's behind it
    const { others, journal, taken } = open([edit(1, 'own'), edit(2)], ['own'])
    others.told(event(edit(1, 'own')))
    others.told(event(edit(2)))
    await settled()
    expect(taken).toEqual([])
    // When the own append is answered
    journal.isOwn = () => false
    journal.head = { revision: 1, hash: 'h1' }
    others.stored()
    await settled()
    // Then nothing is missing
    expect(taken).toEqual([2])
  })

  test('is not skipped when announced during a log read', async () => {
    const edits = [edit(2)]
    const { others, taken } = open(edits)
    edits.unshift(edit(1))
    others.told(event(edit(2)))
    edits.push(edit(3))
    others.told(event(edit(3), false))
    await settled()
    expect(taken).toEqual([1, 2, 3])
  })

  test('in pieces counts when all of them are there', async () => {
    // Given the first piece of two
    const cut: LoggedEdit = { ...edit(1), eventIds: [], isCut: true }
    const edits = [cut]
    const { others, taken, journal } = open(edits)
    others.told(event(edit(1), false))
    await settled()
    expect(taken).toEqual([])
    expect(journal.head.revision).toBe(1)
    // When the second comes
    edits.splice(0, 1, edit(2))
    others.told(event(edit(2), false))
    await settled()
    // Then the whole edit is there
    expect(taken).toEqual([2])
    expect(journal.head.revision).toBe(2)
  })

  test('and pieces that were given up are passed over', async () => {
    const { others, taken, reads } = open([{ ...edit(1), eventIds: [], isCut: true }])
    others.told(event(edit(1), false))
    await settled()
    others.told(event(edit(2)))
    expect(taken).toEqual([2])
    expect(reads).toEqual([0])
  })

  test('must match its hint; otherwise the room is rebuilt from the log', () => {
    const { others, listener } = open([])
    others.hinted({ revision: 1, edit: { ...edit(1), hash: 'another' } })
    others.told(event(edit(1)))
    expect(listener.failed).toHaveBeenCalledOnce()
  })
})
