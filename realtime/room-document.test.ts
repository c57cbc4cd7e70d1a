import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { createFlow } from '#domain/flow/document/document.ts'
import { addNode, removeNodes } from '#domain/flow/document/edit.ts'
import { ids } from '#test/doubles/room-peer.ts'
import { RoomDocument } from './room-document.ts'

const draw = (doc: Y.Doc, id: string) => addNode(doc, { id, type: 'text', title: id, x: 0, y: 0 }, 'me')

describe("a room's document", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('is folded when nobody has used it for a while, and is the same when it is used again', () => {
    // Given a document that things were added to and removed from
    const drawn = createFlow()
    for (const id of ['n1', 'n2', 'n3']) draw(drawn, id)
    removeNodes(drawn, ['n2'], 'me')
    const before = Y.encodeStateAsUpdate(drawn)
    const document = new RoomDocument(drawn, 100)
    // When it is left alone
    vi.advanceTimersByTime(150)
    expect(document.folded).toBe(true)
    // Then it is whole again at its next use, for as long as it is used
    expect(ids(document.open)).toEqual(['n1', 'n3'])
    expect(Y.encodeStateAsUpdate(document.open)).toEqual(before)
    vi.advanceTimersByTime(80)
    draw(document.open, 'n4')
    vi.advanceTimersByTime(80)
    expect(document.folded).toBe(false)
    vi.advanceTimersByTime(80)
    expect(document.folded).toBe(true)
    expect(ids(document.open)).toEqual(['n1', 'n3', 'n4'])
    document.destroy()
  })

  test('that was replaced while it was folded is the new one', () => {
    const document = new RoomDocument(createFlow(), 100)
    vi.advanceTimersByTime(150)
    const other = createFlow()
    draw(other, 'n9')
    document.replace([Y.encodeStateAsUpdate(other)])
    expect(document.folded).toBe(true)
    draw(other, 'n10')
    document.take(Y.encodeStateAsUpdate(other))
    expect(document.folded).toBe(true)
    expect(ids(document.open)).toEqual(['n10', 'n9'])
    document.destroy()
    vi.advanceTimersByTime(150)
  })
})
