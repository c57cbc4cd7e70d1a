import { z } from 'zod'
import { parseFlowFile } from '#domain/flow/parse-flow-file.ts'
import type { JsonObject } from '#schemas/event.ts'
import { DEEPEST_PROPERTY } from '#schemas/flow/nesting.ts'
import { accepted, FIELD_ERROR_CODES, type FieldError, type FieldErrorCode, refused } from '#schemas/refusal.ts'
import type { Attempt } from '../attempt.ts'
import { foundLive } from '../found.ts'
import { parse } from '../parse.ts'
import { changeFlow } from './flow-change.ts'
import { entityHasScript } from './patch-whole.ts'

const bodySchema = z.strictObject({ flow: z.unknown() })

/** A handler's file carries its code beside the flow; without it the code stays. */
const scriptSchema = z.object({ js: z.string().optional() })

/** Replaces a live flow by a file, in place and as one change. Input {flow}; answers {unknown: types[]} besides. */
export const importFlow: Attempt = async (tools, run) => {
  const target = await foundLive(tools, run)
  if (!target.ok) return target
  const body = parse(bodySchema, run.command.input)
  if (!body.ok) return body
  const parsed = parseFlowFile(run.command.input.flow)
  if (!parsed.ok) return refused('flow.format', { errors: parsed.errors.map(flowError) })
  const { id } = target.value.state
  const { file, unknown } = parsed
  const script = entityHasScript(run.entity.name) ? scriptSchema.safeParse(run.command.input.flow) : undefined
  if (script?.success === false) return refused('flow.format', { errors: [{ path: 'js', code: 'type' }] })
  const change = { kind: 'file', file, script: script?.data.js, origin: 'import' } as const
  const { isStale, ...changed } = await changeFlow(
    tools.flows,
    id,
    run.author,
    change,
    { kind: 'import' },
    run.command.only,
  )
  if (isStale) return refused('entity.revision')
  return accepted({ id, ...changed, result: { unknown: [...unknown] } satisfies JsonObject })
}

/** A fault of a flow file as a line of `errors[]`. */
export const flowError = ({ path, code }: { path: string; code: string }): FieldError =>
  code === 'depth' ? { path, code: 'toodeep', params: { max: DEEPEST_PROPERTY } } : { path, code: codeOf(code) }

const codeOf = (code: string): FieldErrorCode => FIELD_ERROR_CODES.find(known => known === code) ?? 'format'
