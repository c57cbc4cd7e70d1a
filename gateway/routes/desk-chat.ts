import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { templateMessage } from '#domain/campaign/message-body.ts'
import type { MessageTemplate } from '#domain/conversation/message.ts'
import {
  isRegisteredAt,
  isUsable,
  missingValues,
  neededVariables,
  type SendingChannel,
} from '#domain/template/sendable.ts'
import { templateOf } from '#domain/template/template.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { DeskRow } from '#runtime/agent/desk/desk-index.ts'
import type { DeskActor } from '#runtime/agent/desk/desk-work.ts'
import type { OwnDesk } from '#runtime/agent/desk/own-desk.ts'
import type { DeskWritten } from '#runtime/agent/desk/take-over.ts'
import type { DeskAct } from '#runtime/audit-recorder.ts'
import { attachmentOf, ownerOf } from '#runtime/conversation/engine/run-turn.ts'
import type { ConversationRecord } from '#runtime/port.ts'
import { DESK_LIMITS } from '#schemas/api/desk.ts'
import type { AnswerOf, RouteName } from '#schemas/api/routes.ts'
import type { JsonObject } from '#schemas/event.ts'
import { FILE_TYPES } from '#schemas/field/file-type.ts'
import { isObject, objectOf, optionalText, textOf } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import {
  auditAct,
  type DeskParts,
  deskOf,
  deskViewer,
  findChat,
  isBoss,
  MAX_REVEALS,
  mayReadChat,
  maySeeChat,
  REVEALED_MS,
} from '../desk/desk-access.ts'
import { deniedTypes, mayUseCanned } from '../desk/desk-detail.ts'
import { timeOf } from '../desk/desk-row.ts'
import { handle } from '../http/handle.ts'
import { refuse } from '../problem.ts'
import { runWrite } from './command.ts'

/** Messages of one agent within a minute. */
const MAX_WORDS = 60
const AGENT = { permission: 'answerconversation' } as const

type ChatRoute = Extract<RouteName, `POST /desk/chat/{id}/${string}`>
type ChatAct = (chat: {
  readonly desk: OwnDesk
  readonly conversation: string
  readonly by: DeskActor
  readonly body: JsonObject
  /** Whether the caller may read the words of the chat. */
  readonly mayRead: boolean
}) => Promise<Result<DeskWritten>>

interface ChatOptions {
  readonly permission: string
  /** The audit line where the chat is not the caller's. */
  readonly act?: DeskAct
  /** Written for every caller, not only for acts on chats of others. */
  readonly isAlwaysAudited?: boolean
}

/** A write to a chat that the caller may see, answered once the list shows it. */
const addChatAct = (
  app: FastifyInstance,
  given: DeskParts,
  name: ChatRoute,
  { permission, act, isAlwaysAudited = false }: ChatOptions,
  work: ChatAct,
): void => {
  const { parts } = given
  handle(app, name, { permission }, async (request, reply) => {
    const found = await findChat(given, request, reply)
    if (found === undefined) return reply
    const { desk, viewer, row, bot, queue } = found
    const mayRead = mayReadChat(viewer, row, queue, Date.now())
    const { conversation } = row
    const by = { user: viewer.user, isBoss: isBoss(viewer) }
    const body = request.body as JsonObject
    const done = await runWrite(parts, request, reply, async () => {
      const written = await work({ desk, conversation, by, body, mayRead })
      if (!written.ok) return written
      const isOther = row.holder !== viewer.user && row.holder !== null
      const fields = { conversation, bot: row.bot, ...auditFields(body) }
      const line = { level: bot.hierarchylevel, fields }
      const position =
        act !== undefined && (isAlwaysAudited || isOther)
          ? await auditAct(given, request, { type: act, ...line })
          : undefined
      return accepted({ ...(position === undefined ? {} : { position }), result: { ...written.value } })
    })
    if (done === undefined) return reply
    await desk.shown(conversation, Number(done.revision))
    return done as unknown as DeskWritten
  })
}

/** Fields of an audit line; none of them is a text of a message. */
const auditFields = ({ user, queue, priority, reason, template }: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries({ user, queue, priority, reason, template }).filter(([, value]) => value !== undefined),
  ) as JsonObject

