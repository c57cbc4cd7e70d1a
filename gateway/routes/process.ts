import type { FastifyInstance } from 'fastify'
import { canUndo } from '#commands/process/bulk.ts'
import type { ProcessReport } from '#commands/process/process-report.ts'
import { processSchema, processStartedSchema, undoBody } from '#schemas/api/bulk.ts'
import { idParam } from '#schemas/api/write.ts'
import type { Language } from '#schemas/language.ts'
import { accepted } from '#schemas/refusal.ts'
import { commandBody } from '../http/pipeline.ts'
import type { Parts } from '../port.ts'
import { problemOf, refuse } from '../problem.ts'
import { callerOf, runWrite, SHOWN_WITHIN_MS } from './command.ts'

/** Refused rows that an answer names. */
const MAX_NAMED = 1000

/** Progress of a process, for its starter, and its undo. */
export const addProcess = (app: FastifyInstance, parts: Parts): void => {
  const tags = ['process']
  app.get<{ Params: { id: string } }>(
    '/process/:id',
    { schema: { tags, params: idParam, response: { 200: processSchema } } },
    async (request, reply) => {
      const report = await parts.commands.processReport(callerOf(request), request.params.id)
      if (report === undefined) return refuse(reply, { code: 'entity.notfound' })
      // The reads that follow show its writes.
      if (report.state !== 'running') {
        const head = await parts.store.head().catch(() => '')
        await parts.read.reached(head, SHOWN_WITHIN_MS)
      }
      return answerOf(report, request.language)
    },
  )

  app.post<{ Params: { id: string } }>(
    '/process/:id/undo',
    {
      schema: { tags, params: idParam, body: commandBody(undoBody), response: { 202: processStartedSchema } },
    },
    async (request, reply) => {
      const started = await runWrite(parts, request, reply, async (seed, caller) => {
        const undo = await parts.commands.startUndo({ caller, seed, correlation: request.id }, request.params.id)
        return undo.ok ? accepted({ result: { process: undo.value } }) : undo
      })
      return started === undefined ? reply : reply.code(202).send(started)
    },
  )
}

const answerOf = (report: ProcessReport, language: Language) => {
  const { state, entity, action, done, total, written, refused } = report
  return {
    state,
    entity,
    action,
    done,
    total,
    changed: written.length,
    refusals: refused.length,
    refused: refused.slice(0, MAX_NAMED).map(({ id, refusal }) => {
      const { code, detail, errors } = problemOf({ ...refusal, params: { entity, ...refusal.params } }, language)
      return { id, code, message: detail, ...(errors === undefined ? {} : { errors }) }
    }),
    undo: canUndo(report),
  }
}
