import { defineEntity } from '../entity.ts'
import { boolean, enumeration, integer, number, reference, string, strings, text } from '../field/field.ts'
import { LANGUAGES } from '../language.ts'
import { ML_SYSTEM_NAMES, ML_SYSTEMS } from '../ml-system.ts'

export const BOT_STATUSES = ['stopped', 'pending', 'started', 'running'] as const

export const bot = defineEntity({
  name: 'bot',
  type: 'Bot',
  parent: 'level',
  icon: 'Bot',
  fields: {
    name: string({ required: true }),
    description: text({ max: 2000 }),
    customer: string({ perEnvironment: true }),
    industry: string(),
    segment: string(),
    deploymentenv: enumeration(['development', 'preproduction', 'production'], {
      initial: 'development',
      perEnvironment: true,
    }),
    runningstatus: enumeration([...BOT_STATUSES], { initial: 'stopped', readonly: true }),
    minservicesneeded: integer({ min: 0, max: 1000, initial: 0, perEnvironment: true }),
    servicesup: integer({ min: 0, initial: 0, readonly: true, unversioned: true }),
    /** Live conversations of releases before it move to the newest one. */
    restarted_at: string({ readonly: true, isUtc: true }),
    defaultdialogtask: reference('dialogtask'),
    fallbacktask: reference('dialogtask'),
    on_return_from_agent_execute_task: reference('dialogtask'),
    /** Of its chats and standard texts; null: its default locale. */
    language: enumeration([...LANGUAGES], { fallback: 'defaultlocale' }),
    defaultlocale: enumeration(['en', 'pt'], { initial: 'pt' }),
    /** Days of its figures are those of this time zone. */
    timezone: string({
      ...{ max: 100, control: 'timezone', initial: 'America/Sao_Paulo' },
      perEnvironment: { not: 'its people are in the same zone' },
    }),
    /** Every Monday its readers are notified of the results of the week before. */
    weeklyreport: boolean({ perEnvironment: true }),
    expressionparser: enumeration(['Jexl', 'ExprEval', 'JsonAta'], { initial: 'Jexl' }),
    jsonpathparser: enumeration(['JSONPath', 'JsonAta'], { initial: 'JSONPath' }),
    botframeworkversion: string({ max: 50 }),
    channel_service_endpoint: string({ max: 2000, perEnvironment: true }),
    botendpoint: string({ max: 2000, perEnvironment: true }),
    agentendpoint: string({ max: 2000, perEnvironment: true }),
    internal_endpoints: strings({ max: 2000, maxItems: 100, perEnvironment: true }),
    act_as_ml_action_server: boolean(),
    brainenabled: boolean(),
    brain: reference('brain'),
    nluenabled: boolean(),
    default_nlu_system: string({
      offered: ['parley', 'remote', ...ML_SYSTEM_NAMES.filter(name => ML_SYSTEMS[name].isOffered)],
    }),
    nluproject: reference('nluproject'),
    nlumodel: string({ offeredFrom: { through: ['nluproject'], list: 'models' } }),
    nlutimeout: integer({ min: 0, max: 3_600_000, initial: 40_000, unit: 'ms' }),
    intentconfidence: number({ min: 0, max: 100, unit: '%' }),
    entityconfidence: number({ min: 0, max: 100, unit: '%' }),
    fuzzy_match_enabled: boolean(),
    disable_nlu_on_prompt: boolean(),
    agentenabled: boolean(),
    defaultagentsystem: string(),
    connecttoagentinmenu: boolean(),
    stepdelay: integer({ min: 0, max: 3_600_000, initial: 2000, unit: 'ms' }),
    restartconversationinmenu: boolean(),
    disable_userinput_chatwindow_on_buttondisplay: boolean(),
    disable_buttons_from_previous_messages: boolean(),
    hideinstackview: boolean(),
    /** Conversations without anything new for so long are removed. */
    keepdays: integer({ min: 1, max: 3650, initial: 180, perEnvironment: true }),
    avatars: strings({ max: 2000, maxItems: 20, control: 'pictures' }),
  },
  unique: [{ field: 'name', within: 'level' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'runningstatus', as: 'status' },
      { field: 'deploymentenv', as: 'environment' },
      { field: 'servicesup', as: 'number', of: 'minservicesneeded' },
      { field: 'language' },
      { field: 'industry' },
    ],
    facts: [{ field: 'live' }],
    search: ['name', 'description', 'customer', 'industry', 'segment'],
  },
  form: [
    { id: 'details', fields: ['name', 'description', 'customer', 'industry', 'segment', 'deploymentenv'] },
    {
      id: 'running',
      fields: [
        'runningstatus',
        'minservicesneeded',
        'servicesup',
        'defaultdialogtask',
        'fallbacktask',
        'language',
        'defaultlocale',
        'timezone',
        'weeklyreport',
        'expressionparser',
        'jsonpathparser',
        'botframeworkversion',
      ],
    },
    {
      id: 'endpoints',
      fields: [
        'channel_service_endpoint',
        'botendpoint',
        'agentendpoint',
        'internal_endpoints',
        'act_as_ml_action_server',
      ],
    },
    {
      id: 'nlu',
      fields: [
        'nluenabled',
        'default_nlu_system',
        'nluproject',
        'nlumodel',
        'nlutimeout',
        'intentconfidence',
        'entityconfidence',
        'fuzzy_match_enabled',
        'disable_nlu_on_prompt',
        'brainenabled',
        'brain',
      ],
    },
    {
      id: 'agents',
      fields: ['agentenabled', 'defaultagentsystem', 'connecttoagentinmenu', 'on_return_from_agent_execute_task'],
    },
    {
      id: 'chat',
      fields: [
        'stepdelay',
        'restartconversationinmenu',
        'disable_userinput_chatwindow_on_buttondisplay',
        'disable_buttons_from_previous_messages',
        'hideinstackview',
        'keepdays',
        'avatars',
      ],
    },
  ],
  actions: {
    /** To another level, with everything in it; offered by its page. */
    transfer: {
      icon: 'FolderInput',
      on: [],
      input: { hierarchylevel: reference('hierarchy', { required: true }) },
    },
    start: { icon: 'Play', on: ['page', 'row', 'bulk'], when: { runningstatus: ['stopped'] } },
    restart: {
      icon: 'RotateCcw',
      on: ['page', 'row', 'bulk'],
      when: { runningstatus: ['pending', 'started', 'running'] },
      confirm: 'question',
    },
    fix: { icon: 'Wrench', on: ['page', 'row'], when: { runningstatus: ['pending', 'started', 'running'] } },
    stop: {
      icon: 'Square',
      on: ['page', 'row', 'bulk'],
      when: { runningstatus: ['pending', 'started', 'running'] },
      confirm: 'question',
    },
  },
  confirm: true,
  place: { menu: { group: 'build', order: 10, count: true }, permission: 'showbot' },
  page: 'own',
})
