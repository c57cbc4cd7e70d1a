import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { useAddress } from '#web/page/use-address.ts'

/** Owner of contacts: a campaign or a saved list. */
export interface ContactHolder {
  readonly kind: 'campaign' | 'list'
  readonly id: string
  readonly name: string
  /** The parameter that names it in calls. */
  readonly of: { readonly campaign: string } | { readonly list: string }
  /** Undefined for a list. */
  readonly campaign: RowOf<'campaign'> | undefined
}

export const campaignHolder = (campaign: RowOf<'campaign'>): ContactHolder => ({
  ...{ kind: 'campaign', id: campaign.id, name: campaign.name, campaign },
  of: { campaign: campaign.id },
})

export const listHolder = ({ id, name }: Pick<RowOf<'contactlist'>, 'id' | 'name'>): ContactHolder => ({
  ...{ kind: 'list', id, name, campaign: undefined },
  of: { list: id },
})

type Place = Pick<ContactHolder, 'kind' | 'id'>

const CAMPAIGN_CONTACTS = '/campaignmanagement/contact'

/** Contacts of a campaign. */
export const campaignContactsAddress = (campaign: string): string => `${CAMPAIGN_CONTACTS}/${campaign}`
/** Contacts of a campaign or a list. */
const contactsAddress = ({ kind, id }: Place): string =>
  kind === 'list' ? `/contactlist/${id}` : campaignContactsAddress(id)
/** Adding one by hand. */
const addContactAddress = ({ kind, id }: Place): string =>
  kind === 'list' ? `/contactlist/add/${id}` : `${CAMPAIGN_CONTACTS}/add/${id}`
/** Sending files of contacts, by the rules of a profile where one is given. */
export const mapContactsAddress = ({ kind, id }: Place, profile?: string): string =>
  `${kind === 'list' ? '/contactlist' : CAMPAIGN_CONTACTS}/map/${id}${profile === undefined ? '' : `?profile=${profile}`}`
/** The list of all campaigns. */
export const CAMPAIGNS = '/campaignmanagement/channel/app/campaign/search'

export type Contact = AnswerOf<'GET /contact'>['items'][number]

const SEARCH_SIZE = 50

/** The newest first. */
export const contactsQuery = ({ id, of }: Pick<ContactHolder, 'id' | 'of'>, page: number, size: number) =>
  queryOptions({
    queryKey: ['contact', id, 'list', page, size],
    queryFn: ({ signal }) => http.get('/contact', { query: { ...of, page, size }, signal }),
    placeholderData: before => before,
  })

/** By a part of a name or number, which is not written into an address. */
export const contactSearchQuery = ({ id, of }: ContactHolder, search: string) =>
  infiniteQueryOptions({
    queryKey: ['contact', id, 'search', search],
    queryFn: ({ pageParam, signal }) =>
      http.post('/contact/search', { body: { ...of, search, after: pageParam, size: SEARCH_SIZE }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: search !== '',
    gcTime: 0,
  })

/** Addresses of contacts, which lead back to the step of the campaign from where they were opened. */
export const useHolderReturn = (holder: Pick<ContactHolder, 'kind' | 'id'>) => {
  const { params } = useAddress()
  const { can } = useSession()
  // Checked by the page of the campaign.
  const step = holder.kind === 'list' ? null : params.get('step')
  const kept = (address: string) => {
    if (step === null) return address
    return `${address}${address.includes('?') ? '&' : '?'}step=${encodeURIComponent(step)}`
  }
  const id = encodeURIComponent(holder.id)
  return {
    isOfStep: step !== null,
    /** A campaign that was sent shows its report there. */
    campaign: can('updatecampaign')
      ? `/campaignmanagement/campaign/create?campaign=${id}&step=${encodeURIComponent(step ?? 'contacts')}`
      : `/campaign/${id}`,
    contacts: kept(contactsAddress(holder)),
    add: kept(addContactAddress(holder)),
    map: (profile?: string) => kept(mapContactsAddress(holder, profile)),
    upload: (upload: string) => kept(`/campaignupload/${upload}`),
  }
}