/** Whether a file belongs to a canned answer that the caller may use for the bot of a chat. */
const isCannedFile = async (
  { parts: { read } }: DeskParts,
  desk: OwnDesk,
  row: DeskRow,
  user: string,
  file: string,
) => {
  const bot = await read.detail(SYSTEM_SCOPE, 'bot', row.bot)
  const levels = new Set(await desk.directory.levelsAbove(bot?.hierarchylevel ?? ''))
  for (const { entity, id } of (await read.fileHolders(SYSTEM_SCOPE, file)) ?? []) {
    const answer = entity === 'cannedanswer' ? await read.detail(SYSTEM_SCOPE, 'cannedanswer', id) : undefined
    if (answer !== undefined && mayUseCanned(answer, levels, user)) return true
  }
  return false
}

/** Files of a message: uploads of the caller or files of a canned answer, copied into the conversation. */
const filesFor = async (
  given: DeskParts,
  desk: OwnDesk,
  row: DeskRow,
  user: string,
  ids: readonly string[],
): Promise<Result<{ name: string; type: string; url: string }[]>> => {
  const { parts } = given
  const { storage, settings } = parts
  const { conversation } = row
  const denied = ids.length === 0 ? new Set<string>() : await deniedTypes({ given, row })
  const base = settings.BOT_ROUTER_URL ?? parts.publicUrl()
  const files: { name: string; type: string; url: string }[] = []
  for (const [place, id] of ids.entries()) {
    const wrong = refused('validation.failed', { errors: [{ path: `attachments.${place}`, code: 'reference' }] })
    const file = await storage.find(id)
    if (file === undefined || (file.owner !== user && !(await isCannedFile(given, desk, row, user, id)))) return wrong
    if (file.size > DESK_LIMITS.fileSize) {
      const params = { max: DESK_LIMITS.fileSize }
      return refused('validation.failed', { errors: [{ path: `attachments.${place}`, code: 'toolarge', params }] })
    }
    if (denied.has(file.type))
      return refused('validation.failed', { errors: [{ path: `attachments.${place}`, code: 'option' }] })
    const opened = await storage.open(id)
    if (opened === undefined || !(FILE_TYPES as readonly string[]).includes(file.type)) return wrong
    const received = await storage.receive({ content: opened.content, name: file.name, conversation })
    const stored = await received.store(file.type as (typeof FILE_TYPES)[number], ownerOf(conversation))
    await storage.keep(stored.id)
    const { name, contentType, contentUrl } = attachmentOf(stored, base)
    files.push({ name: textOf(name), type: textOf(contentType), url: textOf(contentUrl) })
  }
  return accepted(files)
}

const sendingChannel = async (
  read: DeskParts['parts']['read'],
  { channel }: Pick<DeskRow, 'channel'>,
): Promise<SendingChannel> => ({
  id: channel,
  metaaccount: textOf((await read.detail(SYSTEM_SCOPE, 'channel', channel))?.metaaccount),
})

/** Templates offered in a chat. */
const MAX_TEMPLATES = 200

/** Templates that may be sent on a channel now, by name. */
const templatesFor = async ({ parts: { read } }: DeskParts, row: Pick<DeskRow, 'channel'>) => {
  const { id, metaaccount } = await sendingChannel(read, row)
  const places = [{ channel: id }, ...(metaaccount === '' ? [] : [{ metaaccount }])]
  const pages = places.map(filter =>
    read.list(SYSTEM_SCOPE, 'template', { page: 1, size: MAX_TEMPLATES, sort: 'templateName', filter }),
  )
  const found = (await Promise.all(pages)).flatMap(({ items }) => items)
  return found.filter(isUsable).map(fields => {
    const variables = neededVariables(fields)
    const named = new Map(variables.map(name => [name, `{{${name}}}`]))
    const { text, buttons } = templateMessage(templateOf(fields), named)
    const { templateName, language, category } = fields
    return {
      id: fields.id,
      name: templateName,
      language,
      category,
      text,
      buttons: [...buttons],
      variables: [...variables],
    }
  })
}

