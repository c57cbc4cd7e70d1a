import { defineEntity } from '../entity.ts'
import { boolean, enumeration, reference, string, strings } from '../field/field.ts'

/** Reaction of a bot to an intent, at any point of the conversation. */
export const intentmapping = defineEntity({
  name: 'intentmapping',
  type: 'IntentMapping',
  parent: 'bot',
  icon: 'Route',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    name: string(),
    type: enumeration(['intent', 'intentgroup', 'usermessage', 'channelpayload'], { required: true }),
    intent: string({
      required: true,
      when: { type: ['intent'] },
      offeredFrom: { through: ['bot', 'nluproject'], things: 'intent' },
    }),
    intentgroup: reference('intentgroup', { required: true, when: { type: ['intentgroup'] } }),
    usermessage: string({ max: 2000, required: true, when: { type: ['usermessage'] } }),
    channelpayload: string({ max: 2000, required: true, when: { type: ['channelpayload'] } }),
    level: enumeration(['bot', 'task', 'dialog'], { initial: 'bot' }),
    dialogtask: reference('dialogtask', { required: true, when: { level: ['task'] } }),
    dialog: reference('dialog', { required: true, when: { level: ['dialog'] } }),
    disable_on_prompts: boolean(),
    action: enumeration(['calltask', 'calldialog', 'callhandler', 'randomresponses'], { required: true }),
    target_task: reference('dialogtask', { required: true, when: { action: ['calltask'] } }),
    target_dialog: reference('dialog', { required: true, when: { action: ['calldialog'] } }),
    target_handler: reference('handler', { required: true, when: { action: ['callhandler'] } }),
    /** One of them is sent. */
    responses: strings({ required: true, max: 4000, maxItems: 100, when: { action: ['randomresponses'] } }),
  },
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'type', as: 'tags' },
      { field: 'intent', as: 'code' },
      { field: 'intentgroup', as: 'reference' },
      { field: 'usermessage' },
      { field: 'level', as: 'tags' },
      { field: 'action', as: 'tags' },
    ],
    search: ['name', 'intent', 'usermessage', 'channelpayload'],
  },
  form: [
    { id: 'when', fields: ['name', 'type', 'intent', 'intentgroup', 'usermessage', 'channelpayload'] },
    { id: 'where', fields: ['level', 'dialogtask', 'dialog', 'disable_on_prompts'] },
    { id: 'then', fields: ['action', 'target_task', 'target_dialog', 'target_handler', 'responses'] },
  ],
  versioned: true,
  place: { bot: { group: 'settings', order: 100 } },
})
