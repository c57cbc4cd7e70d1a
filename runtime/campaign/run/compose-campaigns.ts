import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Follower, follow } from '#commands/store/follow.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { fieldText } from '#schemas/json.ts'
import type { EventRoute, InboxFollowers } from '../../channel/exchange/inbox.ts'
import type { ConversationsWithExchange } from '../../conversation/compose-conversations.ts'
import { openHolidays } from '../../isolation/pooled-work.ts'
import type { RuntimeParts } from '../../parts.ts'
import type { Audiences } from '../audience/compose-audience.ts'
import { shortDigest } from '../audience/person-digests.ts'
import { openAccount, openGraph } from '../meta/graph.ts'
import { optOutFollower } from '../optout/hear-opt-outs.ts'
import { openOptOutLists } from '../optout/opt-out-lists.ts'
import type { OptOuts } from '../optout/opt-outs.ts'
import { type Campaigns, openCampaigns } from './open-campaigns.ts'
import { RunIndex } from './run-index.ts'

/** Campaigns. Opened at the start if there are some, else when the first one starts. */
export interface SentCampaigns {
  /** Opens the log unless it is open. */
  begun(): Promise<Campaigns>
  /** Undefined until the first send. */
  opened(): Promise<Campaigns | undefined>
  close(): Promise<void>
}

/** Opens with the first campaign, which may have a schedule. */
const watchFirst = ({ store, read, log }: RuntimeParts, open: () => void): Follower =>
  follow(store, {
    name: 'first campaign',
    from: async () => {
      const head = await store.head()
      const { total } = await read.list(SYSTEM_SCOPE, 'campaign', { page: 1, size: 1, filter: {} })
      if (total > 0) open()
      return head
    },
    filter: { streamPrefixes: ['campaign-'], types: ['CampaignCreated', 'CampaignRestored'] },
    event: open,
    failed: error => log.error(error),
  })

/** Registers the campaigns' followers of the inbox: receipts, answers and opt-outs, each retried separately. */
const followInbox = (
  followers: InboxFollowers,
  optOuts: OptOuts,
  parts: RuntimeParts,
  opened: () => Promise<Campaigns | undefined>,
): void => {
  const { read, commands, log } = parts
  const botOf = (channel: EventRoute['channel']) =>
    channel === undefined ? undefined : read.detail(SYSTEM_SCOPE, 'bot', channel.bot)
  const accountLevel = async (account: string | undefined) =>
    account === undefined ? undefined : (await read.detail(SYSTEM_SCOPE, 'metaaccount', account))?.hierarchylevel
  const graph = openGraph(parts.call, parts.settings.GRAPH_URL)
  /** The person has just opened the window of 24 hours. */
  const answer = async (metaaccount: string, to: string, text: string) => {
    const account = await openAccount(commands, metaaccount)
    if (account === undefined) return
    const path = `/${fieldText(account.fields, 'phone_number_id')}/messages`
    const body = { messaging_product: 'whatsapp', to: `+${to}`, type: 'text', text: { body: text } }
    await graph.ask(account.credentials, { method: 'POST', path, body, isOnce: true })
  }
  const receipts = async () => (await opened())?.receipts
  followers.add({
    name: 'engagement',
    receipts: async heard => (await (await receipts())?.hearReceipts(heard)) ?? heard.map(() => false),
    async message(heard) {
      const campaigns = await receipts()
      await campaigns?.hearPerson(heard)
      return { isForBot: true, campaign: await campaigns?.answered(heard.event) }
    },
    other: async heard => (await receipts())?.hearPerson(heard),
  })
  // Also before the first campaign: the next one must find the opt-out.
  followers.add(
    optOutFollower({
      optOuts,
      levelOf: async ({ level, channel, account }) =>
        level ?? (await botOf(channel))?.hierarchylevel ?? (await accountLevel(account)) ?? null,
      async isHeardByBot({ channel }) {
        const bot = channel?.isEnabled === true ? await botOf(channel) : undefined
        return bot !== undefined && bot.runningstatus !== 'stopped'
      },
      answer: (...reply) => void answer(...reply).catch(error => log.error(error)),
      now: Date.now,
    }),
  )
}

/** Campaign sending of a gateway; runs are stored in the conversation log (docs/adr/0026). */
export const composeCampaigns = (
  parts: RuntimeParts,
  folder: string,
  others: {
    readonly conversations: Pick<ConversationsWithExchange, 'log' | 'followers'>
    readonly audiences: Audiences
    readonly optOuts: OptOuts
  },
  isShared: boolean,
): SentCampaigns => {
  const { keys, log, commands, read } = parts
  const place = join(folder, 'conversations')
  const file = join(place, 'campaign.sqlite')
  let opening: Promise<Campaigns> | undefined
  const failed = (error: unknown) => log.error(error)
  const open = async () => {
    const [store, audience] = [await others.conversations.log(), await others.audiences.begun()]
    mkdirSync(place, { recursive: true, mode: 0o700 })
    const index = new RunIndex(file)
    const lists = openOptOutLists(read)
    const hmac = (text: string) => shortDigest(value => keys.index.hmac(value), text)
    return openCampaigns({
      store,
      console: parts.store,
      ...{ index, audience, lists, hmac, optOuts: others.optOuts },
      levelOf: async id => (await read.detail(SYSTEM_SCOPE, 'metaaccount', id))?.hierarchylevel ?? null,
      graph: openGraph(parts.call, parts.settings.GRAPH_URL),
      commands,
      read,
      holidays: openHolidays(parts.work),
      isShared,
      tookOver: () => parts.meters?.tookOver('sender'),
      failed,
    })
  }
  const begun = (): Promise<Campaigns> => {
    opening ??= open().catch(error => {
      opening = undefined
      throw error
    })
    return opening
  }
  const created = watchFirst(parts, () => void begun().catch(failed))
  const opened = async () => (opening === undefined && !existsSync(file) ? undefined : begun())
  followInbox(others.conversations.followers, others.optOuts, parts, opened)
  return {
    begun,
    opened,
    async close() {
      await created.stop()
      await (await opening?.catch(() => undefined))?.close()
    },
  }
}
