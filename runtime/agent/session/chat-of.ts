import { isObject } from '#domain/flow/document/json.ts'
import type { FoldedConversation } from '../../conversation/engine/folded-conversation.ts'
import type { ChatMessage } from '../../port.ts'
import type { AgentChat, AgentMessage } from '../port.ts'
import { textOf } from '../read.ts'
import type { AgentTalk } from './agent-talk.ts'

/** Contains no masked answer: the conversation shows only dots for it. */
const lineOf = ({ from, text, title, type }: ChatMessage): string => {
  const said = textOf(text) || textOf(title) || `[${type}]`
  return `${from === 'user' ? '>' : '<'} ${said}`
}

/** The chat in the form that opens it, in every attempt. */
export const chatOf = (
  held: FoldedConversation,
  { key, fields, hasTranscript, transcriptTo }: AgentTalk,
  { queue, webhook }: { readonly queue: string; readonly webhook: string },
): AgentChat => {
  const before = held.messages.slice(0, transcriptTo)
  const { id, name = '', data = {} } = held.user
  return {
    key,
    conversation: held.id,
    person: { id, name, data },
    locale: held.locale,
    queue,
    fields,
    transcript: hasTranscript ? before.map(lineOf).join('\n') : '',
    said: textOf(before.findLast(({ from }) => from === 'user')?.text),
    webhook,
  }
}

/** A message of the person, with the text that the conversation shows. */
export const messageOf = (
  held: FoldedConversation,
  { key }: AgentTalk,
  { revision, sent }: AgentTalk['outbox'][number],
): AgentMessage => {
  const shown = held.messages.find(({ id, from }) => id === sent.id && from === 'user')
  const files = (sent.attachments ?? []).filter(isObject).map(({ name, contentType, contentUrl }) => ({
    name: textOf(name) || 'file',
    type: textOf(contentType),
    url: textOf(contentUrl),
  }))
  const isFile = sent.type === 'attachment' && sent.text === undefined
  return { id: `${key}-${revision}`, text: isFile ? '' : textOf(shown?.text ?? sent.text), files }
}
