import { chatLook, chatMenu, chatPictures } from '#domain/chat-look.ts'
import { allRows } from '#projections/all-rows.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { ChatLook, ChatMenuEntry } from '#schemas/chat-look.ts'
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '#schemas/language.ts'
import { singleId } from '#schemas/single.ts'

/**
 * Languages that a bot has words in, its own first: another one counts once the bot has messages of its own in it. The
 * chat speaks one of them, so that its words and those of the bot are in one language.
 */
export const readChatLanguages = async (
  read: Pick<ReadModels, 'list'>,
  bot: Row,
): Promise<readonly [Language, ...Language[]]> => {
  const own = LANGUAGES.find(language => language === bot.defaultlocale) ?? DEFAULT_LANGUAGE
  const others = LANGUAGES.filter(language => language !== own)
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
  bot: Row,
  { channel, base = '' }: { readonly channel: string; readonly base?: string },
): Promise<ReadChatLook> => {
  const one = (entity: string) => read.detail(SYSTEM_SCOPE, entity, singleId(entity, bot.id))
  const [look, conversation, themes, tasks] = await Promise.all([
    one('chatinterface'),
    one('conversationsetting'),
    allRows(read, SYSTEM_SCOPE, 'theme', { bot: bot.id }),
    allRows(read, SYSTEM_SCOPE, 'dialogtask', { bot: bot.id }),
  ])
  const fileAddress = (id: string) => `${base}/chat/${encodeURIComponent(channel)}/picture/${id}`
  return {
    look: chatLook({ bot, look, themes, conversation, fileAddress }),
    menu: chatMenu(bot, tasks),
    pictures: chatPictures(look),
  }
}