/** The text of a template that may be sent in a chat, with its values. */
const templateText = async (
  { parts: { commands, read } }: DeskParts,
  row: Pick<DeskRow, 'channel'>,
  { id, values }: MessageTemplate,
): Promise<Result<string>> => {
  const wrong = (path: string, code: 'option' | 'reference' | 'required') =>
    refused('validation.failed', { errors: [{ path, code }] })
  const at = await sendingChannel(read, row)
  const fields = await commands.openFields('template', id)
  if (fields === undefined || !isRegisteredAt(fields, at)) return wrong('template', 'reference')
  if (!isUsable(fields)) return wrong('template', 'option')
  const [missing] = missingValues(fields, values)
  if (missing !== undefined) return wrong(`values.${missing}`, 'required')
  return accepted(templateMessage(templateOf(fields), new Map(Object.entries(values))).text)
}

const addWords = (app: FastifyInstance, given: DeskParts): void => {
  handle(app, 'GET /desk/chat/{id}/templates', AGENT, async (request, reply) => {
    const found = await findChat(given, request, reply)
    return found === undefined ? reply : { items: await templatesFor(given, found.row) }
  })
  const limit = given.parts.rates.add('desk message', MAX_WORDS)
  addFirstWords(app, given, limit)
  addReveal(app, given)
  addChatAct(app, given, 'POST /desk/chat/{id}/messages', AGENT, async ({ desk, conversation, by, body }) => {
    const wait = limit.take(by.user)
    if (wait !== undefined) return refused('request.toomany', { params: { retryAfter: wait } })
    const ids = Array.isArray(body.attachments) ? body.attachments.map(String) : []
    const row = desk.index.get(conversation)
    if (row === undefined) return refused('entity.notfound')
    const files = await filesFor(given, desk, row, by.user, ids)
    if (!files.ok) return files
    const words = { id: textOf(body.id), text: textOf(body.text), files: files.value, seen: textOf(body.seen) }
    return desk.work.say(conversation, by, words)
  })
  const sent = { ...AGENT, act: 'ConversationTemplateSent', isAlwaysAudited: true } as const
  addChatAct(app, given, 'POST /desk/chat/{id}/template', sent, async ({ desk, conversation, by, body }) => {
    const wait = limit.take(by.user)
    if (wait !== undefined) return refused('request.toomany', { params: { retryAfter: wait } })
    const row = desk.index.get(conversation)
    if (row === undefined) return refused('entity.notfound')
    const template = { id: textOf(body.template), values: objectOf(body.values) as Readonly<Record<string, string>> }
    const text = await templateText(given, row, template)
    if (!text.ok) return text
    const words = { id: textOf(body.id), text: text.value, files: [], seen: textOf(body.seen), template }
    return desk.work.say(conversation, by, words)
  })
  addChatAct(app, given, 'POST /desk/chat/{id}/note', AGENT, async ({ desk, conversation, by, body, mayRead }) => {
    if (!mayRead) return refused('access.forbidden')
    const text = textOf(body.text)
    if (text.trim() === '') return refused('validation.failed', { errors: [{ path: 'text', code: 'required' }] })
    return desk.work.note(conversation, by.user, textOf(body.id), text)
  })
  addChatAct(app, given, 'POST /desk/chat/{id}/typing', AGENT, async ({ desk, conversation, by, body }) => {
    const row = desk.index.get(conversation)
    const { name } = await desk.directory.profile(by.user)
    if (row?.holder === by.user) desk.news.type(conversation, { user: by.user, name }, body.on === true)
    return accepted({ revision: row?.revision ?? 0, position: '' })
  })
}

