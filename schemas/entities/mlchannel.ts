import { defineEntity } from '../entity.ts'
import { boolean, enumeration, json, reference, string, text, url } from '../field/field.ts'
import { ML_SYSTEM_NAMES, ML_SYSTEMS } from '../ml-system.ts'
import { fieldsByType } from '../typed-fields.ts'

/** An outside system that understands or answers texts for a bot. The fields of a type are shown under it alone. */
export const mlchannel = defineEntity({
  name: 'mlchannel',
  type: 'MlChannel',
  parent: 'bot',
  icon: 'BrainCircuit',
  fields: fieldsByType(ML_SYSTEMS, {
    bot: reference('bot', { required: true, fixed: true }),
    type: enumeration(ML_SYSTEM_NAMES, { required: true, fixed: true, initial: 'rasa' }),
    /** The type's own where none is given. */
    name: string(),
    enable: boolean({ initial: true }),
    url: url({ required: true }),
    /** Project (Dialogflow ES), agent (Dialogflow CX), assistant (Watson), flow (Langflow). */
    channel_id: string({ required: true, max: 500 }),
    /** ES or CX (Dialogflow), version as YYYY-MM-DD (Watson), output component (Langflow). */
    extradetails: string(),
    /** Service account as JSON (Dialogflow), API key (Watson). */
    channel_authentication_details: text({ required: true, secret: true, max: 10_000 }),
    /** Sent to the system (Rasa, Langflow); password of its calls (Dialogflow, Watson). */
    channel_password: string({ max: 2000, secret: true }),
    /** Path on the bot router at which the system calls the bot. */
    webhook: string({ readonly: true, addressPath: '' }),
    channel_verify_token: string({ max: 2000, secret: true }),
    custom_action_endpoint: url(),
    model_server: url(),
    tweaks: json(),
  }),
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'type', as: 'tags' },
      { field: 'enable', as: 'boolean' },
      { field: 'url', as: 'code' },
    ],
    search: ['name', 'url', 'channel_id'],
  },
  form: [
    { id: 'general', fields: ['type', 'name', 'enable'] },
    {
      id: 'system',
      fields: ['url', 'channel_id', 'extradetails', 'channel_authentication_details', 'channel_password', 'tweaks'],
    },
    { id: 'calls', fields: ['webhook', 'channel_verify_token', 'custom_action_endpoint', 'model_server'] },
  ],
  probes: ['test'],
  page: 'own',
  versioned: { not: 'where outside systems are, and with which keys, belongs to the installation' },
  place: { bot: { group: 'bot', order: 42 } },
})
