import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Row } from '#projections/port.ts'
import { EVERYWHERE, holderOf, type OptOutEntry } from '#runtime/campaign/audience/audience.ts'
import type { StoredAudience } from '#runtime/campaign/audience/open-audience.ts'
import type { suppressionEntrySchema } from '#schemas/api/audience.ts'
import type { Parts } from '../port.ts'
import { sessionOf } from './command.ts'

type ShownEntry = z.output<typeof suppressionEntrySchema>

interface NamedEntry {
  readonly entry: ShownEntry
  /** E.164; empty: the number is no contact that the caller may read. */
  readonly phone: string
}

const LAST_DIGITS = 4

/** Reads the contacts, campaigns and channels of entries as far as the caller may see them. */
export const entryReader = (parts: Parts, audience: StoredAudience, request: FastifyRequest) => {
  const { scope, caller } = sessionOf(request)
  const found = new Map<string, Promise<Row | undefined>>()
  const detail = (entity: string, id: string): Promise<Row | undefined> => {
    const key = `${entity} ${id}`
    const known = found.get(key) ?? parts.read.detail(scope, entity, id)
    found.set(key, known)
    return known
  }
  const nameOf = (row: Row | undefined): string => String(row?.name ?? '')

  const contactOf = async (entry: OptOutEntry) => {
    if (!caller.permits('readcontact')) return undefined
    let known: { readonly phone: string; readonly name: string } | undefined
    for (const member of audience.index.membersOf(entry)) {
      const holder = holderOf(member.audience)
      const seen = (await detail('campaign', holder)) ?? (await detail('contactlist', holder))
      if (seen === undefined) continue
      const [opened] = await audience.openMembers(member.audience, [member])
      if (opened?.opened === undefined) continue
      const { phone, nome } = opened.opened
      known ??= { phone, name: nome }
      if (nome !== '') return { phone, name: nome }
    }
    return known
  }

  const campaignOf = async ({ campaign = '' }: OptOutEntry): Promise<ShownEntry['campaign']> => {
    const row = campaign === '' || !caller.permits('readcampaign') ? undefined : await detail('campaign', campaign)
    return row === undefined ? null : { id: campaign, name: nameOf(row) }
  }

  const channelOf = async ({ channel = '', bot = '', account = '' }: OptOutEntry): Promise<ShownEntry['channel']> => {
    const row = channel === '' ? undefined : await detail('channel', channel)
    if (row !== undefined) {
      const ofBot = nameOf(await detail('bot', String(row.bot)))
      return { type: String(row.type), name: nameOf(row), bot: ofBot }
    }
    const given = account === '' ? undefined : await detail('metaaccount', account)
    if (given !== undefined) return { type: 'metaaccount', name: nameOf(given), bot: '' }
    const ofBot = bot === '' ? undefined : await detail('bot', bot)
    return ofBot === undefined ? null : { type: '', name: '', bot: nameOf(ofBot) }
  }

  return async (entry: OptOutEntry): Promise<NamedEntry> => {
    const { kind, list, category, source, rule, reason, actor, time, isActive, word = '' } = entry
    const contact = await contactOf(entry)
    const { phone = '', name = '' } = contact ?? {}
    return {
      phone,
      entry: {
        ...{ kind, category, source, rule, reason, time, word, user: actor, active: isActive },
        hierarchylevel: list === EVERYWHERE ? null : list,
        name,
        ends: phone.slice(-LAST_DIGITS),
        campaign: await campaignOf(entry),
        channel: await channelOf(entry),
      },
    }
  }
}
