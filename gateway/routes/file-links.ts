import type { FastifyInstance } from 'fastify'
import { fileLinksSchema } from '#schemas/api/cloud-file.ts'
import { idParam } from '#schemas/api/write.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

/** Bots whose flows are looked through for one question. */
const MAX_BOTS = 50
const MAX_FIELDS = 200
const TIMEOUT_MS = 3000
/** Characters of a longer name: `logo` is no link within `logo.png`. A full stop before a space ends a sentence. */
const NAME_GOES_ON = /^[.(-]*[\w%]/u

const holds = (value: string, text: string): boolean => {
  for (let at = value.indexOf(text); at !== -1; at = value.indexOf(text, at + 1))
    if (!NAME_GOES_ON.test(value.slice(at + text.length))) return true
  return false
}

/** GET /cloudfile/{id}/links: the flows whose blocks, and the things whose fields, hold the address of a file. */
export const addFileLinks = (app: FastifyInstance, { read, commands }: Parts): void => {
  app.get<{ Params: { id: string } }>(
    '/cloudfile/:id/links',
    {
      config: { permission: 'readcloudfile' },
      schema: { tags: ['cloudfile'], params: idParam, response: { 200: fileLinksSchema } },
    },
    async (request, reply) => {
      const { scope, caller } = sessionOf(request)
      const row = await read.detail(scope, 'cloudfile', request.params.id)
      if (row === undefined) return refuse(reply, { code: 'entity.notfound' })
      const text = `/botadmin/files/${String(row.address)}`
      const bots = await read.list(scope, 'bot', { page: 1, size: MAX_BOTS, filter: {} })
      const items: object[] = []
      const end = performance.now() + TIMEOUT_MS
      let complete = bots.total <= MAX_BOTS
      for (const bot of bots.items) {
        if (performance.now() > end) {
          complete = false
          break
        }
        const asked = { bot: bot.id, may: (kind: 'dialog' | 'handler') => caller.permits(`read${kind}`) }
        const found = await commands.findInFlows(asked, { text, isExact: true, isWholeWord: false })
        if (found.unfinished !== undefined) complete = false
        for (const { kind, id, name, hits } of found.items) {
          const hit = hits.find(({ after }) => !NAME_GOES_ON.test(after))
          if (hit !== undefined) items.push({ entity: kind, id, title: name, bot: String(bot.name), block: hit.block })
        }
      }
      const fields = await read.fieldsWithText(scope, text, MAX_FIELDS)
      for (const { entity, id, title, field, value } of fields) {
        if (entity === 'cloudfile' || !holds(value, text)) continue
        items.push({ entity, id, title, bot: '', block: '', field })
      }
      return { items, complete: complete && fields.length < MAX_FIELDS }
    },
  )
}