/** Opens what is hidden of a conversation to the caller for an hour: on its page, in its replay and at the desk. */
const addReveal = (app: FastifyInstance, given: DeskParts): void => {
  const { parts, conversations } = given
  const limit = parts.rates.add('reveal', MAX_REVEALS, REVEALED_MS)
  handle(app, 'POST /conversation/{id}/reveal', { permission: 'revealconversation' }, async (request, reply) => {
    const { id: conversation } = request.params
    const viewer = deskViewer(request)
    const record = (await conversations.records())?.get(conversation)
    const bot = record && (await parts.read.detail(viewer.scope, 'bot', record.bot))
    const desk = await conversations.desk?.()
    const row = desk?.index.get(conversation)
    const queue = row && (await desk?.directory.queue(row.queue))
    const isAtDesk = row !== undefined && maySeeChat(viewer, row, queue, Date.now())
    if (bot === undefined || !(isAtDesk || viewer.can('readbot'))) return refuse(reply, { code: 'entity.notfound' })
    const done = await runWrite(parts, request, reply, async () => {
      const wait = limit.take(viewer.user)
      if (wait !== undefined) return refused('request.toomany', { params: { retryAfter: wait } })
      const until = Date.now() + REVEALED_MS
      const fields = { conversation, bot: bot.id, reason: request.body.reason }
      const position = await auditAct(given, request, {
        type: 'ConversationRevealed',
        level: bot.hierarchylevel,
        fields,
      })
      // An open chat tells its agents as well, also of a reader from outside its queue.
      if (row !== undefined && row.status !== 'closed') await desk?.work.reveal(conversation, viewer.user, until)
      return accepted({ position, result: { revealed: timeOf(until) } })
    })
    return done === undefined ? reply : (done as unknown as AnswerOf<'POST /conversation/{id}/reveal'>)
  })
}

interface FirstWordsTarget {
  readonly desk: OwnDesk
  readonly by: DeskActor
  readonly record: ConversationRecord
  readonly level: string | null
}

/** A conversation to whose person the caller may write first; undefined after it was refused. */
const findFirst = async (
  given: DeskParts,
  request: FastifyRequest<{ Params: { readonly id: string } }>,
  reply: FastifyReply,
): Promise<FirstWordsTarget | undefined> => {
  const { parts, conversations } = given
  const viewer = deskViewer(request)
  const desk = await deskOf(given)
  const record = (await conversations.records())?.get(request.params.id)
  const bot = record && (await parts.read.detail(viewer.scope, 'bot', record.bot))
  if (record === undefined || bot === undefined) await refuse(reply, { code: 'entity.notfound' })
  else if (!desk.directory.agentsAt(bot.hierarchylevel ?? '').has(viewer.user))
    await refuse(reply, { code: 'access.forbidden' })
  else return { desk, by: { user: viewer.user, isBoss: isBoss(viewer) }, record, level: bot.hierarchylevel }
  return undefined
}

/** An agent writes first to the person of an ended conversation. */
const addFirstWords = (
  app: FastifyInstance,
  given: DeskParts,
  limit: ReturnType<typeof given.parts.rates.add>,
): void => {
  const { parts } = given
  const options = { permission: 'takeoverconversation' } as const
  handle(app, 'GET /conversation/{id}/write', options, async (request, reply) => {
    const target = await findFirst(given, request, reply)
    if (target === undefined) return reply
    const may = await target.desk.firstWords.may(target.record.id)
    if (!may.ok) return refuse(reply, may.refusal)
    const { newest, window } = may.value
    return {
      conversation: newest.kind === 'live' ? newest.held.id : null,
      window: window === undefined ? null : timeOf(window),
      templates: await templatesFor(given, target.record),
    }
  })
  handle(app, 'POST /conversation/{id}/write', options, async (request, reply) => {
    const target = await findFirst(given, request, reply)
    if (target === undefined) return reply
    const { desk, by, record, level } = target
    const { body } = request
    const done = await runWrite(parts, request, reply, async () => {
      const wait = limit.take(by.user)
      if (wait !== undefined) return refused('request.toomany', { params: { retryAfter: wait } })
      const template = 'template' in body ? { id: body.template, values: body.values } : undefined
      const text =
        template === undefined
          ? accepted(textOf((body as JsonObject).text))
          : await templateText(given, record, template)
      if (!text.ok) return text
      const words = {
        id: body.id,
        text: text.value,
        files: [],
        seen: '',
        ...(template === undefined ? {} : { template }),
      }
      const written = await desk.firstWords.write(record.id, by, words, body.queue)
      if (!written.ok) return written
      const { conversation } = written.value
      const sent = template === undefined ? {} : { template: template.id }
      const fields = { conversation, after: record.id, bot: record.bot, ...sent }
      const position = await auditAct(given, request, { type: 'ConversationBegun', level, fields })
      return accepted({ position, result: { ...written.value } })
    })
    if (done === undefined) return reply
    const { conversation, revision } = done as unknown as DeskWritten & { readonly conversation: string }
    await desk.held(conversation, by.user)
    await desk.shown(conversation, revision)
    return done as unknown as AnswerOf<'POST /conversation/{id}/write'>
  })
}

