import { expect, test, vi } from 'vitest'
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate, removeAwarenessStates } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { sendOwnAwareness } from './presence.ts'

const given = () => {
  const awareness = new Awareness(new Y.Doc())
  const send = vi.fn()
  awareness.on('update', send)
  sendOwnAwareness({ awareness, _awarenessUpdateHandler: send })
  const other = new Awareness(new Y.Doc())
  const hear = (clients: number[]) => applyAwarenessUpdate(awareness, encodeAwarenessUpdate(other, clients), 'server')
  return { awareness, other, send, hear }
}
const NONE = { added: [], updated: [], removed: [] }

test('applies states of others without sending them', () => {
  const { awareness, other, send, hear } = given()
  send.mockClear()
  other.setLocalState({ cursor: { x: 1, y: 2 } })
  hear([other.clientID])
  expect(awareness.getStates().get(other.clientID)).toEqual({ cursor: { x: 1, y: 2 } })
  expect(send).not.toHaveBeenCalled()
})

test('sends its own state and its removal, and answers claims by others about it', () => {
  const { awareness, other, send, hear } = given()
  awareness.setLocalState({ cursor: { x: 5, y: 5 } })
  expect(send).toHaveBeenLastCalledWith({ ...NONE, updated: [awareness.clientID] }, 'local')
  // when a peer reports it as removed
  applyAwarenessUpdate(other, encodeAwarenessUpdate(awareness, [awareness.clientID]), 'server')
  removeAwarenessStates(other, [awareness.clientID], 'timeout')
  send.mockClear()
  hear([awareness.clientID])
  expect(send).toHaveBeenCalledOnce()
  awareness.setLocalState(null)
  expect(send).toHaveBeenLastCalledWith({ ...NONE, removed: [awareness.clientID] }, 'local')
})
