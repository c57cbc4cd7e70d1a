import { z } from 'zod'
import { parseFlowFile } from '#domain/flow/parse-flow-file.ts'
import { patchFlow } from '#domain/flow/patch-flow.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, FIELD_ERROR_CODES, type FieldError, type FieldErrorCode, refused } from '#schemas/refusal.ts'
import type { Attempt } from '../attempt.ts'
import { foundLive } from '../found.ts'
import { parse } from '../parse.ts'
import { changeFlow } from './flow-change.ts'

const bodySchema = z.strictObject({ flow: z.unknown() })

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
  const changed = await changeFlow(tools.flows, id, run.author, doc => patchFlow(doc, file, 'import'), {
    kind: 'import',
  })
  return accepted({ id, ...changed, result: { unknown: [...unknown] } satisfies JsonObject })
}

/** A fault of a flow file as a line of `errors[]`. */
export const flowError = ({ path, code }: { path: string; code: string }): FieldError => ({ path, code: codeOf(code) })

const codeOf = (code: string): FieldErrorCode => FIELD_ERROR_CODES.find(known => known === code) ?? 'format'
