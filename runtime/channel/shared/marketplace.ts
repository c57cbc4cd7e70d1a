import { profileAdapter } from '../profile/profile-adapter.ts'

/** A marketplace, by the mapping of its channel: none has an interface that all share. Options are told in words. */
export const marketplace = profileAdapter({
  capabilities: {
    markup: 'none',
    text: 2000,
    body: 2000,
    caption: 0,
    buttons: null,
    list: null,
    carousel: null,
    media: ['image', 'audio', 'video', 'document'],
    location: false,
    askplace: false,
    native: [],
  },
})
