import { setTimeout } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { JsonObject } from '#schemas/event.ts'
import type { Parts } from '../port.ts'
import { sessionOf } from './command.ts'

/** Shorter texts are in nearly every flow. */
const MIN_LENGTH = 3
/** Bots that one search looks into. */
const MAX_BOTS = 5
/** ms after which the search answers without what is still being looked through. */
const TIMEOUT_MS = 400

const KINDS = ['dialog', 'handler'] as const

/** Kinds of flows that the caller may read, by the bot that a site search index names. */
const indexedBots = async ({ read }: Parts, request: FastifyRequest) => {
  const { scope, caller } = sessionOf(request)
  const kinds = new Map<string, Set<string>>()
  for (const kind of KINDS) {
    if (!caller.permits(`read${kind}`)) continue
    const { items } = await read.list(scope, 'sitesearchindex', { page: 1, size: 100, filter: { entity_type: kind } })
    for (const { bot } of items) if (typeof bot === 'string') kinds.set(bot, new Set([...(kinds.get(bot) ?? []), kind]))
  }
  const bots = await read.rows(scope, 'bot', [...kinds.keys()].slice(0, MAX_BOTS))
  return bots.map(({ id, name }) => ({ id, name: String(name), kinds: kinds.get(id) ?? new Set<string>() }))
}

/**
 * Dialogs and handlers whose blocks hold a text, as `/search` answers them: of those bots alone that a site search index
 * names for dialogs or handlers.
 */
export const searchFlows = async (
  parts: Parts,
  request: FastifyRequest,
  text: string,
): Promise<readonly (JsonObject & { readonly id: string })[]> => {
  if (text.length < MIN_LENGTH) return []
  const found: (JsonObject & { readonly id: string })[] = []
  const look = async () => {
    for (const bot of await indexedBots(parts, request)) {
      const asked = { bot: bot.id, may: (kind: 'dialog' | 'handler') => bot.kinds.has(kind) }
      const { items } = await parts.commands.findInFlows(asked, { text, isExact: false, isWholeWord: false })
      for (const { kind, id, name, dialogtask } of items) {
        const parents = [
          { entity: 'bot', id: bot.id, name: bot.name },
          { entity: 'dialogtask', id: dialogtask.id, name: dialogtask.name },
        ]
        found.push({ entity: kind, id, name, parents })
      }
    }
  }
  // Returns names even if the search in flows fails.
  const looked = look().catch(error => parts.log.error(error))
  await Promise.race([looked, setTimeout(TIMEOUT_MS, undefined, { ref: false })])
  return [...found]
}
