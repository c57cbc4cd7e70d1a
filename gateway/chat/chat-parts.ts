import { chatLook, chatMenu, chatPictures } from '#domain/chat-look.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { agentChannelOf } from '#runtime/agent/open-agents.ts'
import type { Conversations } from '#runtime/port.ts'
import type { BotLog } from '#runtime/service/bot-log.ts'
import { MESSAGE_LOCALES } from '#schemas/api/message.ts'
import type { ChatLook, ChatMenuEntry } from '#schemas/chat-look.ts'
import type { EntityName } from '#schemas/entities/registry.ts'
import { singleId } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { stringsOf, textOf } from '#schemas/json.ts'
import { botLanguage, LANGUAGES, type Language } from '#schemas/language.ts'
import type { Parts } from '../port.ts'
import type { ChatChannel, ChatParts } from './chat-port.ts'

const HOUR_MS = 3_600_000
/** Origins logged for a bot within an hour: a caller chooses the header and must not fill the log. */
const MAX_ORIGINS = 100

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text

/** Logs pages whose chat was refused, as `channel.origin` with the channel as its service and the origin as its detail. */
const createRefusedOrigins = (botLog: Pick<BotLog, 'log'>, now: () => number = Date.now) => {
  const seen = new Map<string, Set<string>>()
  let since = now()
  return ({ id, bot, type }: { readonly id: string; readonly bot: string; readonly type: string }, origin: string) => {
    if (!isOrigin(origin)) return
    if (now() - since > HOUR_MS) {
      seen.clear()
      since = now()
    }
    const origins = seen.get(bot) ?? new Set()
    if (!origins.has(origin) && origins.size >= MAX_ORIGINS) return
    seen.set(bot, origins.add(origin))
    botLog.log({ level: 'warn', code: 'channel.origin', bot, service: `${type}:${id}`, detail: origin })
  }
}

/**
 * Languages of a bot, its own first. Another language counts when the bot has messages in it. The chat
 * uses one of them, so that its texts and those of the bot are in one language.
 */
export const readChatLanguages = async (
  read: Pick<ReadModels, 'list'>,
  bot: RowOf<'bot'>,
): Promise<readonly [Language, ...Language[]]> => {
  const own = botLanguage(bot)
  // Messages of a bot in Spanish are in its default locale.
  const isStored = MESSAGE_LOCALES.includes(own)
  const others = LANGUAGES.filter(language => language !== own && (isStored || language !== bot.defaultlocale))
  const pages = await Promise.all(
    others.map(locale => {
      const filter = { bot: bot.id, locale, enabled: true }
      return read.list(SYSTEM_SCOPE, 'botspecificlocalemessage', { page: 1, size: 1, filter })
    }),
  )
  return [own, ...others.filter((_, place) => (pages[place]?.total ?? 0) > 0)]
}

interface ReadChatLook {
  readonly look: ChatLook
  readonly menu: readonly ChatMenuEntry[]
  /** Uploaded pictures that the look names. */
  readonly pictures: readonly string[]
}

/** Data of a bot that the widget of a channel shows. `base`: the origin of the widget's API, without a slash. */
export const readChatLook = async (
  read: ReadModels,
  bot: RowOf<'bot'>,
  { channel, base = '' }: { readonly channel: string; readonly base?: string },
): Promise<ReadChatLook> => {
  const one = <N extends EntityName>(entity: N) => read.detail(SYSTEM_SCOPE, entity, singleId(entity, bot.id))
  const [look, conversation, themes, tips, tasks] = await Promise.all([
    one('chatinterface'),
    one('conversationsetting'),
    allRows(read, SYSTEM_SCOPE, 'theme', { bot: bot.id }),
    allRows(read, SYSTEM_SCOPE, 'usertip', { bot: bot.id }),
    allRows(read, SYSTEM_SCOPE, 'dialogtask', { bot: bot.id }),
  ])
  const isAsked = bot.connecttoagentinmenu && bot.agentenabled
  const hasAgents = isAsked && (await agentChannelOf(read, bot, '')) !== undefined
  const fileAddress = (id: string) => `${base}/chat/${encodeURIComponent(channel)}/picture/${id}`
  return {
    look: chatLook({ bot, look, themes, tips, conversation, fileAddress }),
    menu: chatMenu({ ...bot, connecttoagentinmenu: hasAgents }, tasks),
    pictures: chatPictures(look),
  }
}

