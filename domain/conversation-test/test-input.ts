import { actionsOf, pressOf, type TurnInput } from '#domain/conversation/message.ts'
import type { ConversationState } from '#domain/conversation/state.ts'
import type { JsonObject } from '#schemas/event.ts'
import { type TestBot, taskCalled } from './begin-test.ts'
import { isCalled } from './check-names.ts'
import type { ReceivedMessage } from './match-message.ts'
import { TestFailure } from './test-result.ts'
import type { TestStep } from './test-schema.ts'

/** Context of a step. */
interface Around {
  readonly bot: TestBot
  readonly state: ConversationState
  readonly messages: readonly ReceivedMessage[]
}

const attachmentOf = (file: string | JsonObject): JsonObject =>
  typeof file === 'string'
    ? { name: file.split('/').at(-1) ?? file, contentUrl: file, contentType: typeByName(file) }
    : file

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  pdf: 'application/pdf',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  txt: 'text/plain',
}
const typeByName = (file: string): string =>
  TYPES[file.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'

const pressed = (kind: 'choose' | 'press', title: string, { messages }: Around): TurnInput => {
  const offered = messages
    .toReversed()
    .flatMap(({ message }) => actionsOf(message).map(action => ({ message, action })))
  const wanted = offered.find(({ action }) => isCalled({ id: action.value, name: action.title }, title))
  if (wanted === undefined) {
    const last = messages.findLast(({ message }) => actionsOf(message).length > 0)
    const titles = last === undefined ? [] : actionsOf(last.message).map(action => action.title)
    throw new TestFailure('action', { [kind]: title }, titles)
  }
  return pressOf(wanted.message, wanted.action)
}

const menuOf = (command: string, { bot }: Around): TurnInput => {
  if (command === 'restart' || command === 'agent') return { kind: 'menu', command }
  const task = taskCalled(bot.settings, command)
  if (task === undefined) throw new TestFailure('begin', command, null)
  return { kind: 'menu', command: 'task', task: task.id }
}

const eventOf = (event: Extract<TestStep, { kind: 'event' }>['value'], { bot, state }: Around): TurnInput => {
  if (typeof event === 'string') {
    if (event === 'open') return { kind: 'open' }
    return event === 'agent' ? { kind: 'agentleft', reason: 'closed' } : { kind: event }
  }
  if ('open' in event) return { kind: 'open', payload: event.open }
  if ('agent' in event) return { kind: 'agentleft', reason: event.agent }
  if ('submit' in event) return { kind: 'submit', data: event.submit }
  if ('order' in event) return { kind: 'order', data: event.order }
  const planned = state.schedules.find(({ id }) => {
    const blocks = [...bot.release.dialogs.values()].map(({ blocks: held }) => held.get(id))
    const block = blocks.find(each => each !== undefined)
    return block !== undefined && isCalled({ id, name: block.title }, event.schedule)
  })
  if (planned === undefined) throw new TestFailure('state', { schedule: event.schedule }, { schedule: null })
  return { kind: 'schedule', id: planned.id }
}

/** Converts a step to an interpreter input. */
export const inputOf = (step: Exclude<TestStep, { kind: 'bot' | 'expect' | 'wait' }>, around: Around): TurnInput => {
  switch (step.kind) {
    case 'user':
      return { kind: 'text', text: step.value }
    case 'choose':
    case 'press':
      return pressed(step.kind, step.value, around)
    case 'attach': {
      const files: readonly (string | JsonObject)[] = Array.isArray(step.value) ? step.value : [step.value]
      return { kind: 'attachment', attachments: files.map(attachmentOf) }
    }
    case 'locate':
      return {
        kind: 'location',
        location: typeof step.value === 'string' ? { address: step.value } : (step.value as JsonObject),
      }
    case 'menu':
      return menuOf(step.value, around)
    case 'event':
      return eventOf(step.value, around)
    default:
      return step satisfies never
  }
}
