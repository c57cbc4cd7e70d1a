import { defineEntity } from '../entity.ts'
import {
  boolean,
  cron,
  enumeration,
  integer,
  list,
  reference,
  references,
  string,
  strings,
  time,
} from '../field/field.ts'

/** Sources for a template variable: a name and fields of a contact, or a text that is the same for all. */
export const MAPPING_SOURCES = [
  'nome',
  ...Array.from({ length: 16 }, (_, at) => `field${String(at + 1).padStart(2, '0')}`),
  'text',
] as const satisfies readonly string[] as unknown as readonly [string, ...string[]]

export const MAPPING_FORMATS = ['text', 'uppercase', 'number', 'currency', 'date'] as const

/** Days of a sending window, in the order of `Date.getUTCDay`. */
export const SENDING_DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

/** States of a run; empty before the first one. */
export const RUN_STATES = [
  'planned',
  'running',
  'waiting',
  'pausing',
  'paused',
  'cancelling',
  'cancelled',
  'expired',
  'completed',
] as const

const ENDED = ['cancelled', 'expired', 'completed'] as const
const NO_SPACES = /^\S*$/u
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/u
const MAX_METADATA = 20

/** A message template that is sent to many people, by hand or by a schedule. */
export const campaign = defineEntity({
  name: 'campaign',
  type: 'Campaign',
  parent: 'level',
  icon: 'Megaphone',
  fields: {
    name: string({ required: true, pattern: NO_SPACES, rule: 'campaignname' }),
    enabled: boolean({ initial: true }),
    template: reference('template', { required: true, rule: 'campaigntemplate' }),
    /** The number that it is sent from: of an account of Meta, or of a channel. */
    metaaccount: reference('metaaccount'),
    channel: reference('channel'),
    /** Compared with `template`: each is sent to half of `compare_share` percent of the recipients, the better one to the rest. */
    template_b: reference('template', { onTargetRemoved: 'refuse' }),
    compare_share: integer({ min: 2, max: 100, initial: 20, unit: '%' }),
    /** The better template, chosen by a person. */
    winner: enumeration(['a', 'b'], { readonly: true }),
    /** Saved lists and segments that it is sent to, beside its own contacts. People of minus lists do not get it. */
    lists: references('contactlist'),
    segments: references('segment'),
    minuslists: references('contactlist'),
    /** Empty: it is started by hand alone. */
    cron_expression: cron({ zone: { field: 'timezone' } }),
    timezone: string({ max: 100, control: 'timezone', initial: 'America/Sao_Paulo' }),
    /** `new`: a run skips contacts that this campaign has already sent to. */
    repeat: enumeration(['new', 'everyone'], { initial: 'new' }),
    mapping: list(
      {
        /** As the template's page names it: `1`, `name`, `header`, `button.1`, `card.2.body.1`, `card.2.button.1`, `code`. */
        variable: string({ required: true, max: 120 }),
        source: enumeration(MAPPING_SOURCES, { initial: 'nome' }),
        text: string({ max: 1024, when: { source: ['text'] } }),
        /** When the contact's value is empty. */
        default: string({ max: 1024 }),
        format: enumeration(MAPPING_FORMATS, { initial: 'text' }),
      },
      { maxItems: 200 },
    ),
    /** `default`: Monday to Saturday, 8 to 20 h for marketing, at any time for the others. */
    window: enumeration(['default', 'own', 'always'], { initial: 'default' }),
    window_days: strings({ options: SENDING_DAYS, when: { window: ['own'] } }),
    window_from: string({
      pattern: CLOCK,
      rule: 'clock',
      control: 'clock',
      initial: '08:00',
      when: { window: ['own'] },
    }),
    window_to: string({ pattern: CLOCK, rule: 'clock', control: 'clock', initial: '20:00', when: { window: ['own'] } }),
    skip_holidays: boolean({ initial: true, when: { window: ['default', 'own'] } }),
    rate: integer({ min: 1, max: 1000, initial: 60, unit: '/s' }),
    /** Begins with 20 messages and a minute's wait. */
    warmup: boolean({ initial: true }),
    /** At most one marketing message a day to one number, over all campaigns. */
    daily_cap: boolean({ initial: true }),
    require_consent: boolean(),
    /** Messages not sent by then are dropped. */
    expires_after: integer({ min: 1, max: 720, initial: 72, unit: 'h' }),
    metadata: list(
      { name: string({ required: true, max: 100 }), value: string({ max: 1024 }) },
      { maxItems: MAX_METADATA, rule: 'metadata' },
    ),
    run: string({ readonly: true, internal: true }),
    run_kind: string({ readonly: true, internal: true }),
    run_of: string({ readonly: true, internal: true }),
    run_status: enumeration(RUN_STATES, { readonly: true }),
    /** Why it waits or is paused: a code of a text. */
    run_reason: string({ readonly: true }),
    run_started_at: time({ readonly: true }),
    /** The last instant of the schedule that was looked at. */
    fired_at: time({ readonly: true, internal: true }),
    /** Why the last fire of the schedule sent nothing. */
    fire_skipped: enumeration(['late', 'open', 'incomplete'], { readonly: true }),
  },
  unique: [{ field: 'name', within: 'level' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'run_status', as: 'tags' },
      { field: 'template', as: 'reference' },
      { field: 'metaaccount', as: 'reference' },
      { field: 'channel', as: 'reference' },
      { field: 'enabled', as: 'boolean' },
      { field: 'cron_expression', as: 'code' },
      { field: 'run_started_at', as: 'time' },
    ],
    search: ['name'],
  },
  form: [
    { id: 'general', fields: ['name', 'enabled', 'template', 'metaaccount', 'channel'] },
    { id: 'comparison', fields: ['template_b', 'compare_share', 'winner'] },
    { id: 'audience', fields: ['lists', 'segments', 'minuslists'] },
    { id: 'schedule', fields: ['cron_expression', 'timezone', 'repeat'] },
    { id: 'mapping', fields: ['mapping'] },
    {
      id: 'window',
      fields: ['window', 'window_days', 'window_from', 'window_to', 'skip_holidays'],
    },
    { id: 'limits', fields: ['rate', 'warmup', 'daily_cap', 'require_consent', 'expires_after'] },
    { id: 'metadata', fields: ['metadata'] },
  ],
  actions: {
    start: { icon: 'Send', on: ['page', 'row'], confirm: 'question', when: { run_status: [null, ...ENDED] } },
    pause: { icon: 'Pause', on: ['page', 'row'], when: { run_status: ['planned', 'running', 'waiting'] } },
    resume: { icon: 'Play', on: ['page', 'row'], when: { run_status: ['paused'] } },
    cancel: {
      icon: 'CircleX',
      on: ['page', 'row'],
      confirm: 'typed',
      danger: true,
      when: { run_status: ['planned', 'running', 'waiting', 'pausing', 'paused'] },
    },
    choosewinner: {
      icon: 'Trophy',
      on: ['page'],
      input: { winner: enumeration(['a', 'b'], { required: true }) },
      confirm: 'question',
      when: { run_status: ['planned', 'running', 'waiting', 'pausing', 'paused'], winner: [null] },
    },
    retryfailed: { icon: 'RotateCcw', on: ['page'], confirm: 'question', when: { run_status: [...ENDED] } },
    resendunknown: {
      icon: 'MailQuestion',
      on: ['page'],
      confirm: 'typed',
      danger: true,
      when: { run_status: [...ENDED] },
    },
  },
  probes: ['export', 'test'],
  page: 'own',
  pages: [{ key: 'settings', icon: 'Settings', permission: 'readcampaign' }],
  place: {
    list: '/campaignmanagement/channel/app/campaign/search',
    create: '/campaignmanagement/campaign/create',
    hub: { page: 'campaignmanagement', order: 10 },
  },
})