const MAX_CHANNELS = 1_000
const DEFAULT_HISTORY = 20

const channelOf = (id: string, fields: JsonObject): ChatChannel => ({
  id,
  bot: textOf(fields.bot),
  type: textOf(fields.type),
  isEnabled: fields.enable !== false,
  verifyToken: textOf(fields.channel_verify_token),
  origins: textOf(fields.channel_origin)
    .split(';')
    .map(origin => origin.trim())
    .filter(origin => origin !== ''),
  deniedTypes: stringsOf(fields.deny_attachment_types),
})

/** Channels with their secrets in clear. Each message of a chat asks for its channel, so they are kept until a row changes. */
const openChannels = ({ read, commands }: Pick<Parts, 'read' | 'commands'>): ChatParts['channel'] => {
  const kept = new Map<string, { readonly revision: number; readonly channel: ChatChannel }>()
  const current = new Map<string, Promise<ChatChannel | undefined>>()
  read.onTouched(['channel'], () => current.clear())
  const find = async (id: string): Promise<ChatChannel | undefined> => {
    const row = await read.detail(SYSTEM_SCOPE, 'channel', id)
    if (row === undefined) return undefined
    const known = kept.get(id)
    if (known?.revision === row.revision) return known.channel
    const fields = await commands.openFields('channel', id)
    if (fields === undefined) return undefined
    const channel = channelOf(id, fields)
    if (kept.size >= MAX_CHANNELS) kept.clear()
    kept.set(id, { revision: row.revision, channel })
    return channel
  }
  return id => {
    const known = current.get(id)
    if (known !== undefined) return known
    const found = find(id)
    if (current.size >= MAX_CHANNELS) current.clear()
    current.set(id, found)
    found.catch(() => current.delete(id))
    return found
  }
}

const openAppearance =
  ({ read, settings, publicUrl }: Parts): ChatParts['appearance'] =>
  async ({ id, bot }) => {
    const [setting, row] = await Promise.all([
      read.detail(SYSTEM_SCOPE, 'conversationsetting', singleId('conversationsetting', bot)),
      read.detail(SYSTEM_SCOPE, 'bot', bot),
    ])
    const base = settings.BOT_ROUTER_URL ?? publicUrl()
    const shown = row === undefined ? undefined : await readChatLook(read, row, { channel: id, base })
    const length = setting?.history_length
    return {
      theme: shown === undefined ? null : { ...shown.look },
      menu: (shown?.menu ?? []).map(entry => ({ ...entry })),
      historyLength: length ?? DEFAULT_HISTORY,
      isRemembered: setting?.remember_user_on_reload !== false,
    }
  }

/** The chat of a gateway, over the conversations that it holds. */
export const chatParts = (parts: Parts, conversations: Conversations): ChatParts => ({
  settings: parts.settings,
  rates: parts.rates,
  log: parts.log,
  ...{ conversations, tracer: parts.tracer },
  storage: parts.storage,
  hmac: content => parts.keys.index.hmac(content),
  channel: openChannels(parts),
  appearance: openAppearance(parts),
  refusedOrigin: createRefusedOrigins(parts.botLog),
  openedOrigin: ({ id, bot, type }, origin) =>
    parts.botLog.log({ level: 'info', code: 'channel.site', bot, service: `${type}:${id}`, detail: origin }),
  baseUrl: () => parts.settings.BOT_ROUTER_URL ?? parts.publicUrl(),
})
