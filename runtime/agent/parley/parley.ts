import type { JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { AgentSystem } from '../agent-port.ts'
import type { Desk, DeskLink } from '../desk/desk-port.ts'

/** Parley's own desk as an agent system, without a network: what its agents do is written into the conversation. */
export const openParley = (fields: JsonObject, link: Pick<DeskLink, 'desk'>, bot: string): AgentSystem => {
  const at = async <T>(ask: (desk: Desk) => Promise<Result<T>>): Promise<Result<T>> =>
    link.desk === undefined ? refused('agent.failed', { params: { status: 0, error: 'closed' } }) : ask(link.desk)
  const emptied = (result: Result<unknown>) => (result.ok ? accepted({}) : result)
  return {
    keepsTimes: true,
    async open(chat) {
      const opened = await at(desk => desk.open(chat, fields))
      return opened.ok ? accepted({ link: opened.value }) : opened
    },
    say: async (chat, message) => emptied(await at(desk => desk.said(chat, message))),
    close: async chat => emptied(await at(desk => desk.close(chat))),
    due: async chat => (await link.desk?.due(chat)) ?? 0,
    check: async () => (await link.desk?.check(fields, bot)) ?? [],
  }
}
