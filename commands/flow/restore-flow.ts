import type * as Y from 'yjs'
import { z } from 'zod'
import { nodesOf, scriptOf } from '#domain/flow/document.ts'
import { exportFlow } from '#domain/flow/export-flow.ts'
import { own, record } from '#domain/flow/json.ts'
import { patchBlocks } from '#domain/flow/patch-flow.ts'
import { withFields } from '#domain/flow/with-fields.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { FlowFile, FlowOperator } from '#schemas/flow/file.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Attempt } from '../attempt.ts'
import { foundLive } from '../found.ts'
import { parse } from '../parse.ts'
import { changeFlow } from './flow-change.ts'
import { entityHasScript, patchWhole } from './patch-whole.ts'

const bodySchema = z.strictObject({
  revision: z.int().min(1),
  blocks: z.array(z.string().max(1000)).max(10_000).optional(),
  fields: z.array(z.string().max(10_000)).min(1).max(10_000).optional(),
})

/**
 * Brings a flow, chosen blocks of it with their links, or chosen fields of those blocks, back as they stood at a
 * revision: one change in place.
 */
export const restoreFlow: Attempt = async (tools, run) => {
  const target = await foundLive(tools, run)
  if (!target.ok) return target
  const body = parse(bodySchema, run.command.input)
  if (!body.ok) return body
  const { revision, blocks, fields } = bodySchema.parse(body.value)
  if (fields !== undefined && blocks === undefined) {
    return refused('validation.failed', { errors: [{ path: 'blocks', code: 'required' }] })
  }
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
    const missing = await missingFrom(tools.flows.load(id), file, blocks, fields !== undefined)
    if (missing.length > 0) return refused('validation.failed', { errors: missing })
  }
  const mutate = (doc: Y.Doc) => {
    if (blocks !== undefined && fields !== undefined) patchFields(doc, file, blocks, fields)
    else if (blocks !== undefined) patchBlocks(doc, file, blocks, 'restore')
    else patchWhole(doc, file, entityHasScript(run.entity.name) ? script : undefined, 'restore')
  }
  const changed = await changeFlow(tools.flows, id, run.author, mutate, { kind: 'restore', revision })
  return accepted({ id, ...changed })
}

/** The blocks as they are now, with these fields as the file has them. */
const patchFields = (doc: Y.Doc, file: FlowFile, blocks: readonly string[], fields: readonly string[]): void => {
  const now = exportFlow(doc)
  const operators = blocks.flatMap((id): [string, FlowOperator][] => {
    const held = own(now.operators, id)
    const wanted = own(file.operators, id)
    if (held === undefined || wanted === undefined) return []
    return [[id, withFields(held as JsonObject, wanted as JsonObject, fields) as FlowOperator]]
  })
  const chosen = operators.map(([id]) => id)
  patchBlocks(doc, { ...now, operators: record(operators) }, chosen, 'restore')
}

/** Blocks that neither the file nor the flow has; fields need the block in both. */
const missingFrom = async (
  loading: Promise<{ doc: Y.Doc }>,
  file: FlowFile,
  blocks: readonly string[],
  inBoth: boolean,
) => {
  const { doc } = await loading
  const then = (id: string) => Object.hasOwn(file.operators, id)
  const now = (id: string) => nodesOf(doc).has(id)
  const errors = blocks.flatMap((id, index) =>
    (inBoth ? then(id) && now(id) : then(id) || now(id))
      ? []
      : [{ path: `blocks.${index}`, code: 'reference' as const }],
  )
  doc.destroy()
  return errors
}
