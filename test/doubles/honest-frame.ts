import * as Y from 'yjs'
import { addLink, addNode, removeNodes, setTitle } from '#domain/flow/document/edit.ts'
import { awarenessFrame, step1Frame, step2Frame, updateFrame, writeAwareness } from '#realtime/wire.ts'

/** Frames as honest clients send them, of every kind. */
export const honestFrames = (): readonly Uint8Array[] => {
  const doc = new Y.Doc()
  const frames: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => frames.push(updateFrame(update)))
  for (let n = 0; n < 5; n++) addNode(doc, { id: `m${n}`, type: 'prompt', title: `m${n}`, x: 0, y: n * 100 }, 'm')
  setTitle(doc, 'm1', 'other', 'm')
  addLink(doc, { id: 'l', from: 'm0', fromConnector: 'output_1', to: 'm1', toConnector: 'input_1' }, 'm')
  removeNodes(doc, ['m2'], 'm')
  frames.push(step1Frame(Y.encodeStateVector(doc)), step2Frame(Y.encodeStateAsUpdate(doc)))
  frames.push(awarenessFrame(writeAwareness([{ client: 9, clock: 1, state: '{"cursor":{"x":1,"y":2}}' }])))
  return frames
}
