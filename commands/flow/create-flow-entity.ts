import type * as Y from 'yjs'
import { nodesOf } from '#domain/flow/document/document.ts'
import { addNode } from '#domain/flow/document/edit.ts'
import { GENERIC } from '../generic/entity-commands.ts'
import { derivedId } from '../pipeline/append.ts'
import type { Attempt } from '../pipeline/command-context.ts'
import { changeFlow } from './flow-change.ts'

const AT = { x: 400, y: 80 }

/** Makes a dialog or a handler, whose flow then begins with a start block. */
export const createEntityWithFlow: Attempt = async (context, run) => {
  const made = await GENERIC.create.attempt(context, run)
  if (!made.ok) return made
  const start = derivedId(run.author.seed, 'start')
  const begun = await changeFlow(context.flows, made.value.id, run.author, doc => {
    if (nodesOf(doc).size === 0) begin(doc, start)
  })
  return { ok: true, value: { ...made.value, position: begun.position ?? made.value.position ?? '' } }
}

const begin = (doc: Y.Doc, id: string) => addNode(doc, { id, type: 'start', title: 'start', ...AT }, 'begin')
