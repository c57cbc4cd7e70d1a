import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { toRecord } from '#domain/template/record.ts'
import { templateOf } from '#domain/template/template.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { syncChannelTemplates, syncTemplates } from '#runtime/campaign/template/sync-templates.ts'
import { openAccount, openGraph } from '#runtime/channel/shared/graph.ts'
import type { JsonObject } from '#schemas/event.ts'
import { fieldText } from '#schemas/json.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { callerOf, sessionOf } from './command.ts'

const timeOf = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) : 0)

/** A template in the form in which providers keep it. */
function addRecord(app: FastifyInstance, { read, commands }: Parts): void {
  handle(app, 'GET /template/{id}/record', { permission: 'readtemplate' }, async (request, reply) => {
    const { scope } = sessionOf(request)
    const row = await read.detail(scope, 'template', request.params.id)
    const account = row === undefined ? undefined : await openAccount(commands, String(row.metaaccount))
    if (row === undefined || account === undefined) return refuse(reply, { code: 'entity.notfound' })
    const fields: JsonObject = row
    const isFailed = row.submission === 'failed'
    return toRecord(templateOf(fields), {
      appId: fieldText(account.app, 'app_id'),
      id: row.id,
      externalId: fieldText(fields, 'external_id') || null,
      wabaId: fieldText(account.fields, 'waba_id'),
      createdOn: timeOf(row.created_at),
      modifiedOn: timeOf(row.modified_at),
      oldCategory: fieldText(fields, 'old_category').toUpperCase() || null,
      quality: fieldText(fields, 'quality') || 'UNKNOWN',
      status: isFailed ? 'FAILED' : fieldText(fields, 'status') || 'DRAFT',
      reason: fieldText(fields, isFailed ? 'submission_error' : 'reason') || null,
      priority: 1,
      vertical: '',
      namespace: '',
      mediaId: null,
      allowTemplateCategoryChange: row.allow_category_change === true,
    })
  })
}

/** Deletes a template at Meta; here it stays, as DELETED. */
function addWithdraw(app: FastifyInstance, parts: Parts): void {
  const graph = openGraph(parts.call, parts.settings.GRAPH_URL)
  handle(app, 'POST /template/{id}/withdraw', { permission: 'withdrawtemplate' }, async (request, reply) => {
    const { id } = request.params
    const row = await parts.read.detail(sessionOf(request).scope, 'template', id)
    const account = row === undefined ? undefined : await openAccount(parts.commands, String(row.metaaccount))
    const external = row === undefined ? '' : fieldText(row as JsonObject, 'external_id')
    if (row === undefined || account === undefined) return refuse(reply, { code: 'entity.notfound' })
    if (external === '') return refuse(reply, { code: 'template.delete' })
    const path = `/${fieldText(account.fields, 'waba_id')}/message_templates`
    const query = { hsm_id: external, name: String(row.templateName) }
    const answer = await graph.ask(account.credentials, { method: 'DELETE', path, query })
    if (!answer.ok) return refuse(reply, answer.refusal)
    const input = { time: new Date().toISOString(), status: 'DELETED' }
    const command = { entity: 'template', action: 'review', id, input, correlation: randomUUID() }
    const outcome = await parts.commands.execute({ ...command, caller: callerOf(request) })
    if (outcome.ok && outcome.position !== undefined) await parts.read.reached(outcome.position)
    return { success: true as const }
  })
}

/** Reads the templates of a channel from its provider. */
function addChannelSync(app: FastifyInstance, parts: Parts): void {
  handle(app, 'POST /channel/{id}/synctemplates', { permission: 'synctemplateschannel' }, async (request, reply) => {
    const { id } = request.params
    const row = await parts.read.detail(sessionOf(request).scope, 'channel', id)
    if (row === undefined) return refuse(reply, { code: 'entity.notfound' })
    const bot = await parts.read.detail(SYSTEM_SCOPE, 'bot', row.bot)
    const opened = await parts.senders.open({ metaaccount: '', channel: id })
    if (opened === undefined || bot === undefined) return refuse(reply, { code: 'template.unlisted' })
    const of = { of: { channel: id }, level: String(bot.hierarchylevel) }
    const synced = await syncChannelTemplates({ parts, ...of, caller: callerOf(request) }, opened.sender)
    if (!synced.ok) return refuse(reply, synced.refusal)
    await parts.read.reached(await parts.store.head())
    return { ...synced.value, skipped: [...synced.value.skipped] }
  })
}

/** Templates of an account as Meta has them. */
export const addTemplates = (app: FastifyInstance, parts: Parts): void => {
  addRecord(app, parts)
  addWithdraw(app, parts)
  addChannelSync(app, parts)
  const graph = openGraph(parts.call, parts.settings.GRAPH_URL)
  handle(
    app,
    'POST /metaaccount/{id}/synctemplates',
    { permission: 'synctemplatesmetaaccount' },
    async (request, reply) => {
      const { id } = request.params
      const isVisible = (await parts.read.detail(sessionOf(request).scope, 'metaaccount', id)) !== undefined
      const account = isVisible ? await openAccount(parts.commands, id) : undefined
      if (account === undefined) return refuse(reply, { code: 'entity.notfound' })
      const synced = await syncTemplates({ parts, graph, account, caller: callerOf(request) })
      if (!synced.ok) return refuse(reply, synced.refusal)
      await parts.read.reached(await parts.store.head())
      return { ...synced.value, skipped: [...synced.value.skipped] }
    },
  )
}
