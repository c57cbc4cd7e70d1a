import { defineEntity } from '../entity.ts'
import { integer, reference, string } from '../field/field.ts'

/** Keys of outside services that a bot's channels use. */
export const integration = defineEntity({
  name: 'integration',
  type: 'Integration',
  parent: 'bot',
  icon: 'Plug',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    map_provider: string({
      offered: ['google', 'mapbox', 'openstreetmap'],
      perEnvironment: { not: 'it names the thing, which versions find by it' },
    }),
    map_key: string({ max: 2000, secret: true }),
    /** Belongs to its key, as the next one does: no version carries keys. */
    analytics_provider: string({ offered: ['google', 'matomo'], perEnvironment: true }),
    analytics_key: string({ max: 2000, secret: true }),
    google_analytics_id: string({ perEnvironment: true }),
    video_chat_provider: string({ offered: ['jitsi', 'twilio', 'zoom'], perEnvironment: true }),
    app_id: string({ perEnvironment: true }),
    secret: string({ max: 2000, secret: true }),
    /** Of a token of the video chat. */
    token_expiry: integer({ min: 0, max: 31_536_000, unit: 's' }),
  },
  title: 'map_provider',
  list: {
    columns: [
      { field: 'map_provider', as: 'name' },
      { field: 'analytics_provider' },
      { field: 'google_analytics_id', as: 'code' },
      { field: 'video_chat_provider' },
    ],
    search: ['map_provider', 'analytics_provider', 'google_analytics_id', 'video_chat_provider', 'app_id'],
  },
  form: [
    { id: 'map', fields: ['map_provider', 'map_key'] },
    { id: 'analytics', fields: ['analytics_provider', 'analytics_key', 'google_analytics_id'] },
    { id: 'video', fields: ['video_chat_provider', 'app_id', 'secret', 'token_expiry'] },
  ],
  versioned: true,
  place: { bot: { group: 'settings', order: 70 } },
})
