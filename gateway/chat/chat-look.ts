import { chatLook, chatMenu, chatPictures } from '#domain/chat-look.ts'
import { allRows } from '#projections/all-rows.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { ChatLook, ChatMenuEntry } from '#schemas/chat-look.ts'
import { singleId } from '#schemas/single.ts'

interface ReadChatLook {
  readonly look: ChatLook
  readonly menu: readonly ChatMenuEntry[]
  /** Uploaded pictures that the look names. */
  readonly pictures: readonly string[]
}

/** What the widget of a channel shows of its bot. `base`: the origin that the widget talks to, without a slash. */
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
