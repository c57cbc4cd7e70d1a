import type { ReturnTarget } from '#domain/conversation/state.ts'
import { searchCanned } from '#domain/desk/canned-search.ts'
import { fillCanned } from '#domain/desk/desk-text.ts'
import { mayReturnTo } from '#domain/desk/queue.ts'
import type { RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { type DeskQueue, queuesServing } from '#runtime/agent/desk/desk-directory.ts'
import type { DeskRow } from '#runtime/agent/desk/desk-index.ts'
import { colleaguesIn } from '#runtime/agent/desk/desk-notices.ts'
import type { OwnDesk } from '#runtime/agent/desk/own-desk.ts'
import { deliveriesOf } from '#runtime/channel/exchange/delivery-state.ts'
import type { FoldedConversation } from '#runtime/conversation/engine/folded-conversation.ts'
import type { ChatMessage } from '#runtime/port.ts'
import { DESK_LIMITS, type DeskCanned, type DeskChatDetail } from '#schemas/api/desk.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { FILE_TYPES } from '#schemas/field/file-type.ts'
import { isObject, textOf } from '#schemas/json.ts'
import { isRatingScale } from '#schemas/rating.ts'
import { type DeskParts, type DeskViewer, revealedUntil, seesNumber } from './desk-access.ts'
import { deskChatOf, isPhone, maskedId, optionsOf, personName, shownText, timeOf } from './desk-row.ts'

const MAX_MESSAGES = 200
const MAX_PATH = 12
const MAX_EARLIER = 20
const MAX_VALUE = 500
const DOTS = '••••••'
/** Blocks to which an agent may return a person. */
const TARGETS = new Set(['gotonodedest', 'marker'])

type Detail = DeskChatDetail

interface DetailInput {
  readonly given: DeskParts
  readonly desk: OwnDesk
  readonly viewer: DeskViewer
  readonly row: DeskRow
  readonly bot: RowOf<'bot'>
  readonly queue: DeskQueue | undefined
  readonly held: FoldedConversation
  readonly now: number
}

const numberIn = (value: unknown): number | undefined => {
  const number = typeof value === 'number' ? value : Number.parseFloat(textOf(value))
  return Number.isFinite(number) ? number : undefined
}

/** A place as name, address and a link to a map. */
const placeOf = ({ type, data, ...message }: ChatMessage): Detail['messages'][number]['place'] => {
  if (type !== 'location') return undefined
  const at = { ...message, ...(isObject(data) ? data : {}) }
  const [latitude, longitude] = [numberIn(at.latitude), numberIn(at.longitude)]
  if (latitude === undefined || longitude === undefined) return undefined
  const url = `https://www.google.com/maps/search/?api=1&query=${latitude},${longitude}`
  return { name: textOf(at.name) || textOf(at.title), address: textOf(at.address), latitude, longitude, url }
}

const attachmentsOf = ({ attachments, contentUrl, contentType, name }: ChatMessage) => {
  const listed = Array.isArray(attachments) ? attachments.filter(isObject) : []
  const own = { contentUrl, contentType, name } as JsonObject
  const all: readonly JsonObject[] = typeof contentUrl === 'string' ? [...listed, own] : listed
  return all.map(file => ({
    name: textOf(file.name),
    contentType: textOf(file.contentType),
    contentUrl: textOf(file.contentUrl),
    ...(typeof file.size === 'number' ? { size: file.size } : {}),
  }))
}

const STATUSES: ReadonlySet<string> = new Set(['sent', 'delivered', 'read', 'failed'])

/** Block that said a message, by the message's id. */
const blockOf = ({ held }: DetailInput, message: { readonly id: string }): string | undefined =>
  held.said.get(Number(message.id))?.block ?? undefined

const messagesOf = async (view: DetailInput, titles: ReadonlyMap<string, string>): Promise<Detail['messages']> => {
  const { given, row } = view
  const page = await given.conversations.newest(row.conversation, MAX_MESSAGES)
  const about = { id: row.conversation, channeltype: row.channeltype }
  const deliveryOf = await deliveriesOf(given.conversations.exchange, about)
  return (page?.messages ?? []).map(message => {
    const place = placeOf(message)
    const attachments = attachmentsOf(message)
    const options = optionsOf(message)
    const status = deliveryOf(message.id).delivery?.status ?? ''
    const block = titles.get(blockOf(view, message) ?? '')
    return {
      id: message.id,
      position: message.position,
      time: message.time,
      from: message.from,
      type: message.type,
      text: shownText(message),
      ...(typeof message.name === 'string' && message.from === 'agent' ? { name: message.name } : {}),
      ...(typeof message.avatar === 'string' ? { avatar: message.avatar } : {}),
      ...(attachments.length === 0 ? {} : { attachments }),
      ...(place === undefined ? {} : { place }),
      ...(options.length === 0 ? {} : { options: [...options] }),
      ...(STATUSES.has(status) ? { status: status as 'sent' } : {}),
      ...(block === undefined ? {} : { block }),
    }
  })
}

const notesOf = ({ desk, held }: DetailInput): Promise<Detail['notes']> =>
  Promise.all(
    held.desk.notes.map(async ({ id, time, user, text }) => {
      const { name, avatar } = await desk.directory.profile(user)
      return { id, time, user, name, ...(avatar === '' ? {} : { avatar }), text }
    }),
  )

/** Lists and objects as their members, never as JSON. */
const plainValue = (value: Json): string => {
  if (Array.isArray(value)) return value.map(plainValue).join(', ')
  if (!isObject(value)) return textOf(value) || String(value ?? '')
  return Object.entries(value)
    .map(([name, member]) => `${name}: ${plainValue(member)}`)
    .join(', ')
}

const valueText = (value: Json): string => plainValue(value).slice(0, MAX_VALUE)

/** Fields of the block, data of the person, and variables; masked answers as dots. */
const factsOf = ({ held, row }: DetailInput): Detail['facts'] => {
  const { state, agent } = held
  const fields = agent?.n === row.n ? agent.fields : {}
  const masked = new Set(state.masked)
  const entries = [...Object.entries(fields), ...Object.entries(state.userdata), ...Object.entries(state.variables)]
  const known = new Map(entries.filter(([, value]) => value !== null && value !== ''))
  return [...known].map(([name, value]) =>
    masked.has(name) ? { name, value: DOTS, masked: true } : { name, value: valueText(value), masked: false },
  )
}

const compiledOf = async ({ given, held }: DetailInput) =>
  given.parts.releases.compiled(held.bot, held.release).catch(() => undefined)

/** Titles of the blocks of the conversation's release; the type of a block without one. */
const titlesOf = async (view: DetailInput): Promise<ReadonlyMap<string, string>> => {
  const release = await compiledOf(view)
  return new Map(
    [...(release?.dialogs.values() ?? [])].flatMap(({ blocks }) =>
      [...blocks.values()].map(({ id, title, type }) => [id, title || type] as const),
    ),
  )
}

/** The last blocks that said something. */
const pathOf = (
  view: DetailInput,
  messages: Detail['messages'],
  titles: ReadonlyMap<string, string>,
): Detail['path'] => {
  const blocks = messages.map(message => blockOf(view, message))
  const entered = messages.flatMap(({ time }, place) => {
    const block = blocks[place]
    return block === undefined || blocks[place - 1] === block ? [] : [{ block, title: titles.get(block) ?? '', time }]
  })
  return entered.slice(-MAX_PATH)
}

/** Places to which the person can return, within those of the queue. */
const targetsOf = async (view: DetailInput): Promise<Detail['returntargets']> => {
  const { given, queue, bot } = view
  const allowed = queue?.return_targets ?? []
  const may = (target: ReturnTarget) => mayReturnTo(allowed, target)
  const [release, tasks] = await Promise.all([
    compiledOf(view),
    allRows(given.parts.read, SYSTEM_SCOPE, 'dialogtask', { bot: bot.id }),
  ])
  const released = tasks.filter(({ principaldialog: main }) => release?.dialogs.has(main ?? '') === true)
  const blocks = [...(release?.dialogs.values() ?? [])].flatMap(({ dialog, blocks: all }) =>
    [...all.values()].flatMap(({ id, type, title }) =>
      TARGETS.has(type) ? [{ kind: 'block' as const, dialog, block: id, name: title || type }] : [],
    ),
  )
  const flow = may({ kind: 'flow' }) ? [{ kind: 'flow' as const }] : []
  return [
    ...flow,
    ...released.map(({ id, name }) => ({ kind: 'task' as const, id, name })).filter(target => may(target)),
    ...blocks.filter(target => may(target)),
  ]
}

/** Queues at the level of the bot and above, and their members. */
const transferOf = async ({ desk, bot, queue: own, viewer, now }: DetailInput): Promise<Detail['transferto']> => {
  const { directory, index, presence } = desk
  const queues = await queuesServing(directory, bot.hierarchylevel ?? '')
  const agents = directory.agentsAt(bot.hierarchylevel ?? '')
  const members = new Set(queues.flatMap(({ members: all }) => all.map(({ user }) => user)))
  const users = [...members].filter(user => agents.has(user) && user !== viewer.user)
  return {
    accept: own?.accept_within ?? 0,
    queues: await Promise.all(
      queues.map(async queue => {
        const { isOpen: open, opens } = await directory.opening(queue, now)
        const available = queue.members.filter(
          ({ user }) => agents.has(user) && index.place(user)?.state === 'available' && presence.isPresent(user),
        ).length
        const waiting = index.waitingIn(queue.id).length
        return {
          id: queue.id,
          name: queue.name,
          open,
          opens: opens === undefined ? null : timeOf(opens),
          waiting,
          available,
        }
      }),
    ),
    users: await Promise.all(
      users.map(async user => {
        const { name, avatar, capacity } = await directory.profile(user)
        const state = index.place(user)?.state ?? 'offline'
        return {
          id: user,
          name,
          ...(avatar === '' ? {} : { avatar }),
          state,
          present: presence.isPresent(user),
          returns: own !== undefined && presence.isAbsent(user, own),
          load: index.load(user),
          capacity,
        }
      }),
    ),
  }
}

/** The colleague who passed the chat on to the viewer, who may decline it, and who gets it then. */
const declineOf = async ({ desk, bot, held, viewer }: DetailInput): Promise<Detail['decline']> => {
  const { desk: chat } = held.agent ?? {}
  const sender = chat && desk.work.senderOf(chat, viewer.user)
  if (sender === undefined) return null
  const { name } = await desk.directory.profile(sender)
  return { by: name, to: (await desk.work.isAtDesk(sender, bot.id)) ? name : null }
}

/** Colleagues that a note of the viewer can mention. */
const colleaguesOf = async ({
  desk: { directory },
  bot,
  queue,
  viewer,
}: DetailInput): Promise<Detail['colleagues']> => {
  const found = await colleaguesIn({ directory, bot: async () => bot }, queue, { bot: bot.id, by: viewer.user })
  return found.map(({ user, name, username, avatar }) => ({
    ...{ id: user, name, username },
    ...(avatar === '' ? {} : { avatar }),
  }))
}

/** Whether a user may use a canned answer for a bot with these levels at and above it. */
export const mayUseCanned = (
  { hierarchylevel, owner }: Pick<RowOf<'cannedanswer'>, 'hierarchylevel' | 'owner'>,
  levels: ReadonlySet<string>,
  user: string,
): boolean => levels.has(hierarchylevel ?? '') && (owner === null || owner === user)

/** Canned answers for the queue, the language and the user, with their values. */
export const deskCannedOf = async (
  view: DetailInput,
  { search, size }: { readonly search: string; readonly size: number },
): Promise<DeskCanned> => {
  const { desk, bot, row, held, viewer } = view
  const levels = new Set(await desk.directory.levelsAbove(bot.hierarchylevel ?? ''))
  const usable = (await desk.directory.answers()).filter(
    answer =>
      mayUseCanned(answer, levels, viewer.user) &&
      (answer.queues.length === 0 || answer.queues.includes(row.queue)) &&
      (answer.locale === 'any' || held.locale.startsWith(answer.locale)),
  )
  const agent = (await desk.directory.profile(viewer.user)).name
  const fields = factsOf(view)
    .filter(({ masked }) => !masked)
    .map(({ name, value }) => [`field.${name}`, value] as const)
  const person = held.user.name
  const values = { 'person.name': person, 'agent.name': agent, 'bot.name': bot.name, ...Object.fromEntries(fields) }
  const items = searchCanned(usable, search, size).map(({ id, shortcut, text, attachments }) => {
    const filled = fillCanned(text, values)
    return { id, shortcut, text: filled.text, missing: [...filled.missing], attachments: [...attachments] as Json[] }
  })
  return { items, total: usable.length }
}

/** The number of the person, and whether the viewer may ask to see it. */
const numberOf = ({ held, viewer, row, now }: DetailInput): Pick<Detail, 'number' | 'mayreveal' | 'revealed'> => {
  const { id } = held.user
  const masked = !seesNumber(viewer, row, now)
  const until = revealedUntil(viewer, row.conversation, now)
  return {
    number: isPhone(id) ? { value: masked ? maskedId(id) : id, masked } : null,
    mayreveal: isPhone(id) && masked && viewer.can('revealconversation'),
    revealed: until === undefined ? null : timeOf(until),
  }
}

/** Facts with the names of their users and queues. */
const eventsOf = async ({ desk: { directory }, held }: DetailInput): Promise<Detail['events']> => {
  const queues = new Map((await directory.queues()).map(({ id, name }) => [id, name]))
  return Promise.all(
    held.desk.facts.map(async ({ by, queue, tags, ...fact }) => ({
      ...fact,
      ...(tags === undefined ? {} : { tags: [...tags] }),
      ...(queue === undefined ? {} : { queue: queues.get(queue) ?? '' }),
      ...(by === undefined ? {} : { byname: (await directory.profile(by)).name }),
    })),
  )
}

const earlierOf = async ({ given, row, viewer }: DetailInput): Promise<Detail['earlier']> => {
  if (!viewer.can('readconversation')) return []
  const records = await given.conversations.records()
  const { items = [] } = records?.list([row.bot], { person: row.person }, 1, MAX_EARLIER) ?? {}
  return items
    .filter(({ id }) => id !== row.conversation)
    .map(({ id, started, reason, channeltype }) => ({
      id,
      time: new Date(started).toISOString(),
      endreason: reason,
      title: channeltype,
    }))
}

/** Types of files that the channel of a chat does not take. */
export const deniedTypes = async ({ given, row }: Pick<DetailInput, 'given' | 'row'>): Promise<ReadonlySet<string>> => {
  const channel = await given.parts.read.detail(SYSTEM_SCOPE, 'channel', row.channel)
  return new Set(channel?.deny_attachment_types ?? [])
}

/** All that the agent of a chat needs to answer. For callers who may read it. */
export const deskDetailOf = async (view: DetailInput): Promise<Detail> => {
  const { held, queue, viewer } = view
  const titles = await titlesOf(view)
  const messages = await messagesOf(view, titles)
  const [row, notes, events, earlier, returntargets, transferto, decline, denied, colleagues] = await Promise.all([
    deskChatOf(view),
    notesOf(view),
    eventsOf(view),
    earlierOf(view),
    targetsOf(view),
    transferOf(view),
    declineOf(view),
    deniedTypes(view),
    colleaguesOf(view),
  ])
  return {
    ...row,
    person: personName(held, seesNumber(viewer, view.row, view.now)),
    ...numberOf(view),
    messages,
    notes,
    events,
    position: held.messages.at(-1)?.position ?? '',
    facts: factsOf(view),
    path: pathOf(view, messages, titles),
    earlier,
    reasons: (queue?.close_reasons ?? []).map(({ key, name, csat }) => ({ key, name, csat: csat !== false })),
    csat: isRatingScale(queue?.csat),
    reasonrequired: queue?.reason_required ?? false,
    returntargets,
    transferto,
    decline,
    colleagues,
    limits: {
      text: DESK_LIMITS.text,
      files: FILE_TYPES.filter(type => !denied.has(type)),
      filesize: DESK_LIMITS.fileSize,
    },
  }
}
