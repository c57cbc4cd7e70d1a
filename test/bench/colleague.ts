import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import { nodesOf, openFlow } from '#domain/flow/document/document.ts'
import { moveNodes } from '#domain/flow/document/edit.ts'
import { readNode } from '#domain/flow/document/read-flow.ts'
import type { Client, Parley } from '../api/harness.ts'

/** Between two moves: twenty a second. */
const MOVE_MS = 50
/** Moves until the block is put down and taken up again. */
const CARRIED = 20

/** Another user in a room who drags a block, with the designer's messages, and drops it after so many moves, each second. */
export const colleague = async (
  { origin }: Parley,
  { token }: Client,
  dialog: string,
  block: string,
  moves: number = CARRIED,
): Promise<{ readonly leave: () => Promise<void> }> => {
  const doc = openFlow(new Y.Doc())
  class Socket extends WebSocket {
    constructor(url: string | URL) {
      super(url, { headers: { authorization: `Bearer ${token}` } })
    }
  }
  const url = `${origin.replace('http', 'ws')}/botadmin/realtime`
  const WebSocketPolyfill = Socket as unknown as typeof globalThis.WebSocket
  const provider = new WebsocketProvider(url, `dialog-${dialog}`, doc, { WebSocketPolyfill, disableBc: true })
  await new Promise<void>(resolve => provider.on('sync', synced => synced && resolve()))
  if (!nodesOf(doc).has(block)) throw new Error(`the flow has no ${block}`)
  const user = { id: 'bench', name: 'Bench' }
  const stay = new AbortController()
  const work = async () => {
    for (let move = 0; !stay.signal.aborted; move++) {
      const turn = (move / CARRIED) * 2 * Math.PI
      const [dx, dy] = [Math.round(120 * Math.sin(turn)), Math.round(60 * (1 - Math.cos(turn)))]
      const { x = 0, y = 0 } = readNode(doc, block) ?? {}
      const isDown = move % moves === moves - 1
      if (isDown) moveNodes(doc, new Map([[block, { x: x + (move % (2 * CARRIED) < CARRIED ? 20 : -20), y }]]), 'bench')
      const drag = isDown ? {} : { drag: { ids: [block], dx, dy } }
      const cursor = { x: x + dx + 60, y: y + dy + 20 }
      provider.awareness.setLocalState({ user, cursor, selection: [block], ...drag })
      await pause(MOVE_MS)
    }
  }
  const working = work()
  return {
    leave: async () => {
      stay.abort()
      await working
      provider.destroy()
      doc.destroy()
    },
  }
}
