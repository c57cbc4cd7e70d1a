import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { releaseNumber } from '#commands/release/make-release.ts'
import { allRows } from '#projections/all-rows.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { openCompiledFlows } from '#runtime/conversation/effect/compiled-flows.ts'
import { replayedTest } from '#runtime/simulation/kept-test/replayed-test.ts'
import { keptTestBody } from '#schemas/api/conversation-test.ts'
import { simulationTestFile } from '#schemas/api/simulation.ts'
import { idParam } from '#schemas/api/write.ts'
import type { Flows } from '../flow/flows.ts'
import { type ConversationParts, findConversation, recordReading } from './conversation.ts'

const tags = ['conversation']

/** POST /conversation/{id}/test: the transcript as a test file, for callers who may read it. */
export const addKeptTest = (app: FastifyInstance, given: ConversationParts, flows: Flows): void => {
  const { read, store } = given.parts
  const compiled = openCompiledFlows(flows.log, read)
  app.post<{ Params: { id: string }; Body: z.output<typeof keptTestBody> }>(
    '/conversation/:id/test',
    {
      config: { permission: 'readconversation', effect: 'reads' },
      schema: { tags, params: idParam, body: keptTestBody, response: { 200: simulationTestFile } },
    },
    async (request, reply) => {
      const found = await findConversation(given, request, reply)
      if (found === undefined) return reply
      const { id, bot, release: number, channeltype: channel } = found.record
      const reading = { verb: 'exported', conversation: id, bot, level: found.level, part: 'test' } as const
      await recordReading(given.parts, request, reading)
      const turns = await found.records.replay(id, true)
      const release = await compiled.at((await releaseNumber(store, bot, number))?.dialogs ?? {}, [])
      const tasks = await allRows(read, SYSTEM_SCOPE, 'dialogtask', { bot })
      const names = new Map(tasks.map(task => [task.id, String(task.name ?? '')]))
      const held = await read.detail(SYSTEM_SCOPE, 'bot', bot)
      const asked = { nlu: held?.nluenabled === true, brain: held?.brainenabled === true }
      return { file: replayedTest({ name: request.body.name, channel, turns, release, tasks: names, ...asked }) }
    },
  )
}