const untilOf = ({ until }: JsonObject): number | undefined =>
  typeof until === 'string' ? Date.parse(until) : undefined

const addWork = (app: FastifyInstance, given: DeskParts): void => {
  addChatAct(app, given, 'POST /desk/chat/{id}/take', AGENT, async ({ desk, conversation, by }) =>
    (await mayHold(given, desk, conversation, by.user))
      ? desk.work.take(conversation, by.user)
      : refused('access.forbidden'),
  )
  addChatAct(app, given, 'POST /desk/chat/{id}/snooze', AGENT, async ({ desk, conversation, by, body }) =>
    desk.work.snooze(conversation, by, untilOf(body)),
  )
  addChatAct(app, given, 'POST /desk/chat/{id}/wake', AGENT, async ({ desk, conversation, by }) =>
    desk.work.wake(conversation, 'agent', by),
  )
  addChatAct(
    app,
    given,
    'POST /desk/chat/{id}/transfer',
    { ...AGENT, act: 'ConversationTransferred' },
    async ({ desk, conversation, by, body }) => {
      const { user, queue, note } = body
      if (typeof user === 'string' && !(await mayHold(given, desk, conversation, user)))
        return refused('validation.failed', { errors: [{ path: 'user', code: 'reference' }] })
      const to = typeof user === 'string' ? { user } : { queue: textOf(queue) }
      return desk.work.transfer(conversation, to, typeof note === 'string' ? note : undefined, by)
    },
  )
  addChatAct(app, given, 'POST /desk/chat/{id}/decline', AGENT, async ({ desk, conversation, by, body }) =>
    desk.work.decline(conversation, by.user, optionalText(body.note)),
  )
  addChatAct(
    app,
    given,
    'POST /desk/chat/{id}/assign',
    { permission: 'assignconversation', act: 'ConversationAssigned', isAlwaysAudited: true },
    async ({ desk, conversation, by, body }) => {
      const user = typeof body.user === 'string' ? body.user : null
      if (user !== null && !(await mayHold(given, desk, conversation, user)))
        return refused('validation.failed', { errors: [{ path: 'user', code: 'reference' }] })
      return desk.work.assign(conversation, user, by)
    },
  )
  addChatAct(
    app,
    given,
    'POST /desk/chat/{id}/priority',
    { permission: 'assignconversation', act: 'ConversationPrioritized', isAlwaysAudited: true },
    async ({ desk, conversation, by, body }) => desk.work.prioritize(conversation, Number(body.priority), by),
  )
  addChatAct(app, given, 'POST /desk/chat/{id}/tags', AGENT, async ({ desk, conversation, by, body }) =>
    desk.work.tag(conversation, Array.isArray(body.tags) ? body.tags.map(String) : [], by),
  )
  addChatAct(
    app,
    given,
    'POST /desk/chat/{id}/close',
    { ...AGENT, act: 'ConversationClosed' },
    async ({ desk, conversation, by, body }) => {
      const { reason, note, csat } = body
      return desk.work.close(conversation, by, {
        ...(typeof csat === 'boolean' ? { csat } : {}),
        ...(typeof reason === 'string' ? { reason } : {}),
        ...(typeof note === 'string' ? { note } : {}),
        ...(isObject(body.return) ? { return: body.return as never } : {}),
      })
    },
  )
}

/** Whether a user may be given a chat: the bot is in their levels, and they may answer. */
const mayHold = async ({ parts }: DeskParts, desk: OwnDesk, conversation: string, user: string): Promise<boolean> => {
  const bot = await parts.read.detail(SYSTEM_SCOPE, 'bot', desk.index.get(conversation)?.bot ?? '')
  return bot !== undefined && desk.directory.agentsAt(bot.hierarchylevel ?? '').has(user)
}

/** Actions on visible chats. */
export const addDeskChat = (app: FastifyInstance, given: DeskParts): void => {
  addWords(app, given)
  addWork(app, given)
}
