import type { JsonObject } from '#schemas/event.ts'
import { messengerAdapter } from '../messenger/messenger-adapter.ts'
import { graphUrl } from '../shared/graph.ts'
import { field } from '../shared/provider-call.ts'

/** Host for accounts without a Facebook page: the address names them. */
const OWN_HOST = 'graph.instagram.com'

const isOwnLogin = (fields: JsonObject): boolean => field(fields, 'url').includes(OWN_HOST)

/** Instagram messages, through a Facebook page or Instagram's own login. */
export const instagram = messengerAdapter({
  object: 'instagram',
  capabilities: {
    markup: 'none',
    text: 1000,
    bytes: true,
    body: 1000,
    caption: 0,
    buttons: { count: 13, label: 20, links: 'none', image: false },
    list: null,
    carousel: { cards: 10, buttons: 3, title: 80, text: 80 },
    media: ['image', 'audio', 'video'],
    location: false,
    askplace: false,
    native: [],
  },
  accountUrl(fields) {
    const account = field(fields, 'account_id')
    return `${graphUrl(fields)}/${isOwnLogin(fields) && account !== '' ? encodeURIComponent(account) : 'me'}`
  },
  nameField: 'name',
  // With a page's token `me` is the page.
  idField: fields => (isOwnLogin(fields) ? 'user_id' : 'instagram_business_account'),
})
