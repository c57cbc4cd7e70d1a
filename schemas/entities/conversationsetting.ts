import { defineEntity } from '../entity.ts'
import { boolean, duration, integer, reference, string } from '../field/field.ts'

const MAX_MS = 86_400_000

/** Start, timeouts and end of a bot's conversations. */
export const conversationsetting = defineEntity({
  name: 'conversationsetting',
  type: 'ConversationSetting',
  parent: 'bot',
  cardinality: 'one',
  icon: 'Timer',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    usertimeout: duration('ms', { max: MAX_MS, initial: 40_000 }),
    endconversationtimeout: duration('ms', { max: MAX_MS, initial: 120_000 }),
    agenttimeout: duration('ms', { max: MAX_MS, initial: 120_000 }),
    agent_inactive_timeout: duration('ms', { max: MAX_MS, initial: 120_000 }),
    usertimeout_with_agent: duration('ms', { max: MAX_MS, initial: 300_000 }),
    agent_default_task: reference('dialogtask'),
    agent_default_dialog: reference('dialog'),
    affirm: string({ initial: 'affirm' }),
    deny: string({ initial: 'deny' }),
    cancel: string({ initial: 'cancel' }),
    goback: string({ initial: 'goback' }),
    /** Messages. */
    history_length: integer({ min: 0, max: 1000, initial: 20 }),
    remember_user_on_reload: boolean({ initial: true }),
  },
  title: 'affirm',
  list: { columns: [{ field: 'usertimeout', as: 'number' }], search: [] },
  form: [
    {
      id: 'timeouts',
      fields: [
        'usertimeout',
        'endconversationtimeout',
        'agenttimeout',
        'agent_inactive_timeout',
        'usertimeout_with_agent',
      ],
    },
    { id: 'agent', fields: ['agent_default_task', 'agent_default_dialog'] },
    { id: 'intents', fields: ['affirm', 'deny', 'cancel', 'goback'] },
    { id: 'memory', fields: ['history_length', 'remember_user_on_reload'] },
  ],
  versioned: true,
  place: { bot: { group: 'settings', order: 40 } },
})
