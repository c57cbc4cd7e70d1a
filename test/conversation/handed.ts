import { expect, vi } from 'vitest'
import { type DialogSketch, say as sketched } from '#domain/conversation/fixture/talk.ts'
import type { OpenedConversations } from '#runtime/conversation/conversation-port.ts'

export const until = (check: () => unknown) => vi.waitFor(check, { interval: 20 })

/** Asks for a password, hands the person over, and says how it came back. */
export const DIALOG: DialogSketch = {
  start: { type: 'start', to: 'ask' },
  ask: {
    type: 'prompt',
    properties: { data: { text: 'Senha?', textStyle: 'password' }, promptType: 'text', varname: 'senha' },
    to: 'hand',
  },
  hand: {
    type: 'connecttoagent',
    properties: { agentSystem: 'rocketchat', queue: 'sac', transcript: true },
    to: 'back',
  },
  back: sketched('de volta: {{agent.status}}'),
}

export const ana = { name: 'Ana', avatar: 'https://desk.example/ana.png' }
export const joined = { kind: 'joined', id: 'j1', agent: ana } as const
export const said = (words: string, id = words) =>
  ({ kind: 'message', id, from: 'agent', agent: ana, text: words }) as const
export const pageOf = async (on: OpenedConversations, conversation: string) => {
  const page = await on.read(conversation, '', 1000)
  if (page === undefined) throw new Error('gone')
  return page
}
export const isBack = (on: OpenedConversations, conversation: string) =>
  until(async () => expect((await pageOf(on, conversation)).state).not.toMatch(/agent|active/u))
