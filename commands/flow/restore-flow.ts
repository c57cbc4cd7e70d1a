import type * as Y from 'yjs'
import { z } from 'zod'
import { nodesOf, scriptOf } from '#domain/flow/document.ts'
import { exportFlow } from '#domain/flow/export-flow.ts'
import { patchBlocks } from '#domain/flow/patch-flow.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Attempt } from '../attempt.ts'
import { foundLive } from '../found.ts'
import { parse } from '../parse.ts'
import { changeFlow } from './flow-change.ts'
import { entityHasScript, patchWhole } from './patch-whole.ts'

const bodySchema = z.strictObject({
  revision: z.int().min(1),
  blocks: z.array(z.string().max(1000)).max(10_000).optional(),
})

/** Brings a flow, or chosen blocks of it with their links, back as they stood at a revision: one change in place. */
export const restoreFlow: Attempt = async (tools, run) => {
  const target = await foundLive(tools, run)
  if (!target.ok) return target
  const body = parse(bodySchema, run.command.input)
  if (!body.ok) return body
  const { revision, blocks } = bodySchema.parse(body.value)
  const { id } = target.value.state
  const present = await tools.flows.revision(id)
  if (revision > present) {
    return refused('validation.failed', { errors: [{ path: 'revision', code: 'toolarge', params: { max: present } }] })
  }
  const past = await tools.flows.at(id, revision)
  if (past === undefined) return refused('entity.notfound')
  const file = exportFlow(past)
  const script = scriptOf(past).toString()
  past.destroy()
  if (blocks !== undefined) {
    const missing = await neverThere(tools.flows.load(id), file, blocks)
    if (missing.length > 0) return refused('validation.failed', { errors: missing })
  }
  const mutate = (doc: Y.Doc) => {
    if (blocks !== undefined) patchBlocks(doc, file, blocks, 'restore')
    else patchWhole(doc, file, entityHasScript(run.entity.name) ? script : undefined, 'restore')
  }
  const changed = await changeFlow(tools.flows, id, run.author, mutate, { kind: 'restore', revision })
  return accepted({ id, ...changed })
}

const neverThere = async (loading: Promise<{ doc: Y.Doc }>, file: FlowFile, blocks: readonly string[]) => {
  const { doc } = await loading
  const known = (id: string) => Object.hasOwn(file.operators, id) || nodesOf(doc).has(id)
  const errors = blocks.flatMap((id, index) =>
    known(id) ? [] : [{ path: `blocks.${index}`, code: 'reference' as const }],
  )
  doc.destroy()
  return errors
}
