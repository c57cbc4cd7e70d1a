import { queryOptions, useQuery } from '@tanstack/react-query'
import type { JsonObject } from '#schemas/event.ts'
import type { RowOf } from '#schemas/row.ts'
import { sendsTemplates } from '#schemas/template-provider.ts'
import { useSession } from '#web/api/session.ts'
import { readAll } from '#web/entity/read-all.ts'

/** All apps at Meta that the person may read, by name. */
export const appsQuery = queryOptions({
  queryKey: ['metaapp', 'list', 'sending'],
  queryFn: async ({ signal }) => (await readAll('metaapp', { sort: 'name' }, signal)).items,
})

const accountsQuery = queryOptions({
  queryKey: ['metaaccount', 'list', 'sending'],
  queryFn: async ({ signal }) => (await readAll('metaaccount', { sort: 'name' }, signal)).items,
})

/** The accounts of all apps; undefined until they are read, and to who may not read them. */
export const useAccounts = (): readonly RowOf<'metaaccount'>[] | undefined => {
  const { can } = useSession()
  return useQuery({ ...accountsQuery, enabled: can('readmetaaccount') }).data
}

const channelsQuery = queryOptions({
  queryKey: ['channel', 'list', 'sending'],
  queryFn: async ({ signal }) =>
    (await readAll('channel', { sort: 'name' }, signal)).items.filter(row =>
      sendsTemplates(row as unknown as JsonObject),
    ),
})

/** The channels that send templates; undefined until they are read, and to who may not read them. */
export const useTemplateChannels = (): readonly RowOf<'channel'>[] | undefined => {
  const { can } = useSession()
  return useQuery({ ...channelsQuery, enabled: can('readchannel') }).data
}

export const accountsOf = (accounts: readonly RowOf<'metaaccount'>[], app: string): readonly RowOf<'metaaccount'>[] =>
  accounts.filter(({ metaapp }) => metaapp === app)

export const hasKey = ({ access_token: token }: RowOf<'metaaccount'>): boolean => token !== null

/** Name of a number in addresses: as Meta writes it, else its account's name. */
export const phoneOf = ({ display_phone_number: phone, name }: RowOf<'metaaccount'>): string => phone ?? name

/** The account that an address names by its number, else the first one. */
export const accountAt = (
  accounts: readonly RowOf<'metaaccount'>[],
  phone: string | null,
): RowOf<'metaaccount'> | undefined =>
  accounts.find(account => phone !== null && phoneOf(account) === phone) ?? accounts[0]
