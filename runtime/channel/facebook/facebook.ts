import { messengerAdapter } from '../messenger/messenger-adapter.ts'
import { graphUrl } from '../shared/graph.ts'

/** Facebook Messenger. */
export const facebook = messengerAdapter({
  object: 'page',
  hasTyping: true,
  capabilities: {
    markup: 'none',
    text: 2000,
    body: 640,
    caption: 0,
    buttons: { count: 13, label: 20, links: 'beside', image: false },
    list: null,
    carousel: { cards: 10, buttons: 3, title: 80, text: 80 },
    media: ['image', 'audio', 'video', 'document'],
    location: false,
    askplace: false,
    native: ['receipt.facebook'],
  },
  accountUrl: fields => `${graphUrl(fields)}/me`,
  nameField: 'name',
  idField: () => 'id',
})
