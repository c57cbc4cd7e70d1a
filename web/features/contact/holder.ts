import type { RowOf } from '#schemas/row.ts'

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
