import { defineEntity } from '../entity.ts'
import { duration, reference, string } from '../field/field.ts'

const MAX_MS = 3_600_000

/** Limits of the calls that a bot makes. */
export const botadvancedsetting = defineEntity({
  name: 'botadvancedsetting',
  type: 'BotAdvancedSetting',
  parent: 'bot',
  cardinality: 'one',
  icon: 'Wrench',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    service_timeout: duration('ms', { max: MAX_MS, initial: 40_000 }),
    agent_timeout: duration('ms', { max: MAX_MS, initial: 40_000 }),
    ml_timeout: duration('ms', { max: MAX_MS, initial: 40_000 }),
    webservice_timeout: duration('ms', { max: MAX_MS, initial: 40_000 }),
    encoding: string({ max: 50, initial: 'utf-8', offered: ['utf-8', 'iso-8859-1', 'windows-1252'] }),
  },
  title: 'encoding',
  list: { columns: [{ field: 'encoding', as: 'name' }], search: [] },
  form: [
    { id: 'timeouts', fields: ['service_timeout', 'agent_timeout', 'ml_timeout', 'webservice_timeout'] },
    { id: 'text', fields: ['encoding'] },
  ],
  versioned: true,
  place: { bot: { group: 'settings', order: 50 } },
})
