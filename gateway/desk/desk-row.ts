import type { RowOf } from '#projections/port.ts'
import type { DeskQueue } from '#runtime/agent/desk/desk-directory.ts'
import { type DeskRow, deskRevision } from '#runtime/agent/desk/desk-index.ts'
import type { OwnDesk } from '#runtime/agent/desk/own-desk.ts'
import type { FoldedConversation } from '#runtime/conversation/engine/folded-conversation.ts'
import type { ChatMessage } from '#runtime/port.ts'
import type { DeskChat } from '#schemas/api/desk.ts'
import { isObject, parseJson, textOf } from '#schemas/json.ts'
import { type DeskViewer, mayActOnChat, mayReadChat, seesNumber } from './desk-access.ts'

/** Letters of the last message that a list shows. */
const MAX_LAST = 200
const PHONE = /^\+?\d{7,}$/u
const UNKNOWN = '••••'

export const timeOf = (ms: number): string => new Date(ms).toISOString()
const timeOrNull = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : timeOf(ms)

export const isPhone = (id: string): boolean => PHONE.test(id)

/** An id of a person on a channel; a phone number keeps its last four digits. */
export const maskedId = (id: string): string => (isPhone(id) ? `${UNKNOWN} ${id.slice(-4)}` : id)

/** The person of a chat for a viewer who may read it. */
export const personName = ({ user }: Pick<FoldedConversation, 'user'>, mayReadAll: boolean): string => {
  if (user.name !== undefined && user.name !== '') return user.name
  if (user.id === '') return '—'
  return mayReadAll ? user.id : maskedId(user.id)
}

/** Products and inputs of a message, one per line. */
const linesOf = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(linesOf)
  if (!isObject(value)) return value === null || value === undefined ? [] : [String(value)]
  const quantity = value.quantity ?? value.amount
  const name = textOf(value.title) || textOf(value.name) || textOf(value.product_retailer_id)
  if (name !== '') return [quantity === undefined ? name : `${String(quantity)} × ${name}`]
  return Object.entries(value).flatMap(([key, one]) =>
    isObject(one) || Array.isArray(one) ? linesOf(one) : [`${key}: ${String(one ?? '')}`],
  )
}

/** Labels of the options that a message offers. */
export const optionsOf = ({ actions }: ChatMessage): readonly string[] =>
  (Array.isArray(actions) ? actions : []).filter(isObject).flatMap(({ title }) => textOf(title) || [])

/** Words of a message without its options: orders and inputs as lines, cards with their texts. */
export const shownText = (message: ChatMessage): string => {
  const { type, text, title, subtitle, data, address } = message
  if (type === 'order' || type === 'submit') {
    const given = data ?? (typeof text === 'string' ? parsed(text) : text)
    return linesOf(given).join('\n')
  }
  if (type === 'location') return textOf(address) || textOf(text)
  const lines = [textOf(title), textOf(subtitle), textOf(text)].filter(line => line !== '')
  const cards = Array.isArray(message.cards) ? message.cards.filter(isObject) : []
  for (const card of cards)
    lines.push(`• ${[card.title, card.subtitle, card.text].map(textOf).filter(Boolean).join(' · ')}`)
  return lines.join('\n')
}

/** A message in one line. */
const lastText = (message: ChatMessage): string => shownText(message) || optionsOf(message).join(' · ')

const parsed = (text: string): unknown => {
  const value = parseJson(text)
  return value === undefined ? text : value
}

interface RowGiven {
  readonly desk: OwnDesk
  readonly viewer: DeskViewer
  readonly row: DeskRow
  readonly bot: RowOf<'bot'>
  readonly queue: DeskQueue | undefined
  readonly now: number
}

/** When the goal of a chat passes, and twice of it; only the hours of its queue count. */
const goalOf = async ({ desk, row, queue }: RowGiven): Promise<Pick<DeskChat, 'goal' | 'overdue'>> => {
  const { status, unanswered, answered, since } = row
  const seconds = (answered === 1 ? queue?.goal_answer : queue?.goal_first) ?? 0
  if (queue === undefined || seconds === 0 || unanswered === null || status === 'closed' || status === 'snoozed')
    return { goal: null, overdue: null }
  const begin = status === 'waiting' ? since : unanswered
  const [goal, overdue] = await Promise.all(
    [seconds, 2 * seconds].map(async each => timeOrNull(await desk.directory.goal(queue, begin, each))),
  )
  return { goal: goal ?? null, overdue: overdue ?? null }
}

/** Until when the holder of a chat has to open it; null: it is open, or its queue gives any time. */
const acceptOf = ({ row, queue }: RowGiven, held: FoldedConversation | undefined): string | null => {
  const { holder, isOpened = true, isAnswered = true } = held?.agent?.desk ?? {}
  const seconds = queue?.accept_within ?? 0
  if (row.status !== 'held' || holder === undefined || isOpened || isAnswered || seconds === 0) return null
  return timeOf(holder.at + seconds * 1000)
}

/** A row of the list, with words only for who may read them. */
export const deskChatOf = async (given: RowGiven): Promise<DeskChat> => {
  const { desk, viewer, row, bot, queue, now } = given
  const held = await desk.load(row.conversation)
  const mayRead = mayReadChat(viewer, row, queue, now) && held !== undefined
  const profile = row.holder === null ? undefined : await desk.directory.profile(row.holder)
  // Texts of the queue tell an agent nothing.
  const last = mayRead ? held.messages.findLast(({ id }) => !held.desk.texts.has(id)) : undefined
  const window = held === undefined ? undefined : await desk.windowOf(held)
  const isMine = row.holder === viewer.user
  const agents = desk.directory.agentsAt(bot.hierarchylevel ?? '')
  return {
    conversation: row.conversation,
    n: row.n,
    revision: held === undefined ? row.revision : deskRevision(held.bases.length, held.tail.revision),
    bot: row.bot,
    botname: bot.name,
    channel: row.channel,
    channeltype: row.channeltype,
    queue: row.queue === '' ? null : row.queue,
    queuename: queue?.name ?? '',
    person: mayRead ? personName(held, seesNumber(viewer, row, now)) : UNKNOWN,
    forgotten: held?.user.id === '',
    status: row.status,
    since: timeOf(row.since),
    holder:
      profile === undefined
        ? null
        : { user: profile.user, name: profile.name, ...(profile.avatar === '' ? {} : { avatar: profile.avatar }) },
    away:
      row.holder !== null && row.status === 'held' && queue !== undefined && desk.presence.isAbsent(row.holder, queue),
    mine: isMine,
    maytake:
      row.status === 'waiting' &&
      viewer.can('answerconversation') &&
      agents.has(viewer.user) &&
      mayActOnChat(viewer, row, queue, now),
    priority: Math.min(3, Math.max(0, row.priority)) as DeskChat['priority'],
    last: last === undefined ? null : { from: last.from, text: lastText(last).slice(0, MAX_LAST), time: last.time },
    unanswered: timeOrNull(row.unanswered),
    ...(await goalOf(given)),
    accept: acceptOf(given, held),
    snoozeduntil: timeOrNull(row.snoozeduntil),
    window: timeOrNull(window),
    tags: mayRead ? [...held.state.tags] : [],
    returned: row.status === 'waiting' ? row.returned : null,
  }
}
