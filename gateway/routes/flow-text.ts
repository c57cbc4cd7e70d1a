import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { FlowsAsked } from '#commands/flow/flow-reader.ts'
import {
  flowCallersQuery,
  flowCallersSchema,
  flowErrorsSchema,
  flowFindQuery,
  flowHitsSchema,
  flowReplacementBody,
  flowsRewrittenSchema,
  flowUsesQuery,
  nothingQuery,
  unusedVariablesSchema,
  variableRenamingBody,
} from '#schemas/api/flow-text.ts'
import { idParam } from '#schemas/api/write.ts'
import { commandBody } from '../http/pipeline.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { runCommand, sessionOf } from './command.ts'

interface Id {
  readonly id: string
}

/** Texts in the flows of a bot: finds uses and texts, and changes them in all flows. */
export const addFlowText = (app: FastifyInstance, parts: Parts): void => {
  addReads(app, parts)
  addWrites(app, parts)
}

function addReads(app: FastifyInstance, { read, commands }: Parts): void {
  const config = { permission: 'readbot' }
  const tags = ['bot']

  /** The flows of the bot that the caller may read; undefined, and answered, where there is no such bot for them. */
  const askedOf = async (request: FastifyRequest, reply: FastifyReply): Promise<FlowsAsked | undefined> => {
    const { scope, caller } = sessionOf(request)
    const { id } = request.params as Id
    if ((await read.detail(scope, 'bot', id)) !== undefined) {
      return { bot: id, may: kind => caller.permits(`read${kind}`) }
    }
    refuse(reply, { code: 'entity.notfound' })
    return undefined
  }

  const ask = <Q extends z.ZodType>(
    path: `/bot/:id/flow/${string}`,
    querystring: Q,
    response: z.ZodType,
    answer: (asked: FlowsAsked, query: z.output<Q>, request: FastifyRequest) => Promise<unknown>,
  ) => {
    const schema = { tags, params: idParam, querystring, response: { 200: response } }
    app.get(path, { config, schema }, async (request, reply) => {
      const asked = await askedOf(request, reply)
      return asked === undefined ? reply : answer(asked, request.query as z.output<Q>, request)
    })
  }

  ask('/bot/:id/flow/uses', flowUsesQuery, flowHitsSchema, (asked, { of, value }) =>
    commands.usesInFlows(asked, of === 'variable' ? { variable: value } : { to: of, id: value }),
  )
  ask('/bot/:id/flow/find', flowFindQuery, flowHitsSchema, (asked, { text, exact, word, dialogtask }) =>
    commands.findInFlows({ ...asked, dialogtask }, { text, isExact: exact, isWholeWord: word }),
  )
  ask('/bot/:id/flow/callers', flowCallersQuery, flowCallersSchema, async (asked, { dialog }) => ({
    items: await commands.callersOf(asked, dialog),
  }))
  ask('/bot/:id/flow/errors', nothingQuery, flowErrorsSchema, (asked, _query, request) =>
    commands.errorsInFlows(asked, sessionOf(request).caller),
  )
  ask('/bot/:id/flow/unused', nothingQuery, unusedVariablesSchema, async (asked, _query, request) => {
    // Of variables they may not read, nobody learns the names.
    const isShown = sessionOf(request).caller.permits('readvariable')
    return { items: isShown ? await commands.unusedVariables(asked) : [] }
  })
}

const WRITES = [
  { path: 'rename', action: 'renamevariable', body: variableRenamingBody },
  { path: 'replace', action: 'replacetext', body: flowReplacementBody },
] as const

function addWrites(app: FastifyInstance, parts: Parts): void {
  for (const { path, action, body } of WRITES) {
    app.post<{ Params: Id }>(
      `/bot/:id/flow/${path}`,
      {
        config: { permission: 'updatebot' },
        schema: { tags: ['bot'], params: idParam, body: commandBody(body), response: { 200: flowsRewrittenSchema } },
      },
      async (request, reply) => {
        const done = await runCommand(parts, request, reply, { entity: 'bot', action, id: request.params.id })
        return done === undefined ? reply : { revision: done.revision, ...done.result }
      },
    )
  }
}
