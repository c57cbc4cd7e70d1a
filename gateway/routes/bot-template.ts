import type { FastifyInstance } from 'fastify'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { accepted } from '#schemas/refusal.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { runWrite, sessionOf } from './command.ts'

/** Whole bots to begin from. */
export const addBotTemplates = (app: FastifyInstance, parts: Parts): void => {
  handle(app, 'GET /bottemplate', { permission: 'createbot' }, async request => {
    const { BOT_TEMPLATES } = await import('#runtime/bottemplate/bot-templates.ts')
    const items = BOT_TEMPLATES.map(({ key, write }) => {
      const { name, description, segment, sketch, tests } = write(request.language)
      const blocks = sketch.reduce((sum, { pieces }) => sum + pieces.length, 0)
      return { key, name, description, segment, blocks, tests: tests.length }
    })
    return { items }
  })

  handle(app, 'POST /bottemplate/{key}', { permission: 'createbot' }, async (request, reply) => {
    const { createFromTemplate } = await import('#runtime/bottemplate/create-from-template.ts')
    const { name, hierarchylevel } = request.body
    const level = hierarchylevel ?? sessionOf(request).access.level
    const made = await runWrite(parts, request, reply, async (seed, caller) => {
      const of = { key: request.params.key, language: request.language, name, level, caller, seed }
      const bot = await createFromTemplate({ ...parts, ...of })
      return bot.ok ? accepted({ result: { ...bot.value } }) : bot
    })
    return made === undefined ? reply : (made as AnswerOf<'POST /bottemplate/{key}'>)
  })
}
