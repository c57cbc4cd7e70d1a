import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { isObject } from '#domain/flow/document/json.ts'
import { folded } from '#domain/fold-text.ts'
import { parseStatement } from '#domain/nlu/project-data.ts'
import { dismissedOf } from '#domain/nluproject.ts'
import { allRows } from '#projections/all-rows.ts'
import type { ReadModels, Scope } from '#projections/port.ts'
import type { Conversations } from '#runtime/port.ts'
import { unrecognizedSchema } from '#schemas/api/nlu.ts'
import { idParam } from '#schemas/api/write.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'
import { recordReading } from './conversation.ts'

/** Turns that are looked at, the newest. */
const MAX_TURNS = 500

const sameText = (text: string): string => folded(text).trim()

/** Names a line without its words. */
const lineName = (project: string, text: string): string => hash('sha256', `${project}\n${text}`)

/** Existing statements of the project. */
const statementsOf = async (read: ReadModels, scope: Scope, project: string): Promise<ReadonlySet<string>> => {
  const intents = await allRows(read, scope, 'intent', { nluproject: project })
  const lines = intents.flatMap(({ statements }) => (Array.isArray(statements) ? statements : []))
  return new Set(
    lines.flatMap(line => (isObject(line) ? [sameText(parseStatement(String(line.text ?? '')).text)] : [])),
  )
}

/** GET /nluproject/{id}/unrecognized: messages that its bots did not understand, to label from (NLU.md 5.15). */
export const addUnrecognized = (
  app: FastifyInstance,
  parts: Parts,
  conversations: Pick<Conversations, 'records'>,
): void => {
  const { read } = parts
  app.get<{ Params: { id: string } }>(
    '/nluproject/:id/unrecognized',
    {
      config: { permission: 'readconversation' },
      schema: { tags: ['nluproject'], params: idParam, response: { 200: unrecognizedSchema } },
    },
    async (request, reply) => {
      const { scope } = sessionOf(request)
      const project = await read.detail(scope, 'nluproject', request.params.id)
      if (project === undefined) return refuse(reply, { code: 'entity.notfound' })
      const bots = (await allRows(read, scope, 'bot', { nluproject: project.id })).map(({ id }) => id)
      const said = (await (await conversations.records())?.unrecognized(bots, MAX_TURNS)) ?? []
      if (said.length > 0) {
        const reading = { verb: 'listed', bot: null, level: project.hierarchylevel, part: 'unrecognized' } as const
        await recordReading(parts, request, reading)
      }
      const known = await statementsOf(read, scope, project.id)
      const dismissed = new Set(dismissedOf(project.dismissed))
      const texts = Map.groupBy(said, ({ text }) => sameText(text))
      const items = [...texts].flatMap(([text, [newest, ...older]]) => {
        if (newest === undefined || known.has(text)) return []
        const { input: _, time, ...turn } = newest
        const line = lineName(project.id, text)
        const facts = { line, dismissed: dismissed.has(line), count: 1 + older.length }
        return [{ ...turn, ...facts, time: new Date(time).toISOString() }]
      })
      return { items, more: said.length === MAX_TURNS }
    },
  )
}
