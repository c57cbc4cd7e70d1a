import type { ChatMessage, Conversations } from '#runtime/port.ts'

const PAGE = 200
/** Messages of one transcript; no conversation of people comes near. */
const MAX_MESSAGES = 20_000

/** Undefined where there is no such conversation. */
export const allMessages = async (
  conversations: Conversations,
  conversation: string,
): Promise<readonly ChatMessage[] | undefined> => {
  const messages: ChatMessage[] = []
  let after = ''
  while (messages.length < MAX_MESSAGES) {
    const page = await conversations.read(conversation, after, PAGE)
    if (page === undefined) return undefined
    messages.push(...page.messages)
    const last = page.messages.at(-1)
    if (last === undefined || page.messages.length < PAGE) break
    after = last.position
  }
  return messages
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** One line of a message in words: its text, else its title, else its type. */
const wordsOf = (message: ChatMessage): string => {
  const actions = Array.isArray(message.actions) ? message.actions : []
  const titles = actions.map(action => textOf((action as { title?: unknown }).title)).filter(title => title !== '')
  const said = textOf(message.text) || textOf(message.title) || textOf(message.address) || `[${message.type}]`
  return titles.length === 0 ? said : `${said} [${titles.join('] [')}]`
}

export const transcriptText = (messages: readonly ChatMessage[]): string =>
  messages.map(message => `${message.time} ${message.from}: ${wordsOf(message)}\n`).join('')
