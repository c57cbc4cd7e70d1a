import { profileAdapter } from '../profile/profile-adapter.ts'

/** A marketplace, by its channel's mapping: there is no common interface. Options become text. */
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
