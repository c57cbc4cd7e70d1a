import type { BotLog } from '#runtime/service/bot-log.ts'

const HOUR_MS = 3_600_000
/** Origins logged for a bot within an hour: a caller chooses the header and must not fill the log. */
const MAX_ORIGINS = 100

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text

/** Logs pages whose chat was refused, as `channel.origin` with the channel as its service and the origin as its detail. */
export const createRefusedOrigins = (botLog: Pick<BotLog, 'log'>, now: () => number = Date.now) => {
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
