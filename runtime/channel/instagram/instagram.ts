import { messengerAdapter } from '../messenger/messenger-adapter.ts'
import { graphUrl } from '../shared/graph.ts'
import { field } from '../shared/member.ts'

/** Host for accounts without a Facebook page: the address names them. */
const OWN_HOST = 'graph.instagram.com'

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
    const isOwn = field(fields, 'url').includes(OWN_HOST) && account !== ''
    return `${graphUrl(fields)}/${isOwn ? encodeURIComponent(account) : 'me'}`
  },
  nameField: 'name',
})
