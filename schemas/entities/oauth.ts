import { defineEntity } from '../entity.ts'
import { enumeration, list, reference, string, url } from '../field/field.ts'

/** Access to a service that a bot's REST blocks call, by access token (RFC 6749). */
export const oauth = defineEntity({
  name: 'oauth',
  type: 'OAuth',
  parent: 'bot',
  icon: 'KeyRound',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    name: string({ required: true }),
    grant_type: enumeration(['client_credentials', 'password', 'refresh_token', 'authorization_code'], {
      required: true,
      initial: 'client_credentials',
    }),
    callback: url({ perEnvironment: true }),
    auth_url: url({ perEnvironment: true }),
    access_token_url: url({ required: true, perEnvironment: true }),
    client_id: string({ max: 2000, perEnvironment: true }),
    secret: string({ max: 4000, secret: true }),
    username: string({ perEnvironment: true }),
    password: string({ max: 4000, secret: true }),
    scope: string({ max: 2000 }),
    /** Versions carry no secrets: headers of another bot would replace these without their values. */
    headers: list(
      { name: string({ required: true }), value: string({ max: 4000, secret: true }) },
      { maxItems: 50, perEnvironment: true },
    ),
  },
  unique: [{ field: 'name', within: 'bot' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'grant_type', as: 'tags' },
      { field: 'access_token_url', as: 'code' },
    ],
    search: ['name', 'access_token_url', 'client_id'],
  },
  form: [
    { id: 'general', fields: ['name', 'grant_type', 'access_token_url', 'scope'] },
    { id: 'client', fields: ['client_id', 'secret', 'username', 'password'] },
    { id: 'consent', fields: ['auth_url', 'callback'] },
    { id: 'request', fields: ['headers'] },
  ],
  probes: ['test'],
  page: 'own',
  versioned: true,
  place: { bot: { group: 'settings', order: 80 } },
})
