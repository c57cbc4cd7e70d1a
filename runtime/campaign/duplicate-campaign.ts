import type { Commands } from '#commands/command-handler.ts'
import { derivedId } from '#commands/pipeline/append.ts'
import type { Caller } from '#commands/port.ts'
import { freeName } from '#domain/free-name.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { campaign as campaignEntity } from '#schemas/entities/campaign.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import type { NewContact } from './audience/audience.ts'
import type { StoredAudience } from './audience/open-audience.ts'

type Declared = { readonly fields: Readonly<Record<string, { readonly readonly?: boolean }>> }

/** Fields that a person may set, of those that have a value. */
export const settableFields = ({ fields: declared }: Declared, fields: Readonly<Record<string, Json>>): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => Object.hasOwn(declared, name) && declared[name]?.readonly !== true && value !== null,
    ),
  )

/** Contacts that are read and added together. */
const ROWS = 500

/** Adds the contacts of a campaign to another one. Returns their number. */
const copyContacts = async (audience: StoredAudience, from: string, to: string, actor: string | null) => {
  let copied = 0
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: Awaited<ReturnType<StoredAudience['page']>> = await audience.page(from, after, ROWS)
    const opened = await audience.open(
      from,
      page.rows.map(({ contact }) => contact),
    )
    const contacts = page.rows.flatMap(({ contact, country = '' }): NewContact[] => {
      const clear = opened.get(contact)
      return clear === undefined ? [] : [{ ...clear, country, aliases: [] }]
    })
    const { contacts: added } = await audience.add(to, contacts, actor)
    copied += added.filter(({ isDuplicate }) => !isDuplicate).length
    after = page.next
  }
  return copied
}

interface DuplicateOrder {
  readonly campaign: RowOf<'campaign'>
  /** Undefined: the first name that is free. */
  readonly name: string | undefined
  /** Undefined: without contacts. */
  readonly audience: StoredAudience | undefined
  readonly caller: Caller
  readonly seed: string
  readonly correlation: string
}

/** Copies all settings of a campaign, and its contacts if an audience is given; never its runs. The copy is disabled. */
export const duplicateCampaign = async (
  { commands, read }: { readonly commands: Pick<Commands, 'execute' | 'openFields'>; readonly read: ReadModels },
  { campaign, name, audience, caller, seed, correlation }: DuplicateOrder,
): Promise<Result<{ readonly id: string; readonly contacts: number }>> => {
  const own = (await commands.openFields('campaign', campaign.id)) ?? {}
  const { hierarchylevel } = campaign
  const beside = await allRows(read, SYSTEM_SCOPE, 'campaign')
  const taken = beside.filter(one => one.hierarchylevel === hierarchylevel).map(one => one.name)
  // Names of campaigns have no spaces.
  const free = name ?? freeName(campaign.name, taken, (begun, number) => `${begun}_${number}`)
  const input = { ...settableFields(campaignEntity, own), hierarchylevel, name: free, enabled: false }
  const made = await commands.execute({
    ...{ entity: 'campaign', action: 'create', id: '', input, caller, correlation },
    seed: derivedId(seed, 'duplicate campaign'),
  })
  if (!made.ok) return made
  if (made.position !== undefined) await read.reached(made.position)
  const contacts = audience === undefined ? 0 : await copyContacts(audience, campaign.id, made.id, caller.user)
  return accepted({ id: made.id, contacts })
}
